"""Keys of the Arrow schema metadata, and helpers to read and write them (CONTRACT.md lists the keys)."""

from . import plain_json as json

SHAPE = b"svc.arrow.shape"
SOURCE = b"svc.arrow.source"
TENSOR_SHAPE = b"svc.arrow.tensor.shape"
TENSOR_DTYPE = b"svc.arrow.tensor.dtype"
TENSOR_LAYOUT = b"svc.arrow.tensor.layout"
SCALAR_TYPE = b"svc.arrow.scalar.type"
SCALAR_DETAIL = b"svc.arrow.scalar.detail"
PANDAS_NAME = b"svc.arrow.pandas.name"
PANDAS_OBJECTS = b"svc.arrow.pandas.objects"
PANDAS_LABELS = b"svc.arrow.pandas.labels"
PANDAS_LEVELS = b"svc.arrow.pandas.levels"
PANDAS_UTC = b"svc.arrow.pandas.utc"
PANDAS_FREQ = b"svc.arrow.pandas.freq"
PANDAS_LOSSY = b"svc.arrow.pandas.lossy"
OWN_PREFIX = b"svc.arrow."


class Refused(Exception):
    """Arrow cannot round-trip this value; the next format is tried."""


class NoArrow(Refused):
    """pyarrow is not installed."""


def tagged(table, entries):
    """`table` with our metadata entries (bytes → str or bytes) added to its own."""
    metadata = dict(table.schema.metadata or {})
    metadata.update(entries)
    return _with_metadata(table, metadata)


def untagged(table):
    """`table` without our metadata entries."""
    metadata = table.schema.metadata or {}
    remaining = {key: value for key, value in metadata.items() if not key.startswith(OWN_PREFIX)}
    return _with_metadata(table, remaining or None)


def _with_metadata(table, metadata):
    """`replace_schema_metadata`, which loses the row count of a table without columns."""
    if table.num_columns or not table.num_rows:
        return table.replace_schema_metadata(metadata)
    import pyarrow as pa

    return pa.table({"": pa.nulls(table.num_rows)}).replace_schema_metadata(metadata).select([])


def entry(metadata, key):
    value = metadata.get(key)
    return None if value is None else value.decode("utf-8")


def json_entry(metadata, key):
    value = metadata.get(key)
    return None if value is None else json.loads(value)
