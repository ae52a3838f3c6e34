"""Warnings about changes other cells will not see (semantics 6.2): sampled, so they cost little.

A fingerprint is a small list of parts of a value taken before the cell runs. Parts are compared by
identity or, for scalars and sampled bytes, by equality. A change between two samples goes unnoticed.
"""

from .looking import class_attribute, is_class, package_of

_SCALARS = (int, float, str, bool, bytes, complex, type(None))
_SAMPLES = 64
_COLUMNS = 64


def fingerprint(value, depth=1):
    """Parts of `value` that change when it is changed in place, or None when it cannot be (or is not known)."""
    kind = type(value)
    if kind is list:
        return [len(value)] + [_part(item, depth) for item in _some(value)]
    if kind is dict:
        keys = _some(list(value)) if len(value) <= 100_000 else []
        return [len(value)] + [(key, _part(value[key], depth)) for key in keys]
    if kind is set:
        return [len(value), hash(frozenset(value)) if len(value) <= 10_000 else 0]
    if kind is bytearray:
        return [len(value), bytes(value[:: max(1, len(value) // _SAMPLES)])]
    root = package_of(kind)
    if root == "numpy" and kind.__name__ == "ndarray":
        return _array(value)
    if root == "pandas" and kind.__name__ in ("DataFrame", "Series"):
        return _pandas(value)
    if hasattr(value, "__dict__") and not is_class(value) and root not in _OPAQUE and depth:
        return _parts_of_object(value, depth)
    return None


# Objects of these change themselves when they are only looked at (caches, lazy parts), or are modules.
_OPAQUE = ("builtins", "matplotlib", "pandas", "polars", "pyarrow", "torch", "jax", "sklearn", "PIL")


def _parts_of_object(value, depth):
    fields = vars(value)
    return [len(fields)] + [(name, _part(fields[name], depth)) for name in list(fields)[:_SAMPLES]]


def _part(item, depth):
    if type(item) in _SCALARS:
        return item
    inner = fingerprint(item, depth - 1) if depth > 0 else None
    return _Held(item, inner)


class _Held:
    """A part compared by identity, holding the object so that its address is not used again."""

    __slots__ = ("item", "inner")

    def __init__(self, item, inner):
        self.item = item
        self.inner = inner

    def __eq__(self, other):
        return type(other) is _Held and self.item is other.item and same_parts(self.inner, other.inner)

    __hash__ = None


def _some(items):
    size = len(items)
    if size <= _SAMPLES:
        return items
    step = size // (_SAMPLES // 2)
    return items[: _SAMPLES // 4] + items[::step] + items[-_SAMPLES // 4 :]


def _array(value):
    if value.dtype.hasobject:
        flat = value.reshape(-1) if value.flags.c_contiguous else value.ravel()[:_SAMPLES]
        return [value.shape] + [_Held(item, None) for item in flat[:_SAMPLES].tolist()]
    return [value.shape, value.dtype.str, _sample_bytes(value)]


def _sample_bytes(array):
    """Bytes of about 64 elements spread over the first axis."""
    size = array.shape[0] if array.ndim else 0
    if not size:
        return array.tobytes()[:64]
    step = max(1, size // _SAMPLES)
    picked = array[::step]
    if picked.nbytes > 1 << 16:
        picked = picked.reshape(picked.shape[0], -1)[:, :_SAMPLES]
    return picked.tobytes()


def _pandas(value):
    series = type(value).__name__ == "Series"
    parts = [value.shape]
    if not series:
        parts.append([str(label) for label in value.columns[:1000]])
    for position in range(1 if series else min(_COLUMNS, value.shape[1])):
        column = value if series else value.iloc[:, position]
        step = max(1, len(column) // _SAMPLES)
        picked = column.iloc[::step]
        parts.append(str(column.dtype))
        array = picked.to_numpy() if picked.dtype.kind in "biufcmM" else None
        if array is not None and not array.dtype.hasobject:
            parts.append(array.tobytes())
        else:
            parts.append([str(item) for item in picked.tolist()])
    return parts


def same_parts(one, two):
    """Whether two fingerprints show no change."""
    try:
        return bool(one == two) or repr(one) == repr(two)
    except Exception:  # parts whose own comparison raises: say nothing rather than something wrong
        return True


class MutationWatch:
    """Fingerprints of the inputs taken before the cell, and the warnings due after it."""

    def __init__(self, inputs):
        self._before = {}
        for name, value in inputs.items():
            try:
                parts = fingerprint(value)
            except Exception:
                continue  # a value that cannot be looked at is not watched
            if parts is not None:
                self._before[name] = (value, parts)

    def warnings(self, inputs, namespace, exported):
        """Warnings for deleted inputs, unexported changes, and outputs that share one mutable object."""
        found = []
        for name, value in inputs.items():
            if name not in namespace:
                found.append(
                    _warning(
                        name,
                        "%s was deleted here; other cells still see it" % name,
                        "Deleting an input frees memory in this cell only.",
                    )
                )
            elif name in self._before and name not in exported and self._changed(name):
                found.append(
                    _warning(
                        name,
                        "%s was changed in place; other cells still see it as it was" % name,
                        "Assign the result: %s = %s.copy(), then change it." % (name, name)
                        if class_attribute(type(value), "copy")
                        else "Assign the changed value to a name.",
                    )
                )
        found.extend(_shared(namespace, exported))
        return found

    def _changed(self, name):
        value, parts = self._before[name]
        try:
            return not same_parts(parts, fingerprint(value))
        except Exception:
            return False


def _shared(namespace, exported):
    owners = {}
    for name in exported:
        value = namespace[name]
        if _is_mutable(value):
            owners.setdefault(id(value), []).append(name)
    for names in owners.values():
        value = namespace[names[0]]
        for name in names[1:]:
            yield _warning(
                name,
                "%s and %s are the same object here; other cells get a copy of each" % (names[0], name),
                "Use one name, or copy: %s = %s.copy()." % (name, names[0])
                if class_attribute(type(value), "copy")
                else None,
            )


def _is_mutable(value):
    kind = type(value)
    if kind in (list, dict, set, bytearray):
        return True
    if is_class(value) or callable(value):
        return False
    return (package_of(kind), kind.__name__) in (("numpy", "ndarray"), ("pandas", "DataFrame"), ("pandas", "Series"))


def _warning(name, message, suggestion):
    return {"var_name": name, "message": message, "suggestion": suggestion}
