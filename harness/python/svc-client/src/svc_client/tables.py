"""Encodes data for the artifact store: as an Arrow stream, or as JSON."""

import io
import json
import math
import sys

from .errors import SvcError
from .results import package

# The largest integer that JSON readers keep exact.
_LARGEST = 2**53 - 1


def encoded(data):
    """("arrow", bytes) of a table, ("json", bytes) of other data. @raises SvcError"""
    stream = _arrow_stream(data)
    if stream is not None:
        return "arrow", stream
    _check(data)
    try:
        return "json", json.dumps(data, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise SvcError("This data cannot be stored: %s. Put a table of pandas, polars or pyarrow, or JSON." % error) from None


def _arrow_stream(data):
    """The Arrow stream of a library's table; None for other data."""
    library = type(data).__module__.partition(".")[0]
    if library == "polars" and "polars" in sys.modules:
        return _polars_stream(sys.modules["polars"], data)
    if library == "pandas" and "pandas" in sys.modules:
        pandas = sys.modules["pandas"]
        if isinstance(data, pandas.Series):
            data = data.to_frame(name="data" if data.name is None else str(data.name))
        if isinstance(data, pandas.DataFrame):
            arrow = package("pyarrow", "put() of a pandas table", "pyarrow")
            try:
                return _written(arrow, arrow.Table.from_pandas(data))
            except (arrow.ArrowInvalid, arrow.ArrowTypeError, arrow.ArrowNotImplementedError) as error:
                raise SvcError("This table has no Arrow form: %s. Change the column that the message names." % error) from None
    if hasattr(type(data), "__arrow_c_stream__"):
        arrow = package("pyarrow", "put() of this table", "pyarrow")
        return _written(arrow, data if isinstance(data, arrow.Table) else arrow.table(data))
    if library == "pyarrow":
        arrow = sys.modules["pyarrow"]
        if isinstance(data, arrow.RecordBatch):
            return _written(arrow, arrow.Table.from_batches([data]))
    return None


def _polars_stream(polars, data):
    if isinstance(data, polars.LazyFrame):
        data = data.collect()
    if isinstance(data, polars.Series):
        data = data.to_frame(data.name or "data")
    if not isinstance(data, polars.DataFrame):
        return None
    sink = io.BytesIO()
    data.write_ipc_stream(sink)
    return sink.getvalue()


def _written(arrow, table):
    sink = io.BytesIO()
    with arrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def _check(data):
    """JSON readers silently change larger numbers. @raises SvcError"""
    pending, seen = [data], set()
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            if not all(isinstance(key, str) for key in one):
                raise SvcError("The keys of JSON are text. Change the keys of the data to str.")
            if id(one) not in seen:
                seen.add(id(one))
                pending.extend(one.values())
        elif isinstance(one, (list, tuple)):
            if id(one) not in seen:
                seen.add(id(one))
                pending.extend(one)
        elif isinstance(one, int) and not isinstance(one, bool) and abs(one) > _LARGEST:
            raise SvcError("JSON does not keep %d exact. Put a table of pandas, polars or pyarrow instead." % one)
        elif isinstance(one, float) and not math.isfinite(one):
            raise SvcError("JSON has no %r. Use None, or put a table of pandas, polars or pyarrow." % one)


def form_of(metadata, data):
    """(body, content type) of a multipart form with the two parts of PUT /v1/artifacts."""
    import hashlib

    mark = hashlib.sha256(metadata + data).hexdigest()
    head = '--%s\r\nContent-Disposition: form-data; name="metadata"\r\nContent-Type: application/json\r\n\r\n' % mark
    middle = '\r\n--%s\r\nContent-Disposition: form-data; name="data"; filename="data.arrow"\r\nContent-Type: application/vnd.apache.arrow.stream\r\n\r\n' % mark
    body = b"".join((head.encode(), metadata, middle.encode(), data, ("\r\n--%s--\r\n" % mark).encode()))
    return body, "multipart/form-data; boundary=%s" % mark
