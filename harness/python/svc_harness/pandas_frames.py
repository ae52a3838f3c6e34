"""Converts pandas frames and series to Arrow tables and back, exactly.

A frame is written only if it is certain to round-trip: object columns are checked value by value, and everything else
(dtypes, labels, index) on an empty slice that is read back immediately. Values that Arrow would change silently are
refused here and left to `pandas_fallbacks` or pickle.
"""

import warnings

from . import plain_json as json
from .arrow_meta import (
    PANDAS_FREQ,
    PANDAS_LABELS,
    PANDAS_LEVELS,
    PANDAS_NAME,
    PANDAS_OBJECTS,
    PANDAS_UTC,
    SHAPE,
    SOURCE,
    Refused,
    json_entry,
    entry,
    tagged,
)
from .json_values import dumps
from .pandas_axes import (
    column_labels,
    freq_text,
    is_utc,
    labels_from,
    level_notes,
    same_dtype,
    same_labels,
    same_objects,
    same_shape,
    with_levels,
)

# Element classes (module, name) that an Arrow column round-trips, each alone or with None.
_PLAIN = {
    ("builtins", "str"),
    ("builtins", "bytes"),
    ("builtins", "bool"),
    ("datetime", "date"),
}


def frame_table(frame):
    """Arrow table of a pandas DataFrame; raises Refused."""
    return tagged(_table(frame), {SHAPE: "table", SOURCE: "pandas.DataFrame"})


def series_table(series):
    """Arrow table of a pandas Series; raises Refused."""
    import pandas as pd

    if type(series) is not pd.Series:
        raise Refused("subclass of Series")
    name = _json_name(series.name)
    frame = series.to_frame(name=series.name if type(series.name) is str else "values")
    return tagged(_table(frame), {SHAPE: "table", SOURCE: "pandas.Series", PANDAS_NAME: name})


def _json_name(name):
    if type(name) not in (type(None), str, int, float, bool) or name != name:
        raise Refused("name %r" % (name,))
    return dumps(name)


def _table(frame):
    import pandas as pd
    import pyarrow as pa

    if type(frame) is not pd.DataFrame:
        raise Refused("subclass of DataFrame")
    if not frame.flags.allows_duplicate_labels:
        raise Refused("a frame that forbids repeated labels")
    entries = {}
    special = {}
    hints = {}
    source = frame
    if not frame.columns.is_unique:
        if set(map(type, frame.columns)) != {str} or type(frame.columns) is not pd.Index:
            raise Refused("repeated labels that are not text")
        labels = {"labels": list(frame.columns), "name": _json_name(frame.columns.name)}
        labels["dtype"] = str(frame.columns.dtype)
        entries[PANDAS_LABELS] = dumps(labels)
        source = source.copy(deep=False)
        source.columns = [str(i) for i in range(len(labels["labels"]))]
    elif type(frame.columns) is pd.RangeIndex:
        steps = frame.columns
        labels = {"range": [steps.start, steps.stop, steps.step], "name": _json_name(steps.name)}
        entries[PANDAS_LABELS] = dumps(labels)
        source = source.copy(deep=False)
        source.columns = [str(label) for label in steps]
    for position, dtype in enumerate(frame.dtypes):
        if dtype == object:
            hint, array = _object_column(pa, frame.iloc[:, position])
            hints[str(position)] = hint
            if array is not None:
                special[position] = array
    for level in range(frame.index.nlevels):
        values = frame.index.get_level_values(level)
        if values.dtype == object and _object_kinds(values) != "plain":
            raise Refused("index of mixed objects")
    if special:
        source = source.copy(deep=False)
        for position in special:
            source.isetitem(position, pd.Series(False, index=source.index))
    try:
        with warnings.catch_warnings():
            # For labels that would be changed: they are checked below, and the cell need not know.
            warnings.simplefilter("ignore", UserWarning)
            table = pa.Table.from_pandas(source)
    except Exception as error:
        raise Refused(str(error)) from error
    for position, array in special.items():
        field = pa.field(table.schema.field(position).name, array.type)
        table = table.set_column(position, field, array)
    entries.update(_index_entries(frame))
    if hints:
        entries[PANDAS_OBJECTS] = dumps(hints)
    table = _index_first(tagged(table, entries) if entries else table)
    if table.num_rows != len(frame):
        raise Refused("rows without columns")  # older pyarrow takes the row count from the columns
    if source is not frame and not frame.columns.is_unique:
        table = table.rename_columns(index_columns(table) + list(frame.columns))
    return _checked(frame, table)


def _index_entries(frame):
    """Metadata for what Arrow and pandas drop of the index, and for zones that are `datetime.timezone.utc`."""
    import pandas as pd

    entries = {}
    freq = freq_text(frame.index)
    if freq is not None:
        entries[PANDAS_FREQ] = freq
    if isinstance(frame.index, pd.MultiIndex):
        notes = level_notes(frame.index)
        if notes is not None:
            entries[PANDAS_LEVELS] = json.dumps(notes)
    utc = [position for position, dtype in enumerate(frame.dtypes) if is_utc(dtype)]
    if is_utc(frame.index.dtype):
        utc.append("index")
    if utc:
        entries[PANDAS_UTC] = json.dumps(utc)
    return entries


def index_columns(table):
    """Names of the columns that store index levels."""
    pandas = table.schema.pandas_metadata or {}
    return [name for name in pandas.get("index_columns", ()) if isinstance(name, str)]


def _index_first(table):
    """Move index levels to the front, where a reader of the table expects row labels."""
    names = index_columns(table)
    if not names:
        return table
    first = [table.schema.get_field_index(name) for name in names]
    if -1 in first:
        raise Refused("an index level shares its name")
    rest = [i for i in range(table.num_columns) if i not in first]
    return table.select(first + rest)


def _object_kinds(values):
    """("plain" | "nan") if all elements have one plain class or are missing in one way, else None."""
    kinds = set(map(type, values))
    missing_kind = None
    if type(None) in kinds:
        kinds.discard(type(None))
        missing_kind = "plain"
    if float in kinds and len(kinds) > 1:
        if missing_kind or any(type(item) is float and item == item for item in values):
            return None
        kinds.discard(float)
        missing_kind = "nan"
    if not kinds:
        return "plain"
    if len(kinds) > 1:
        return None
    (kind,) = kinds
    return (missing_kind or "plain") if (kind.__module__, kind.__name__) in _PLAIN else None


def _object_column(pa, column):
    """How to store an object column: (hint, None) for from_pandas as it is, ("each", array) for our own conversion."""
    values = column.array
    hint = _object_kinds(values)
    if hint is not None:
        return hint, None
    values = list(values)
    try:
        array = pa.array(values, from_pandas=False)
        back = array.to_pylist()
    except Exception as error:
        raise Refused(str(error)) from error
    if not same_objects(values, back):
        raise Refused("column %r holds objects Arrow would change" % (column.name,))
    return "each", array


def _checked(frame, table):
    """The table with the column labels it would lose; refused if an empty slice does not round-trip."""
    back = _read_empty(table)
    if not same_labels(frame.columns, back.columns):
        table = tagged(table, {PANDAS_LABELS: json.dumps(column_labels(frame.columns))})
        back = _read_empty(table)
    same = (
        all(map(same_dtype, frame.dtypes, back.dtypes))
        and same_labels(frame.columns, back.columns)
        and _same_index_kind(frame.index, back.index, table)
        and same_objects(frame.attrs, back.attrs)
    )
    if not same:
        raise Refused("dtypes, labels or index would change")
    return table


def _read_empty(table):
    try:
        return frame_from(table.slice(0, 0))
    except Exception as error:
        raise Refused("cannot be read back: %s" % error) from error


def _same_index_kind(index, back, table):
    """Compares indexes. A range is stored in the metadata and lost on a slice, so it is compared there."""
    import pandas as pd

    if type(index) is pd.RangeIndex:
        stored = (table.schema.pandas_metadata or {}).get("index_columns")
        span = {"kind": "range", "name": index.name, "start": index.start, "stop": index.stop}
        return stored == [{**span, "step": index.step}]
    return same_shape(index, back)


def read_pandas(table, series):
    """The frame or series stored in a table tagged as pandas. Its arrays are owned and writable."""
    frame = frame_from(table)
    if not series:
        return frame
    column = frame.iloc[:, 0]
    column.name = json_entry(table.schema.metadata, PANDAS_NAME)
    return column


def frame_from(table):
    import numpy as np
    import pandas as pd

    metadata = table.schema.metadata or {}
    labels = json_entry(metadata, PANDAS_LABELS)
    if labels is not None and "labels" in labels:
        # pandas metadata refers to columns by name; these names repeat, so use positions temporarily
        index = index_columns(table)
        positions = range(table.num_columns - len(index))
        table = table.rename_columns(index + [str(position) for position in positions])
    frame = table.to_pandas()
    hints = json_entry(metadata, PANDAS_OBJECTS) or {}
    if hints:
        index = set(index_columns(table))
        columns = [i for i, name in enumerate(table.schema.names) if name not in index]
        for key, hint in hints.items():
            position = int(key)
            if hint == "plain" and frame.dtypes.iloc[position] == object:
                continue
            column = table.column(columns[position])
            values = np.empty(table.num_rows, dtype=object)
            if hint == "each":
                values[:] = column.to_pylist() or values
            else:
                values[:] = column.to_numpy() if table.num_rows else values
                if hint == "nan":
                    values[np.equal(values, None)] = np.nan
            frame.isetitem(position, pd.Series(values, index=frame.index, dtype=object))
    if labels is not None:
        if "range" in labels:
            frame.columns = pd.RangeIndex(*labels["range"], name=json.loads(labels["name"]))
        elif "labels" in labels:
            frame.columns = pd.Index(labels["labels"], name=json.loads(labels["name"]), dtype=labels["dtype"])
        else:
            frame.columns = labels_from(labels, frame.columns)
    _restore_index(frame, metadata)
    return frame


def _restore_index(frame, metadata):
    """Restore what `_index_entries` recorded."""
    import datetime

    utc = datetime.timezone.utc
    for at in json_entry(metadata, PANDAS_UTC) or ():
        if at == "index":
            frame.index = frame.index.tz_convert(utc)
        else:
            frame.isetitem(at, frame.iloc[:, at].dt.tz_convert(utc))
    notes = json_entry(metadata, PANDAS_LEVELS)
    if notes is not None:
        frame.index = with_levels(frame.index, notes)
    freq = entry(metadata, PANDAS_FREQ)
    if freq is not None:
        frame.index.freq = freq
