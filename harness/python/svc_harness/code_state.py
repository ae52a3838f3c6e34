"""What a cell changed on the classes and functions it got from other cells: they travel as source, so it is lost."""

import types

from .content_digest import digest, is_immutable
from .looking import is_class
from .shared_modules import opened_of


class CodeState:
    """The attributes of one class or function, as they were when this was made."""

    def __init__(self, name, value):
        self._name, self._value = name, value
        self._before = _states(value)

    def changed(self):
        """Names that are new, removed or changed, as a cell writes them: `Model.rate`."""
        before, after = self._before, _states(self._value)
        names = list(before) + [name for name in after if name not in before]
        return [self._written(name) for name in names if not same_state(before.get(name), after.get(name))]

    def _written(self, name):
        return "the default values of %s" % self._name if name == _DEFAULTS else "%s.%s" % (self._name, name)


_DEFAULTS = "__defaults__"


def is_shared_code(value):
    return opened_of(value) is not None


def values_used(value):
    """{name: value} of the module-level values that code of another cell uses, and {name: spec} of what was given."""
    opened = opened_of(value)[0]
    used = {
        name: item
        for name, item in vars(opened.module).items()
        if not name.startswith("__") and not _is_code(item) and not remembers(name) and not is_immutable(item)
    }
    return used, opened


def remembers(name):
    """Whether a name shows that it is a cache: `_cache`."""
    return name.startswith("_") and ("cache" in name or "memo" in name)


def _states(value):
    states = {}
    for name, item in list(vars(value).items()):
        if not (_is_of_python(name) or remembers(name)):
            states[name] = state_of(item)
    if type(value) is types.FunctionType:
        states[_DEFAULTS] = state_of((value.__defaults__, value.__kwdefaults__))
    return states


def _is_of_python(name):
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
