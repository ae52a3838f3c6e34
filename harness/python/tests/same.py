"""Strict equality of values: same class, same parts, same missing values. Used to check round trips."""

import types


def same(one, two):
    if one is two:
        return True
    kind = type(one)
    if kind is not type(two) and not _same_class_by_value(kind, type(two)):
        return False
    name = kind.__module__.partition(".")[0] + "." + kind.__name__
    compare = _BY_CLASS.get(name)
    if compare is not None:
        return compare(one, two)
    if kind in (list, tuple):
        # a plain loop: Python 3.12 has a smaller recursion limit for calls from C
        for left, right in zip(one, two):
            if not same(left, right):
                return False
        return len(one) == len(two)
    if isinstance(one, dict):
        return list(one) == list(two) and all(same(one[key], two[key]) for key in one)
    if kind in (float, complex):
        return repr(one) == repr(two)
    if kind is types.FunctionType:
        return one.__code__.co_code == two.__code__.co_code and one.__name__ == two.__name__
    if kind is type:
        return one.__name__ == two.__name__ and sorted(vars(one)) == sorted(vars(two))
    if one == two:
        return not hasattr(one, "tzinfo") or (repr(one) == repr(two))
    return repr(one) == repr(two) and "object at 0x" not in repr(one)


def _same_class_by_value(one, two):
    return one.__module__ == two.__module__ == "__main__" and one.__qualname__ == two.__qualname__


def _arrays(one, two):
    import numpy as np

    if one.dtype != two.dtype or one.shape != two.shape:
        return False
    if not two.flags.writeable or one.dtype.hasobject:
        return two.flags.writeable and same(one.tolist(), two.tolist())
    return np.array_equal(one.view(), two.view()) or repr(one.tolist()) == repr(two.tolist())


def _frames(one, two):
    import pandas as pd

    check = pd.testing.assert_series_equal if isinstance(one, pd.Series) else pd.testing.assert_frame_equal
    try:
        check(one, two, check_exact=True, check_freq=True, check_column_type="exact") if isinstance(
            one, pd.DataFrame
        ) else check(one, two, check_exact=True, check_freq=True)
    except AssertionError:
        return False
    columns = [(one, two)] if isinstance(one, pd.Series) else _columns(one, two)
    return one.attrs == two.attrs and all(_objects(a, b) for a, b in columns)


def _columns(one, two):
    return [(one.iloc[:, i], two.iloc[:, i]) for i in range(one.shape[1])]


def _objects(one, two):
    """assert_frame_equal accepts None for NaN, 1 for True, and arrays for lists in object columns."""
    return one.dtype != object or all(map(same, one.tolist(), two.tolist()))


def _polars(one, two):
    return one.equals(two, null_equal=True) and (
        one.schema == two.schema if hasattr(one, "schema") else (one.dtype, one.name) == (two.dtype, two.name)
    )


def _arrow(one, two):
    return one.equals(two, check_metadata=True)


_BY_CLASS = {
    "numpy.ndarray": _arrays,
    "numpy.MaskedArray": lambda one, two: repr(one) == repr(two),
    "pandas.DataFrame": _frames,
    "pandas.Series": _frames,
    "pandas.Index": lambda one, two: one.equals(two) and one.dtype == two.dtype,
    "pandas.Timestamp": lambda one, two: repr(one) == repr(two) and one.unit == two.unit,
    "polars.DataFrame": _polars,
    "polars.Series": _polars,
    "pyarrow.Table": _arrow,
    "pyarrow.RecordBatch": _arrow,
    "builtins.module": lambda one, two: one is two,
    "functools.partial": lambda one, two: one.args == two.args and one.func(1, 2) == two.func(1, 2),
    "builtins.ValueError": lambda one, two: one.args == two.args,
}
