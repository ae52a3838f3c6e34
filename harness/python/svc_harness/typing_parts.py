"""Pickles type variables, NewTypes and `type` aliases defined in cells.

They know the module that created them only by name, so pickle would look them up in the reading cell. They are
recreated instead, once in each process: a function's annotation and the variable it refers to stay the same object.
"""

_VARIABLES = ("TypeVar", "ParamSpec", "TypeVarTuple")
_OPTIONS = ("bound", "covariant", "contravariant", "infer_variance")
_made = {}


def reduce_typing_part(item):
    """The reduction of a typing object for pickle, or None for any other value."""
    kind = type(item)
    if kind.__module__ not in ("typing", "typing_extensions") or not _is_of_cell(item):
        return None
    if kind.__name__ == "NewType":
        return (make_new_type, (_origin(item), item.__name__, item.__supertype__))
    if kind.__name__ == "TypeAliasType":
        return (make_alias, (_origin(item), item.__name__, _value_of(item), item.__type_params__))
    if kind.__name__ in _VARIABLES:
        options = {key: getattr(item, "__%s__" % key) for key in _OPTIONS if getattr(item, "__%s__" % key, None)}
        if getattr(item, "has_default", bool)():
            options["default"] = item.__default__
        constraints = getattr(item, "__constraints__", ())
        return (make_type_variable, (_origin(item), kind.__name__, item.__name__, constraints, options))
    return None


def _is_of_cell(item):
    """Whether a cell created the object. Type parameters of `def f[T]` name typing as their module."""
    import typing

    module = getattr(item, "__module__", None)
    if module == "typing" and type(item).__name__ in _VARIABLES:
        return getattr(typing, item.__name__, None) is not item
    return module == "__main__"


def _value_of(alias):
    """The target of the alias, which Python evaluates lazily; raises CannotStore if it refers to the alias itself."""
    from .unstorable import CannotStore

    value = alias.__value__
    if _names(value, alias, 0):
        raise CannotStore(
            "the type alias `%s` refers to itself: define it in each cell that uses it" % alias.__name__
        )
    return value


def _names(value, alias, depth):
    if value is alias:
        return True
    parts = getattr(value, "__args__", ())
    return depth < 20 and type(parts) is tuple and any(_names(part, alias, depth + 1) for part in parts)


def _origin(item):
    """The cell that created the object, and its number among objects of that name; the same string in each run."""
    origin = _origins.get(id(item))
    if origin is not None:
        return origin[1]
    from . import execute

    running = execute.running  # None in a worker process of a pool
    cell = None if running is None else running.manifest.get("svc_cell_id")
    first = "%s %s" % (cell, item.__name__)
    origin = "%s %d" % (first, sum(1 for _, other in _origins.values() if other.startswith(first + " ")))
    _origins[id(item)] = (item, origin)
    return origin


_origins = {}  # id -> (the object, referenced so that its id is not reused, and its origin)


def _once(origin, parts, make):
    """The object of this origin and these parts, created on first use in this process."""
    key = (origin, repr(parts))
    if key not in _made:
        made = make()
        _made[key] = made
        _origins[id(made)] = (made, origin)
    return _made[key]


def make_new_type(origin, name, base):
    import typing

    def make():
        made = typing.NewType(name, base)
        made.__module__ = "__main__"
        return made

    return _once(origin, (name, base), make)


def make_type_variable(origin, kind, name, constraints, options):
    import typing

    def make():
        made = getattr(typing, kind)(name, *constraints, **options)
        made.__module__ = "__main__"
        return made

    return _once(origin, (kind, name, constraints, options), make)


def make_alias(origin, name, value, parameters):
    import typing

    # An alias takes its module from the calling code, and it cannot be changed.
    parts = {"make": typing.TypeAliasType, "name": name, "value": value, "parameters": parameters}
    parts["__name__"] = "__main__"
    return _once(origin, (name, value, parameters), lambda: eval("make(name, value, type_params=parameters)", parts))
