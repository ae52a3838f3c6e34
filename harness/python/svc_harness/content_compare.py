"""Compares a value whose digest changed with a fresh copy of the input, to confirm that it really changed.

Values are compared part by part. Side effects of reading a value do not count as changes: filled caches, or a set
with another iteration order.
"""

from .content_digest import digest, fields_of, same_held, special_of
from .real_types import class_attribute, package_of

_SCALARS = frozenset((int, str, bool, bytes, type(None), range, bytearray))
_MAX_NODES = 300_000
# Attributes that pandas computes lazily.
_LAZY = frozenset(("_cache", "_item_cache", "_cacher", "_engine"))


def is_same(fresh, now):
    """Whether `now` equals the fresh copy. A value too large to compare counts as changed, as its digest did."""
    compare = _Compare()
    try:
        return compare.same(fresh, now)
    except (RecursionError, _TooLarge):
        return False


class _TooLarge(Exception):
    pass


class _Compare:
    def __init__(self):
        self._pairs = {}
        self._nodes = 0

    def same(self, one, two):
        if one is two:
            return True
        kind = type(one)
        if kind is not type(two):
            return False
        if kind in _SCALARS:
            return one == two
        if kind in (float, complex):
            return one == two or repr(one) == repr(two)
        self._nodes += 1
        if self._nodes > _MAX_NODES:
            raise _TooLarge
        pair = (id(one), id(two))
        if pair in self._pairs:
            return True  # being compared, or found equal
        self._pairs[pair] = (one, two)  # keeps the objects alive: an address must not be reused
        if kind in (list, tuple):
            return self._items(one, two)
        if kind is dict:
            return self._items(list(one), list(two)) and self._items(list(one.values()), list(two.values()))
        if kind in (set, frozenset):
            return one == two or (len(one) == len(two) and _digests(one) == _digests(two))
        return self._object(one, two, kind)

    def _items(self, one, two):
        return len(one) == len(two) and all(self.same(a, b) for a, b in zip(one, two))

    def _object(self, one, two, kind):
        package = package_of(kind)
        if package == "numpy" and kind.__name__ == "ndarray":
            return self._arrays(one, two)
        special = special_of(kind)
        if special is not None:
            first, second = [], []
            parts = special(one, first)[1], special(two, second)[1]
            return self.same(*parts) and len(first) == len(second) and all(map(same_held, first, second))
        return self._reduced(one, two, kind)

    def _arrays(self, one, two):
        if one.shape != two.shape or one.dtype != two.dtype:
            return False
        if one.dtype.hasobject:
            return self._items(one.ravel().tolist(), two.ravel().tolist())
        return one.tobytes() == two.tobytes()

    def _reduced(self, one, two, kind):
        """Compare by the state that pickle would store."""
        try:
            first, second = one.__reduce_ex__(4), two.__reduce_ex__(4)
        except Exception:
            first, second = (fields_of(one),), (fields_of(two),)
        if type(first) is str or type(second) is str:
            return first == second
        return self._items(*([_part(part, at, kind) for at, part in enumerate(whole)] for whole in (first, second)))


def _part(part, at, kind):
    """One element of the result of `__reduce_ex__`; from the fourth on they are iterators of items."""
    if at > 2:
        return part if part is None or callable(part) else list(part)
    if part is None and at == 2:
        return {}  # an object without attributes so far
    if type(part) is dict:
        return _without_caches(part, kind)
    if type(part) is tuple and len(part) == 2 and all(item is None or type(item) is dict for item in part):
        return tuple(_without_caches(item or {}, kind) for item in part)
    return part


def _without_caches(fields, kind):
    return {name: value for name, value in fields.items() if not (type(name) is str and _is_cache(name, kind))}


def _is_cache(name, kind):
    """Whether an attribute only caches a computed value: a functools.cached_property, or named as a cache."""
    if name in _LAZY or name.startswith("_") and ("cache" in name or "memo" in name):
        return True
    attribute = class_attribute(kind, name)
    return attribute is not None and hasattr(type(attribute), "__get__") and not callable(attribute) and not hasattr(type(attribute), "__set__")


def _digests(items):
    digests = [digest(item) for item in items]
    return sorted(one.content if one is not None else 0 for one in digests)
