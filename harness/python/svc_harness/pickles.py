"""Pickles values that have no other format: with plain pickle if possible, with cloudpickle for cell definitions."""

import os
import sys

from .real_types import is_cell_module
from .remaking import reduce_instance, takes_part, try_reading
from .unstorable import CannotStore, explained, is_changed, refuse_changed

_PICKLE_DEPTH = 5000


class _OfCell(Exception):
    """A definition of the cell that plain pickle cannot store."""


def write_pickle(value, sink, meta=None):
    """Write `value` to `sink` (a ValueFile) and return the codec used. `meta` gets the injected values that readers
    need.

    Definitions of cells are referenced by their source (code_sharing.py) if it can be shared. Plain pickle would store
    all else in `__main__` by reference, which no other process can resolve, so it is pickled by value with cloudpickle.
    """
    needs = {}
    parts = []
    try:
        codec = _write(value, sink, needs, parts)
    except Exception as error:
        raise explained(error) from error
    if parts and getattr(sink, "path", None) is not None:
        try_reading(sink.path)
    if meta is not None and needs:
        meta["injected"] = needs
    return codec


def _write(value, sink, needs, parts):
    """`parts`: collects an instance whose class runs its own code when read."""
    import pickle

    class Plain(pickle.Pickler):
        def reducer_override(self, item):
            module = getattr(item, "__module__", None)
            if is_cell_module(module) or module == "typing":
                reduced = _reduce(item, needs)
                if reduced is not None:
                    return reduced
                if module == "__main__" and hasattr(item, "__qualname__"):
                    raise _OfCell(item.__qualname__)
                if not parts and takes_part(item):
                    parts.append(item)
                return reduce_instance(item)
            if is_changed(item):
                refuse_changed(item)
            return reduce_instance(item) if isinstance(item, BaseException) else NotImplemented

    # Pickling recurses twice per level of nesting; unpickling does not.
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _PICKLE_DEPTH))
    try:
        Plain(sink, protocol=5).dump(value)
        return "pickle"
    except Exception as error:
        plain_error = error
    finally:
        sys.setrecursionlimit(limit)
    sink.restart()
    needs.clear()
    try:
        import cloudpickle
    except ImportError:
        if isinstance(plain_error, _OfCell):
            raise CannotStore(
                "%s is defined in the cell, and storing such values needs cloudpickle, "
                "which this environment does not have: add the package cloudpickle" % plain_error
            ) from None
        raise plain_error from None

    class ByValue(cloudpickle.Pickler):
        def reducer_override(self, item):
            module = getattr(item, "__module__", None)
            if is_cell_module(module) or module == "typing":
                reduced = _reduce(item, needs)
                if reduced is None and not isinstance(item, type):
                    reduced = reduce_instance(item)
                    if not parts and takes_part(item):
                        parts.append(item)
                if reduced is not None and reduced is not NotImplemented:
                    return reduced
            if item is os.environ:
                return (environment, ())
            refuse_changed(item)
            if isinstance(item, BaseException):
                reduced = reduce_instance(item)
                if reduced is not NotImplemented:
                    return reduced
            return super().reducer_override(item)

    ByValue(sink, protocol=5).dump(value)
    return "cloudpickle"


def _reduce(item, needs):
    """How to recreate something a cell defines, or None; adds the values that readers need to `needs`.

    A class or function becomes a reference to the cell's shared code.
    """
    from . import execute

    if execute.running is None:
        return None
    from .code_sharing import reduce

    try:
        return reduce(item, needs)
    except SyntaxError:
        return None


def environment():
    """In pickles: `os.environ` of the reading cell. Setting variables of a copy would have no effect."""
    return os.environ


def read_pickle(path):
    import pickle

    with open(path, "rb", buffering=1 << 20) as file:
        return pickle.load(file)
