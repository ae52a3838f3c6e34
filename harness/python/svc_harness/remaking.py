"""Reduces instances of classes defined in cells for pickling, and tests that they can be read back.

Pickle calls a class's `__new__` with fewer arguments than it may require, and sets items before attributes. If the
result is known without that call, it is skipped. If a class customises its own pickling, the storing cell tries to read
the pickle back, so that errors are shown where they can be fixed.
"""

import sys
import types

from .unstorable import CannotStore

_NOTHING = slice(None)
# Gets the plain value of a subclass instance, bypassing methods of the subclass.
_PLAIN = (
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
    (bytes, lambda value: bytes.__getitem__(value, _NOTHING)),
    (tuple, lambda value: tuple.__getitem__(value, _NOTHING)),
    (frozenset, frozenset.union),
)
_OWN_WAYS = frozenset(("__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__"))
# Methods of a class that may run when its instances are unpickled.
_TAKES_PART = _OWN_WAYS | {
    *("__new__", "__getstate__", "__setstate__", "__getattr__", "__getattribute__", "__setattr__"),
    *("__setitem__", "append", "extend", "__hash__"),
}


def reduce_instance(item):
    """The reduction of an exception or an instance of an immutable type; NotImplemented for other values."""
    kind = type(item)
    if isinstance(item, BaseException):
        return _reduce_exception(item)
    if not isinstance(kind.__new__, types.FunctionType) or _defines(kind, _OWN_WAYS):
        return NotImplemented
    for base, plain in _PLAIN:
        if isinstance(item, base):
            return (new_immutable, (kind, base, plain(item)), item.__reduce_ex__(4)[2])
    return NotImplemented


def _reduce_exception(item):
    """Includes the cause and context, which pickle omits."""
    kind = type(item)
    plain = kind.__reduce__ is BaseException.__reduce__ and kind.__reduce_ex__ is BaseException.__reduce_ex__
    if plain and isinstance(kind.__init__, types.FunctionType):
        reduced = (new_exception, (kind, item.args), vars(item) or None)
    else:
        reduced = NotImplemented
    chain = _chain(item) if kind.__setstate__ is BaseException.__setstate__ else {}
    if not chain:
        return reduced
    if reduced is NotImplemented:
        reduced = item.__reduce_ex__(5)
        if type(reduced) is not tuple or len(reduced) > 3 or type((*reduced, None)[2]) not in (dict, type(None)):
            return NotImplemented
    # `BaseException.__setstate__` sets attributes in this order.
    return (*reduced[:2], {**((*reduced, None)[2] or {}), **chain})


def _chain(item):
    chain = {}
    if item.__cause__ is not None:
        chain["__cause__"] = item.__cause__
    # The context may be any exception; if it cannot be stored, it is omitted.
    if item.__context__ is not None and (item.__context__ is item.__cause__ or _is_storable(item.__context__)):
        chain["__context__"] = item.__context__
    if item.__suppress_context__:
        chain["__suppress_context__"] = True
    return chain


def _is_storable(error):
    import pickle

    try:
        pickle.dumps(error, protocol=5)
    except Exception:
        return False
    return True


def _defines(kind, names):
    """Whether a base class written in Python defines one of these names."""
    return any(name in base.__dict__ for base in kind.__mro__ if base.__flags__ & _HEAP for name in names)


_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE: not one of the interpreter's own classes


def new_exception(kind, arguments):
    """In pickles: an exception with these `args`; its attributes are set afterwards."""
    return kind.__new__(kind, *arguments)


def new_immutable(kind, base, value):
    """In pickles: an instance of a subclass with this plain value; its attributes are set afterwards."""
    return base.__new__(kind, value)


def takes_part(item):
    """Whether the class of a cell's value has code that runs when it is unpickled."""
    kind = type(item)
    entry = _taking_part.get(id(kind))
    if entry is None:
        entry = _taking_part[id(kind)] = (_defines(kind, _TAKES_PART), kind)
    return entry[0]


_taking_part = {}  # id -> (result, the class, referenced so that its id is not reused)


def try_reading(path):
    """Read a pickle as another cell would, with the classes of this process.

    @raises CannotStore: reading it fails
    """
    import pickle

    class Reader(pickle.Unpickler):
        def find_class(self, module, name):
            if (module, name) == ("svc_harness.shared_modules", "resolve"):
                return _resolve_here
            return super().find_class(module, name)

    try:
        with open(path, "rb", buffering=1 << 20) as file:
            Reader(file).load()
    except Exception as error:
        raise CannotStore(
            "it can be written but not read again (%s: %s): give its class a `__reduce__` that creates an equal one, or "
            "store the plain data it was made from" % (type(error).__name__, error)
        ) from error


def _resolve_here(about, dotted, _keys):
    """Replaces `resolve` of shared_modules: the class or function of a slice in this process."""
    # A slice of another cell is a module in this process; the cell's own slice is `__main__`.
    value = sys.modules.get(about["module_name"], sys.modules["__main__"])
    for part in dotted.split("."):
        value = getattr(value, part)
    return value
