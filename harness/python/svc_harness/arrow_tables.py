"""Converts pyarrow and polars tables and Arrow capsules to Arrow, and reads Arrow files into the original class."""

import os
import sys

from .arrow_meta import OWN_PREFIX, SHAPE, SOURCE, PANDAS_NAME, Refused, entry, json_entry, tagged, untagged
from .json_values import dumps


def pyarrow_table(value):
    """Arrow table of a pyarrow Table or RecordBatch, tagged with its source type."""
    import pyarrow as pa

    if any(key.startswith(OWN_PREFIX) for key in value.schema.metadata or ()):
        raise Refused("metadata under the names this store uses itself")
    refuse_own_types(value.schema)
    if isinstance(value, pa.RecordBatch):
        return tagged(pa.Table.from_batches([value]), {SHAPE: "table", SOURCE: "pyarrow.RecordBatch"})
    return tagged(value, {SHAPE: "table", SOURCE: "pyarrow.Table"})


def refuse_own_types(schema):
    """Refuse extension types defined in Python: other processes do not know them, and a pickle stores their class."""
    import pyarrow as pa

    for field in schema:
        if isinstance(field.type, pa.ExtensionType) and not field.type.extension_name.startswith("pandas."):
            raise Refused("extension type %s" % field.type.extension_name)


def capsule_table(value):
    """Arrow table of any object with `__arrow_c_stream__`; it is read back as a pyarrow Table."""
    import pyarrow as pa

    try:
        return tagged(pa.table(value), {SHAPE: "table", SOURCE: "arrow.capsule"})
    except Exception as error:
        raise Refused(str(error)) from error


def polars_table(value):
    import polars as pl

    series = isinstance(value, pl.Series)
    entries = {SHAPE: "table", SOURCE: "polars.Series" if series else "polars.DataFrame"}
    if series:
        entries[PANDAS_NAME] = dumps(value.name)
        value = value.to_frame("values")  # from_arrow renames a column without a name
    try:
        table = _from_polars(pl, value)
        same = pl.from_arrow(table.slice(0, 0)).schema == value.schema
    except Exception as error:
        raise Refused(str(error)) from error
    if not same:
        raise Refused("a polars dtype would change")
    return tagged(table, entries)


def _from_polars(pl, frame):
    """Use Arrow's classic string and binary types, which every reader supports, instead of the view types."""
    level = getattr(pl, "CompatLevel", None)
    return frame.to_arrow(compat_level=level.oldest()) if level is not None else frame.to_arrow()


def write_stream(table, sink):
    """Write one table as an IPC stream, one record batch per chunk."""
    import pyarrow as pa

    with pa.ipc.new_stream(sink, table.schema) as writer:
        if not table.num_rows and any(pa.types.is_dictionary(field.type) for field in table.schema):
            # A stream without batches has no dictionaries, so categories of empty columns would be lost.
            writer.write_batch(_empty_batch(pa, table))
        else:
            writer.write_table(table)


def _empty_batch(pa, table):
    columns = [
        column.chunk(0).slice(0, 0) if column.num_chunks else pa.array([], column.type) for column in table.columns
    ]
    return pa.RecordBatch.from_arrays(columns, schema=table.schema)


def open_table(path):
    """Memory-map the file, except where an open map locks it."""
    import pyarrow as pa

    _register_pandas_types(pa, path)
    return pa.ipc.open_stream(_source(pa, path)).read_all()


def _source(pa, path):
    return pa.OSFile(path) if os.name == "nt" else pa.memory_map(path)


def _register_pandas_types(pa, path):
    """Register pandas' period and interval types with Arrow, which pandas does only when it first writes some.

    Until then such columns are read, without a warning, as the integers or structs that store them.
    """
    with _source(pa, path) as source:
        schema = pa.ipc.open_stream(source).schema
    if any(b"pandas." in (field.metadata or {}).get(b"ARROW:extension:name", b"") for field in schema):
        try:
            import pandas.core.arrays.arrow.extension_types  # noqa: F401
        except ImportError:
            return  # without pandas only the storage type is available; read_arrow reports it


def read_arrow(path):
    """Read an .arrow file into the class it was written from, if that library is installed."""
    with open(path, "rb") as file:
        first = file.read(1)
    if first == b"{":
        from . import plain_json as json

        from .pandas_fallbacks import read_json_fallback

        with open(path, encoding="utf-8") as file:
            return read_json_fallback(json.load(file))
    table = open_table(path)
    metadata = table.schema.metadata or {}
    shape = entry(metadata, SHAPE)
    if shape == "tensor":
        from .arrow_tensors import read_tensor

        return read_tensor(table)
    if shape == "scalar":
        from .arrow_scalars import read_scalar

        return read_scalar(table)
    source = entry(metadata, SOURCE)
    if source == "pyarrow.RecordBatch":
        return _one_batch(untagged(table))
    if source in ("pyarrow.Table", "arrow.capsule"):
        return untagged(table)
    if source in ("polars.DataFrame", "polars.Series"):
        return _read_polars(table, metadata, source)
    return _read_pandas(table, source)


def _one_batch(table):
    import pyarrow as pa

    batches = table.combine_chunks().to_batches()
    if batches:
        return batches[0]
    columns = [pa.array([], field.type) for field in table.schema]
    return pa.RecordBatch.from_arrays(columns, schema=table.schema)


def _read_polars(table, metadata, source):
    try:
        import polars as pl
    except ImportError:
        print("svc: polars is not installed, so a %s is loaded as a pandas or Arrow table" % source, file=sys.stderr)
        return _read_pandas(untagged(table), None)
    frame = pl.from_arrow(untagged(table))
    if source == "polars.DataFrame":
        return frame
    series = frame.to_series(0)
    return series.rename(json_entry(metadata, PANDAS_NAME) or "")


def _read_pandas(table, source):
    """A pandas value, also for an untagged table (from R); the Arrow table itself if pandas is missing."""
    try:
        import pandas  # noqa: F401
    except ImportError:
        if source is not None:
            print("svc: pandas is not installed, so a %s is loaded as an Arrow table" % source, file=sys.stderr)
        return untagged(table)
    from .pandas_frames import read_pandas

    return read_pandas(table, series=source == "pandas.Series")
