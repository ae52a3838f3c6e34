"""Converts numpy arrays and scalars, and torch and jax arrays, to a one-column Arrow table and back."""

from .arrow_meta import (
    SCALAR_DETAIL,
    SCALAR_TYPE,
    SHAPE,
    SOURCE,
    TENSOR_DTYPE,
    TENSOR_LAYOUT,
    TENSOR_SHAPE,
    Refused,
    entry,
    json_entry,
    tagged,
)
from .json_values import dumps

_ARROW_UNITS = ("s", "ms", "us", "ns")
_COARSE_UNITS = ("Y", "M", "W", "D", "h", "m")


class PrecisionNarrowed(Exception):
    """A 64-bit array that its library would silently truncate to 32 bits."""


def tensor_table(array, source=None):
    """Arrow table of a numpy array; `source` names the original library when it is not numpy."""
    import pyarrow as pa

    entries = {
        SHAPE: "tensor",
        TENSOR_SHAPE: dumps(list(array.shape)),
        TENSOR_DTYPE: array.dtype.str,
    }
    if source is not None:
        entries[SOURCE] = source
    else:
        layout = _layout(array)
        if layout:
            entries[TENSOR_LAYOUT] = dumps(layout)
    return tagged(pa.table({"values": _column(pa, array)}), entries)


def _layout(array):
    """Layout flags that the elements do not carry: column-major order, and read-only."""
    layout = {}
    if array.flags.f_contiguous and not array.flags.c_contiguous:
        layout["order"] = "F"
    if not array.flags.writeable:
        layout["writeable"] = False
    return layout


def numpy_scalar_table(value):
    import numpy as np
    import pyarrow as pa

    array = np.asarray(value).reshape(1)
    if type(array[0]) is not type(value):
        raise Refused("numpy scalar of class " + type(value).__name__)
    dtype = array.dtype.str
    if np.dtype(dtype).type is not type(value):
        dtype = array.dtype.char  # `longlong` has the same string as `int64`
    if array.dtype.kind in "US":
        # Every character: numpy's own conversions to str drop trailing NUL characters.
        plain = str.__getitem__ if array.dtype.kind == "U" else bytes.__getitem__
        column = _texts(pa, array.dtype.kind, [plain(value, slice(None))])
    else:
        column = _column(pa, array)
    entries = {SHAPE: "scalar", SCALAR_TYPE: "numpy", SCALAR_DETAIL: dumps(dtype)}
    return tagged(pa.table({"value": column}), entries)


def _column(pa, array):
    """Arrow array of the elements in C order; raises Refused for dtypes without an exact Arrow type."""
    import numpy as np

    flat = np.ascontiguousarray(array).reshape(-1)
    kind, size = flat.dtype.kind, flat.dtype.itemsize
    if flat.dtype.names is not None or flat.dtype.subdtype is not None:
        raise Refused("structured dtype")
    if flat.dtype.metadata is not None:
        raise Refused("dtype with metadata")
    if not flat.dtype.isnative:
        flat = flat.astype(flat.dtype.newbyteorder("="))
    if kind == "b" or kind in "iu" or (kind == "f" and size <= 8):
        return pa.array(flat, from_pandas=False)
    if kind == "c" and size <= 16:
        return pa.array(flat.view("f%d" % (size // 2)), from_pandas=False)
    if kind in "Mm":
        unit, step = np.datetime_data(flat.dtype)
        if step != 1 or unit not in _ARROW_UNITS + _COARSE_UNITS or (kind == "m" and unit in "YM"):
            raise Refused("dtype %s" % flat.dtype)
        if unit in _COARSE_UNITS:
            unit = "s"
            flat = _in_seconds(flat)
        target = pa.timestamp(unit) if kind == "M" else pa.duration(unit)
        missing = np.isnat(flat)
        numbers = pa.array(flat.view("i8"), mask=missing if missing.any() else None)
        return numbers.view(target)
    if kind in "US":
        return _texts(pa, kind, flat.tolist())
    raise Refused("dtype %s" % flat.dtype)


def _in_seconds(flat):
    """Convert days, hours and similar units to seconds; raises Refused on 64-bit overflow."""
    try:
        seconds = flat.astype("%s8[s]" % flat.dtype.kind)
        same = bool((seconds.astype(flat.dtype).view("i8") == flat.view("i8")).all())
    except OverflowError as error:
        raise Refused(str(error)) from error
    if not same:
        raise Refused("dates too far away to count in seconds")
    return seconds


def _texts(pa, kind, items):
    try:
        return pa.array(items, pa.string() if kind == "U" else pa.binary())
    except UnicodeEncodeError as error:
        raise Refused(str(error)) from error


def _elements(column, dtype):
    """The numpy elements of a column written by `_column`: an owned, writable array."""
    import numpy as np

    dtype = np.dtype(dtype)
    array = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if hasattr(array, "num_chunks"):  # older pyarrow returns a chunked array
        array = array.chunk(0) if array.num_chunks == 1 else _empty(array)
    if dtype.kind in "Mm":
        unit, _ = np.datetime_data(dtype)
        if unit in _COARSE_UNITS:
            unit = "s"
        numbers = array.view("int64")
        flat = numbers.fill_null(np.iinfo("i8").min).to_numpy(zero_copy_only=False)
        return flat.view("%s8[%s]" % (dtype.kind, unit)).astype(dtype)
    if dtype.kind in "US":
        return np.array(array.to_pylist(), dtype=dtype)
    flat = array.to_numpy(zero_copy_only=False)
    if dtype.kind == "c":
        flat = flat.view(dtype.newbyteorder("="))
    return np.array(flat, dtype=dtype, copy=True)


def _empty(chunked):
    import pyarrow as pa

    return pa.array([], chunked.type)


def read_tensor(table):
    """The array or tensor stored in a tensor table; a numpy array if the original library is missing."""
    metadata = table.schema.metadata
    shape = json_entry(metadata, TENSOR_SHAPE)
    array = _elements(table.column("values"), entry(metadata, TENSOR_DTYPE)).reshape(shape)
    source = entry(metadata, SOURCE)
    if source == "torch.Tensor":
        try:
            import torch
        except ImportError:
            return array
        return torch.from_numpy(array)
    if source == "jax.Array":
        try:
            import jax
        except ImportError:
            return array
        if array.dtype.itemsize // (2 if array.dtype.kind == "c" else 1) == 8 and array.dtype.kind in "iufc":
            if not jax.config.jax_enable_x64:
                raise PrecisionNarrowed(
                    "a %s jax array would be cut to 32 bits on reading: set JAX_ENABLE_X64=1 for this cell"
                    % array.dtype
                )
        return jax.numpy.asarray(array)
    return _laid_out(array, json_entry(metadata, TENSOR_LAYOUT) or {})


def _laid_out(array, layout):
    import numpy as np

    if layout.get("order") == "F":
        array = np.asfortranarray(array)
    if layout.get("writeable") is False:
        array.setflags(write=False)
    return array


def read_numpy_scalar(table):
    import numpy as np

    dtype = np.dtype(json_entry(table.schema.metadata, SCALAR_DETAIL))
    if dtype.kind in "US":
        return dtype.type(table.column("value")[0].as_py())
    value = _elements(table.column("value"), dtype)[0]
    return value if type(value) is dtype.type else dtype.type(value)
