"""States of what belongs to a function, class or module, taken before a cell runs and compared with those after it."""

import types

from .content_digest import digest, is_immutable
from .looking import is_class


def remembers(name):
    """Whether a name shows that it is a cache: `_cache`."""
    return name.startswith("_") and ("cache" in name or "memo" in name)


def is_of_python(name):
    """What Python itself keeps on a class: `__doc__`, and of abstract classes and enumerations `_value2member_map_`."""
    return name.startswith("__") or name == "_abc_impl" or name.startswith("_") and name.endswith("_")


def _is_code(item):
    return is_class(item) or issubclass(type(item), (types.FunctionType, types.BuiltinFunctionType, types.ModuleType))


def state_of(item):
    """What `same_state` compares: (the object where it counts by identity, its repr, its Digest)"""
    if _is_code(item):
        return (item, None, None)
    if is_immutable(item):
        return (type(item), repr(item), None)
    return (None, None, digest(item))


def same_state(one, two):
    if one is None or two is None or one[0] is not two[0] or one[1] != two[1]:
        return False
    if one[2] is None or two[2] is None:
        return one[2] is two[2]
    return one[2].equals(two[2])
