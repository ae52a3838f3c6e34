"""How instances of cells' classes are made again, and whether they can be.

Pickle calls a class's own `__new__` with less than it may ask for, and sets items before attributes. Where the
result is known without that call, it is not made; where a class takes part in its own pickling, the cell that
gives the value tries what the reading cell would do, so that the failure is shown where it can be fixed.
"""

import sys
import types

from .unstorable import CannotStore

_NOTHING = slice(None)
# The plain value inside an instance of a subclass, whatever the subclass answers.
_PLAIN = (
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
    (bytes, lambda value: bytes.__getitem__(value, _NOTHING)),
    (tuple, lambda value: tuple.__getitem__(value, _NOTHING)),
    (frozenset, frozenset.union),
)
_OWN_WAYS = frozenset(("__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__"))
# What of a class runs when its instances are read.
_TAKES_PART = _OWN_WAYS | {
    *("__new__", "__getstate__", "__setstate__", "__getattr__", "__getattribute__", "__setattr__"),
    *("__setitem__", "append", "extend", "__hash__"),
}


def reduce_instance(item):
    """What pickle makes an exception or an instance of an immutable kind again of; NotImplemented for the rest."""
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
    """With its cause and context, which pickle leaves out."""
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
    # What failed before may be any exception at all; one that cannot be stored does not keep this one from it.
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
    """Whether a class of Python code among the bases has one of these names."""
    return any(name in base.__dict__ for base in kind.__mro__ if base.__flags__ & _HEAP for name in names)


_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE: not one of the interpreter's own classes


def new_exception(kind, arguments):
    """In pickles: an exception with these `args`; its attributes follow."""
    return kind.__new__(kind, *arguments)


def new_immutable(kind, base, value):
    """In pickles: an instance of a subclass that is this plain value; its attributes follow."""
    return base.__new__(kind, value)


def takes_part(item):
    """Whether the class of a cell's value has code that runs when it is read."""
    kind = type(item)
    known = _taking_part.get(id(kind))
    if known is None:
        known = _taking_part[id(kind)] = (_defines(kind, _TAKES_PART), kind)
    return known[0]


_taking_part = {}  # id -> (whether it does, the class, which is held so that no other takes its id)


def try_reading(path):
    """Read a pickle as another cell would, with the classes of this process.

    @raises CannotStore: what reading it raises
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
            "it can be written but not read again (%s: %s): give its class a `__reduce__` that makes an equal one, or "
            "store the plain data it was made from" % (type(error).__name__, error)
        ) from error


def _resolve_here(about, dotted, _keys):
    """What `resolve` of shared_modules gives in another process: a class or function of a slice."""
    # A slice of another cell is a module here; that of this cell is what runs.
    value = sys.modules.get(about["module_name"], sys.modules["__main__"])
    for part in dotted.split("."):
        value = getattr(value, part)
    return value
