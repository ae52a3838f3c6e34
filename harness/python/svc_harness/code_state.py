"""State of what belongs to a function, class or module, to compare before and after a cell runs."""

import types

from .content_digest import digest, is_immutable
from .real_types import is_class


def remembers(name):
    """Whether a name denotes a cache by convention: `_cache`."""
    return name.startswith("_") and ("cache" in name or "memo" in name)


def is_of_python(name):
    """Whether Python itself manages this class attribute: `__doc__`, or `_value2member_map_` of an enumeration."""
    return name.startswith("__") or name == "_abc_impl" or name.startswith("_") and name.endswith("_")


def _is_code(item):
    return is_class(item) or issubclass(type(item), (types.FunctionType, types.BuiltinFunctionType, types.ModuleType))


def state_of(item):
    """State for `same_state`: (the object if it is compared by identity, its repr, its Digest)."""
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
