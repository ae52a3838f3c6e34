"""Warnings for objects that are stored in two places: other cells get a separate copy in each."""

from .real_types import class_attribute, is_a, is_cell_module, is_class, package_of

_CONTAINERS = (list, dict, set, bytearray)
_MUTABLE = {
    "numpy": ("ndarray",),
    "pandas": ("DataFrame", "Series"),
    "collections": ("deque", "Counter", "defaultdict", "OrderedDict"),
}
_MAX_PARTS = 5000


def shared_warnings(namespace, variables, read):
    """Warnings for one object under two names; for names in `read`, which other cells use, also for shared parts.

    `variables`: from the result. Sharing within one value survives pickling, but not JSON.
    """
    exported = [name for name in variables if name != "_" and name in namespace]
    owners = {}
    for name in exported:
        value = namespace[name]
        if _is_mutable(value):
            owners.setdefault(id(value), []).append(name)
    for names in owners.values():
        for name in names[1:]:
            yield _same_object(names[0], name, namespace[name])
    firsts = [
        name
        for name in exported
        if name in read and "file" in variables[name] and owners.get(id(namespace[name]), [name])[0] == name
    ]
    yield from _shared_parts(namespace, firsts, variables)
    yield from _shared_memory([(name, namespace[name]) for name in firsts])


def _shared_parts(namespace, names, variables):
    """Objects that are part of two values, or of one value twice; each pair of names is reported once."""
    places = {id(namespace[name]): (name, name) for name in names if _is_mutable(namespace[name])}
    reported = set()
    for name in names:
        for place, part in _parts(namespace[name], name):
            other, at = places.setdefault(id(part), (name, place))
            if at == place or (other, name) in reported:
                continue
            if other != name or variables[name].get("content_type") == "json/object":
                reported.add((other, name))
                yield _shared_part(name, place, at)


def _shared_memory(values):
    """Arrays that use the memory of another value; each is reported once, with the first value it overlaps."""
    owners = {}
    for name, value in values:
        if is_a(value, "numpy", "ndarray") or type(value) is bytearray:
            others = owners.setdefault(id(_memory_of(value)), [])
            first = next((other for other, known in others if _overlap(known, value)), None)
            others.append((name, value))
            if first is not None:
                yield {
                    "var_name": name,
                    "message": "%s and %s share memory here; other cells get a copy of each." % (first, name),
                    "suggestion": "Use one of them in the other cells, or copy: %s = %s.copy()." % (name, name),
                }


def _memory_of(value):
    """The object that owns an array's memory: the array itself, or its base."""
    while True:
        below = value.obj if type(value) is memoryview else getattr(value, "base", None)
        if below is None:
            return value
        value = below


_MAX_OVERLAP_WORK = 10_000


def _overlap(one, other):
    """Whether two values of one memory block overlap; False if computing this takes too long."""
    if type(one) is bytearray or type(other) is bytearray:
        return True
    import numpy

    try:
        return numpy.shares_memory(one, other, max_work=_MAX_OVERLAP_WORK)
    except Exception:
        return False


def _parts(value, name):
    """(expression, part) for the mutable parts of containers and of objects of the cell's classes."""
    level = [(name, value)]
    visited = set()
    count = 0
    while level:
        path, item = level.pop()
        if id(item) in visited:
            continue
        visited.add(id(item))
        for below, part in _items(item, path):
            count += 1
            if count > _MAX_PARTS:
                return
            if _is_mutable(part) or type(part) is tuple:
                if type(part) is not tuple:
                    yield below, part
                level.append((below, part))


def _items(item, path):
    kind = type(item)
    if kind is dict:
        return [("%s[%s]" % (path, _key(key)), part) for key, part in _first(item.items())]
    if kind in (list, tuple):
        return [("%s[%d]" % (path, at), part) for at, part in enumerate(item[:_MAX_PARTS])]
    if is_cell_module(kind.__module__) and not is_class(item):
        try:
            fields = object.__getattribute__(item, "__dict__")
        except AttributeError:
            return []
        return [("%s.%s" % (path, key), part) for key, part in _first(fields.items())]
    return []


def _first(items):
    return [pair for pair, _ in zip(items, range(_MAX_PARTS))]


def _key(key):
    text = repr(key) if type(key) in (str, int, float, bool) else "…"
    return text if len(text) <= 40 else "…"


def _is_mutable(value):
    kind = type(value)
    if kind in _CONTAINERS:
        return True
    if is_class(value) or callable(value):
        return False
    if is_cell_module(kind.__module__):
        # Members of an enumeration are singletons; frozen classes set attributes in their own way.
        plain = type(kind).__name__ in ("type", "ABCMeta")
        return plain and class_attribute(kind, "__setattr__") is object.__setattr__
    return kind.__name__ in _MUTABLE.get(package_of(kind), ())


def _same_object(first, name, value):
    return {
        "var_name": name,
        "message": "%s and %s are the same object here; other cells get a copy of each." % (first, name),
        "suggestion": "Use one name, or copy: %s = %s.copy()." % (name, first)
        if class_attribute(type(value), "copy")
        else "Use one name.",
    }


def _shared_part(name, place, at):
    return {
        "var_name": name,
        "message": "%s and %s are the same object here; other cells get a copy in each place." % (at, place),
        "suggestion": "Read it from one place in the other cells, or put a copy into one of them.",
    }
