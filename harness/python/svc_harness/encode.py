"""Chooses the storage format of a value, for variables and for displays. The first matching format is used.

`encode(value)` only inspects the value; `Encoded.write(sink)` writes it. A format that raises `Refused` is skipped, and
the next one is tried.
"""

import sys

from . import execute
from .arrow_meta import PANDAS_LOSSY, NoArrow, Refused
from .json_values import dumps, is_likely_json, json_text
from .previews import MAX_ROWS, Coercion, class_text, json_preview
from .real_types import class_attribute, is_a, is_class, of_cells
from .reprs import builtin_text, repr_text

ARROW = ("arrow/ipc", ".arrow")
JSON = ("json/object", ".json")
MODULE = ("module/import", ".module.json")
MODULE_CELL = ("module/cell", ".cell_module.json")
INSTANCE = ("module/cell-instance", ".cell_instance.pickle")
PICKLE = ("pickle/object", ".pickle")
PNG = ("image/png", ".png")
MARKDOWN = ("text/markdown", ".md")
# Length of a variable's repr in a list of variables; a display shows more.
MAX_VARIABLE_TEXT = 200


class Encoded:
    """A value in its storage format: content type, extension, preview fields, and a function that writes its bytes.

    `exact`: reading the file returns an equal value (a display may be an approximation).
    """

    __slots__ = ("content_type", "extension", "meta", "write", "exact")

    def __init__(self, form, meta, write, exact=True):
        self.content_type, self.extension = form
        self.meta = meta
        self.write = write
        self.exact = exact


def encode(value, head=False, name=None):
    """Encode a variable. With `head`, only the preview is needed: tables are truncated to their first rows.

    `name`: the variable to store; what a cell defines under this name may be shared as source.
    @raises code_sharing.Blocked
    """
    for attempt in (_arrow, _json, _module):
        try:
            encoded = attempt(value, head)
        except Refused:
            continue
        if encoded is not None:
            return encoded
    return (None if head else _shared(value, name)) or _pickle(value)


def encode_text(form, text, preview=None):
    data = text.encode("utf-8", "surrogatepass" if form is JSON else "replace")
    meta = json_preview(text if preview is None else preview, {})
    return Encoded(form, meta, lambda sink: sink.write(data), exact=False)


def encode_bytes(form, data, meta):
    return Encoded(form, meta, lambda sink: sink.write(data), exact=False)


def _arrow(value, head):
    kind = type(value)
    if kind in (int, float, str, bool, list, dict, tuple, type(None), set):
        return None
    if is_class(value):
        return None
    table = None
    rows = None
    if is_a(value, "pyarrow", "Table", "RecordBatch"):
        from .arrow_tables import pyarrow_table

        table = pyarrow_table(value)
    elif is_a(value, "pandas", "DataFrame", "Series"):
        return encode_pandas(value, head)
    elif is_a(value, "polars", "DataFrame", "Series"):
        _require_pyarrow()
        from .arrow_tables import polars_table

        rows = len(value)
        table = polars_table(value[:MAX_ROWS] if head else value)
    elif is_a(value, "numpy", "ndarray", "generic"):
        return _numpy(value, head)
    elif is_a(value, "torch", "Tensor"):
        return _torch(value, head)
    elif is_a(value, "jax", "Array"):
        import numpy as np

        return _tensor(np.asarray(value), value, "jax.Array", head)
    elif is_a(value, "pyarrow", "Array", "ChunkedArray", "RecordBatchReader"):
        return None  # one column, or a stream that can be read once: neither can be read back as a table
    else:
        from .arrow_scalars import scalar_name, scalar_table

        if scalar_name(value) is not None:
            if head:
                return Encoded(ARROW, json_preview(value, {}), None)
            _require_pyarrow()
            return _of_table(scalar_table(value), json_preview(value, {}))
        if class_attribute(kind, "__arrow_c_stream__") and not class_attribute(kind, "__next__"):
            _require_pyarrow()
            from .arrow_tables import capsule_table

            table = capsule_table(value)
        elif class_attribute(kind, "__dlpack__"):
            return _dlpack(value, head)
    if table is None:
        return None
    return encode_table(table, rows)


def _require_pyarrow():
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise NoArrow("pyarrow is not installed") from error


def encode_pandas(value, head=False, lossy=False):
    """A pandas frame or series: Arrow, otherwise JSON in the .arrow file; raises Refused if it must be pickled."""
    rows = len(value)
    if head:
        value = value.iloc[:MAX_ROWS]
        lossy = True
    try:
        _require_pyarrow()
    except Refused:
        if head:
            return Encoded(ARROW, _rows_meta(value, rows), None)
        raise
    from .pandas_fallbacks import display_table, json_fallback
    from .pandas_frames import frame_table, series_table

    if lossy:
        return encode_table(display_table(value), rows)
    series = is_a(value, "pandas", "Series")
    try:
        return encode_table(series_table(value) if series else frame_table(value), rows)
    except Refused:
        text = json_fallback(value)
        if text is None:
            raise
        meta = _rows_meta(value, rows)
        return Encoded(ARROW, meta, lambda sink: sink.write(text.encode("ascii")))


def _rows_meta(value, rows):
    """Preview of a pandas value without Arrow."""
    frame = value.to_frame() if is_a(value, "pandas", "Series") else value
    coercion = Coercion()
    body = [coercion.value(list(row)) for row in frame.iloc[:MAX_ROWS].itertuples(False, None)]
    return {"preview": body, "rows": rows, "columns": [str(name) for name in frame.columns]}


def encode_table(table, rows=None):
    """A tagged Arrow table and its table preview: at most 20 rows, columns, schema."""
    from .pandas_frames import index_columns

    head = table.slice(0, MAX_ROWS)
    coercion = Coercion()
    columns = [_cells(head.column(i)) for i in range(head.num_columns)]
    index = set(index_columns(table))
    schema = []
    for field in table.schema:
        column = {"name": field.name, "dtype": str(field.type)}
        if field.name in index:
            column["index"] = True
        schema.append(column)
    meta = {
        "preview": [[coercion.value(item) for item in row] for row in zip(*columns)],
        "rows": table.num_rows if rows is None else rows,
        "columns": list(table.column_names),
        "schema": schema,
    }
    if coercion.truncated:
        meta["preview_truncated"] = True
    return _of_table(table, meta)


def _cells(column):
    if getattr(column.type, "extension_name", "").startswith("pandas."):
        # Periods and intervals, which Arrow treats as the numbers that store them.
        return [str(item) if item == item else None for item in column.to_pandas()]
    try:
        return column.to_pylist()
    except (ValueError, OverflowError, ImportError):
        # Nanoseconds or years beyond Python's datetime: use Arrow's own text.
        return [None if item is None else str(item) for item in column.cast("string").to_pylist()]


def _of_table(table, meta):
    def write(sink):
        from .arrow_tables import write_stream

        write_stream(table, sink)

    return Encoded(ARROW, meta, write, exact=PANDAS_LOSSY not in (table.schema.metadata or {}))


def _numpy(value, head):
    import numpy as np

    if isinstance(value, np.generic):
        meta = json_preview(value, {})
        if head:
            return Encoded(ARROW, meta, None)
        _require_pyarrow()
        from .arrow_tensors import numpy_scalar_table

        return _of_table(numpy_scalar_table(value), meta)
    if type(value) is not np.ndarray:
        raise Refused("subclass of ndarray")
    return _tensor(value, value, None, head)


def _torch(value, head):
    import torch

    if type(value) is not torch.Tensor or value.requires_grad or value.layout is not torch.strided:
        raise Refused("a tensor with data beyond its numbers")
    try:
        array = value.detach().cpu().numpy()
    except TypeError as error:  # bfloat16 and quantised types
        raise Refused(str(error)) from error
    return _tensor(array, value, "torch.Tensor", head)


def _dlpack(value, head):
    import numpy as np

    try:
        array = np.from_dlpack(value)
    except Exception as error:
        raise Refused(str(error)) from error
    return _tensor(array, value, None, head)


def _tensor(array, value, source, head):
    text = "%s shape=%s dtype=%s\n%s" % (
        type(value).__name__,
        tuple(array.shape),
        getattr(value, "dtype", array.dtype),
        repr_text(value),
    )
    if head:
        return Encoded(ARROW, {"preview": text}, None)
    _require_pyarrow()
    from .arrow_tensors import tensor_table

    return _of_table(tensor_table(array, source), {"preview": text})


def _json(value, head):
    if head:
        return Encoded(JSON, json_preview(value, {}), None) if is_likely_json(value) else None
    text = json_text(value)
    if text is None:
        return None
    return Encoded(JSON, json_preview(value, {}), lambda sink: sink.write(text.encode("ascii")))


def _module(value, _head):
    if type(value) is not type(sys):
        return None
    name = value.__name__
    if sys.modules.get(name) is not value:
        return None
    meta = {"preview": "<module '%s'>" % name}
    form = {"module_name": name}
    below = _imported_below(name)
    if below:
        form["submodules"] = below
    return Encoded(MODULE, meta, lambda sink: sink.write(dumps(form).encode("ascii")))


def _imported_below(name):
    """Submodules that `import a.b` of this cell or cells above loads: `import a` alone does not load `a.b`."""
    from .decode import imported_above

    below = set(imported_above.get(name, ()))
    if execute.running is not None and name + "." in execute.running.source:
        below.update(alias for alias in _imports(execute.running.source) if alias.startswith(name + "."))
    return sorted(below & set(sys.modules))


def _imports(source):
    import ast

    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name


def _shared(value, name):
    """Code of this or another cell, or an instance of its classes, as an Encoded; None for other values."""
    if execute.running is None or not (of_cells(value) or _defines(name)):
        return None
    from .code_sharing import current

    try:
        return current().encode(value, name)
    except SyntaxError:
        return None  # the source compiles only in parts, so its statements cannot be classified


def _defines(name):
    """Whether the source may define `name`, even if a decorator hides that the value is a definition."""
    if name is None:
        return False
    source = execute.running.source
    return "def " + name in source or "class " + name in source


def _pickle(value):
    meta = {"preview": class_text(value), "type": type(value).__name__}
    text = builtin_text(value, MAX_VARIABLE_TEXT)
    if text is not None:
        meta["text"] = text

    def write(sink):
        from .pickles import write_pickle

        meta["codec"] = write_pickle(value, sink, meta)

    return Encoded(PICKLE, meta, write)
