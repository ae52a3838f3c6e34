"""Fallbacks for pandas values that Arrow would change: JSON in the .arrow file to store them, text to display them."""

from itertools import chain

from .arrow_meta import PANDAS_LOSSY, SHAPE, SOURCE, Refused, tagged
from .pandas_axes import same_objects
from .pandas_frames import frame_table, series_table


def json_fallback(value):
    """JSON text of a frame or series with a plain range index if JSON round-trips it, else None."""
    import pandas as pd

    from .json_values import json_text

    series = isinstance(value, pd.Series)
    if type(value) not in (pd.Series, pd.DataFrame) or not _plain_range(value.index) or value.attrs:
        return None
    if not value.flags.allows_duplicate_labels:
        return None
    if value.size > 100_000 or (not value.size and len(value)):
        return None  # building rows one value at a time; pickle is faster
    columns = ["values"] if series else list(value.columns)
    if not series and (type(value.columns) is not pd.Index or value.columns.name is not None):
        return None
    rows = [[item] for item in value] if series else [list(row) for row in value.itertuples(False, None)]
    if series and type(value.name) not in (type(None), str, int, float, bool):
        return None
    body = {
        "svc.arrow.fallback": "json",
        "kind": "series" if series else "dataframe",
        "columns": columns,
        "data": rows,
        "series_name": value.name if series else None,
    }
    text = json_text(body)
    if text is None or set(map(type, columns)) - {str}:
        return None
    back = read_json_fallback(body)
    if series:
        same = back.dtype == value.dtype and same_objects(list(back), list(value))
    else:
        same = (
            list(back.dtypes) == list(value.dtypes)
            and back.columns.dtype == value.columns.dtype
            and same_objects(list(map(list, back.itertuples(False, None))), rows)
        )
    return text if same else None


def _plain_range(index):
    import pandas as pd

    return (
        type(index) is pd.RangeIndex
        and index.start == 0
        and index.step == 1
        and index.stop == len(index)
        and index.name is None
    )


def read_json_fallback(body):
    import pandas as pd

    if body["kind"] == "series":
        values = list(chain.from_iterable(body["data"]))
        kinds = set(map(type, values))
        dtype = object if len(kinds) != 1 or not kinds <= {int, float, bool} else None
        return pd.Series(values, name=body["series_name"], dtype=dtype)
    return pd.DataFrame(body["data"], columns=pd.Index(body["columns"]))


def display_table(value):
    """Arrow table for display: exact if possible, otherwise unsupported columns, labels and index become text."""
    import pandas as pd
    import pyarrow as pa

    series = isinstance(value, pd.Series)
    try:
        table = series_table(value) if series else frame_table(value)
        if not any(getattr(field.type, "extension_name", "").startswith("pandas.") for field in table.schema):
            return table  # otherwise periods and intervals are shown as meaningless numbers
    except Refused:
        pass
    frame = value.to_frame() if series else value
    names, arrays = [], []
    if not _plain_range(frame.index):
        for level in range(frame.index.nlevels):
            names.append("__index_level_%d__" % level)
            arrays.append(_shown(pa, frame.index.get_level_values(level)))
    for position in range(frame.shape[1]):
        names.append(str(frame.columns[position]))
        arrays.append(_shown(pa, frame.iloc[:, position]))
    table = pa.Table.from_arrays(arrays, names=names)
    source = "pandas.Series" if series else "pandas.DataFrame"
    return tagged(table, {SHAPE: "table", SOURCE: source, PANDAS_LOSSY: "1"})


def _shown(pa, values):
    try:
        array = pa.array(values, from_pandas=True)
        if not isinstance(array, (pa.ExtensionArray, pa.StructArray)):
            return array.combine_chunks() if hasattr(array, "combine_chunks") else array
    except Exception:  # noqa: BLE001  any refusal means: show the text
        array = None
    return pa.array([None if _is_missing(item) else str(item) for item in values], pa.string())


def _is_missing(item):
    import pandas as pd

    return item is None or item is pd.NaT or item is pd.NA or (type(item) is float and item != item)
