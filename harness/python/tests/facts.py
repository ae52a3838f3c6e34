"""Describes a value as plain text for comparison: class, dtype, index, names, order, flags, recursively.

Stricter than `==`: 1 and True differ, None and NaN differ, a numeric index and one of periods differ. Both sides of a
round trip are described separately, so nothing is compared with itself.
"""

import sys


def facts(value):
    """A nested tuple of strings. Equal for two values only if a cell could not distinguish them."""
    return _Facts().of(value)


class _Facts:
    def __init__(self):
        self.open = {}

    def of(self, value):
        kind = type(value)
        if id(value) in self.open and not isinstance(value, (int, str, bytes, float, type(None))):
            return ("the value %d levels up" % (len(self.open) - self.open[id(value)]),)
        self.open[id(value)] = len(self.open)
        try:
            return (_class(kind), *self.parts(value, kind))
        finally:
            del self.open[id(value)]

    def each(self, values):
        return tuple(self.of(item) for item in values)

    def parts(self, value, kind):
        for base in kind.__mro__:
            name = "%s.%s" % ((base.__module__ or "").partition(".")[0], base.__name__)
            describe = _BY_CLASS.get(name)
            if describe is not None:
                return describe(self, value)
        fields = self.fields(value)
        if kind.__repr__ is object.__repr__ or " at 0x" in repr(value):
            return ("fields", *fields)
        return (repr(value), *fields)

    def fields(self, value):
        """Attributes of the instance itself."""
        found = []
        if isinstance(getattr(value, "__dict__", None), dict):
            found = [(name, self.of(item)) for name, item in sorted(vars(value).items()) if not name.startswith("_")]
        for base in type(value).__mro__:
            for name in base.__dict__.get("__slots__", ()) if base.__module__ == "__main__" else ():
                found.append((name, self.of(getattr(value, name)) if hasattr(value, name) else "unset"))
        return tuple(found)


def _class(kind):
    module = kind.__module__ or ""
    return "%s.%s" % ("cell" if module == "__main__" or module.startswith("nb_") else module, kind.__qualname__)


# Built-in types


def _mapping(at, value):
    extra = tuple(repr(getattr(value, name)) for name in ("default_factory",) if hasattr(value, name))
    return (*extra, *((at.of(key), at.of(item)) for key, item in value.items()), *at.fields(value))


def _sequence(at, value):
    extra = (repr(value.maxlen),) if hasattr(value, "maxlen") else ()
    return (*extra, *at.each(value), *at.fields(value))


def _set(at, value):
    return (*sorted(at.each(value), key=repr), *at.fields(value))


def _time(_at, value):
    zone = value.tzinfo
    return (repr(value), repr(value.fold), repr(zone), type(zone).__name__)


def _exception(at, value):
    return (at.of(value.args), *at.fields(value), repr(getattr(value, "__notes__", None)))


def _class_facts(_at, value):
    return (_class(value), *sorted(name for name in vars(value) if not name.startswith("__")))


def _function(_at, value):
    module = value.__module__ or ""
    where = "cell" if module == "__main__" or module.startswith("nb_") else module
    return (where, value.__qualname__, value.__code__.co_code.hex(), repr(value.__defaults__))


def _partial(at, value):
    return (at.of(value.func), at.of(value.args), at.of(value.keywords), *at.fields(value))


# numpy


def _array(at, value):
    import numpy as np

    plain = np.asarray(value)
    if value.dtype.hasobject:
        elements = at.of(plain.tolist())
    elif value.dtype.names is not None:
        elements = repr(plain.tolist())
    else:
        elements = np.ascontiguousarray(plain).tobytes().hex()
    mask = ()
    if isinstance(value, np.ma.MaskedArray):
        mask = (repr(np.ma.getmaskarray(value).tolist()), repr(value.fill_value), repr(value._hardmask))
    order = "F" if value.flags.f_contiguous and not value.flags.c_contiguous else "C"
    return (repr(value.dtype), repr(value.dtype.metadata), repr(value.shape), elements, order, repr(value.flags.writeable), *mask)


def _numpy_scalar(at, value):
    if value.dtype.hasobject:
        return (repr(value.dtype), at.of(value.tolist()))
    return (repr(value.dtype), value.tobytes().hex(), repr(value))


# pandas


def _index(at, value):
    import pandas as pd

    names = at.each(value.names)
    if isinstance(value, pd.MultiIndex):
        # Unused levels are part of the value: that is why `remove_unused_levels` exists.
        levels = tuple(_part(at, level) for level in value.levels)
        return (names, levels, repr([list(map(int, code)) for code in value.codes]))
    if isinstance(value, pd.RangeIndex):
        return (names, repr((value.start, value.stop, value.step)))
    freq = repr(getattr(value, "freqstr", None))
    return (names, _dtype(at, value.dtype), freq, _cells(at, value))


def _dtype(at, dtype):
    import pandas as pd

    if isinstance(dtype, pd.CategoricalDtype):
        return ("category", _part(at, dtype.categories), repr(dtype.ordered))
    return (type(dtype).__name__, repr(dtype), type(getattr(dtype, "tz", None)).__name__)


def _part(at, index):
    """Levels and categories: pandas may convert a range to plain integers, and drops a frequency."""
    kind = "integers" if type(index).__name__ in ("RangeIndex", "Index") else type(index).__name__
    return (kind, at.of(index.name), _dtype(at, index.dtype), _cells(at, index))


def _cells(at, values):
    import numpy as np

    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "biufcmM":
        return np.ascontiguousarray(values.to_numpy()).tobytes().hex()
    array = values.array
    if hasattr(array, "codes"):
        return repr(list(map(int, array.codes)))
    return at.each(array)


def _frame(at, value):
    columns = (value.iloc[:, i] for i in range(value.shape[1]))
    return (
        at.of(value.index),
        at.of(value.columns),
        tuple((_dtype(at, column.dtype), _cells(at, column)) for column in columns),
        at.of(value.attrs),
        repr(value.flags.allows_duplicate_labels),
    )


def _series(at, value):
    return (
        at.of(value.index),
        at.of(value.name),
        _dtype(at, value.dtype),
        _cells(at, value),
        at.of(value.attrs),
        repr(value.flags.allows_duplicate_labels),
    )


def _extension_array(at, value):
    return (_dtype(at, value.dtype), _cells(at, type(sys.modules["pandas"].Series())(value)))


def _timestamp(_at, value):
    return (repr(value), value.unit, repr(value.fold), repr(value.tzinfo), type(value.tzinfo).__name__)


def _timedelta(_at, value):
    return (repr(value), value.unit)


# polars, pyarrow, scipy


def _polars_frame(at, value):
    return (repr(value.schema), repr(value.shape), *(at.each(value.to_series(i).to_list()) for i in range(value.width)))


def _polars_series(at, value):
    return (repr(value.dtype), repr(value.name), at.each(value.to_list()))


def _arrow_table(at, value):
    return (value.schema.to_string(show_schema_metadata=True, show_field_metadata=True), repr(value.num_rows),
            *(at.of(value.column(i)) for i in range(value.num_columns)))


def _arrow_column(at, value):
    return (str(value.type), repr(len(value)), repr(value.to_pylist()))


def _sparse(at, value):
    return (value.format, repr(value.shape), repr(value.dtype), repr(value.toarray().tolist()))


_BY_CLASS = {
    "builtins.dict": _mapping,
    "builtins.list": _sequence,
    "builtins.tuple": _sequence,
    "collections.deque": _sequence,
    "collections.UserDict": lambda at, value: at.fields(value),
    "builtins.set": _set,
    "builtins.frozenset": _set,
    "builtins.type": _class_facts,
    "builtins.function": _function,
    "builtins.BaseException": _exception,
    "builtins.bytearray": lambda at, value: (bytes(value).hex(),),
    "builtins.int": lambda at, value: (hex(value), *at.fields(value)),
    "enum.Enum": lambda at, value: (repr(value),),
    "functools.partial": _partial,
    "datetime.time": _time,
    "decimal.Decimal": lambda at, value: (repr(value),),
    "numpy.ndarray": _array,
    "numpy.generic": _numpy_scalar,
    "pandas.Timestamp": _timestamp,
    "pandas.Timedelta": _timedelta,
    "pandas.NaTType": lambda at, value: (),
    "datetime.datetime": _time,
    "pandas.Index": _index,
    "pandas.DataFrame": _frame,
    "pandas.Series": _series,
    "pandas.ExtensionArray": _extension_array,
    "polars.DataFrame": _polars_frame,
    "polars.Series": _polars_series,
    "polars.LazyFrame": lambda at, value: (value.explain(),),
    "pyarrow.Table": _arrow_table,
    "pyarrow.RecordBatch": _arrow_table,
    "pyarrow.ChunkedArray": _arrow_column,
    "pyarrow.Array": _arrow_column,
    "scipy.sparray": _sparse,
    "scipy.spmatrix": _sparse,
    "scipy._spbase": _sparse,
}
