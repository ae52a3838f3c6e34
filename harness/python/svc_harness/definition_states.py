"""State of functions and classes that their source does not show: attributes, default values, closures.

Recorded before and after a cell runs (slice_watch.py). Members of an enumeration are pickled by name, so their
attributes count as attributes of the class.
"""

import types

from .code_state import is_of_python, remembers, same_state, state_of
from .real_types import class_attribute, is_class, is_definition

# Depth limit for methods, wrapped functions and nested classes.
_MAX_DEPTH = 4
_METHODS = (types.FunctionType, staticmethod, classmethod, property)


class DefinitionStates:
    """The states of one slice's definitions at construction time.

    `states`: {(name for messages, id of the owner): state}. `is_cut`: there were more than `most`.
    """

    def __init__(self, module_name, definitions, most):
        self.states = {}
        self.is_cut = False
        self._module_name, self._most = module_name, most
        for written, value in definitions.items():
            self._add(value, written, 0)

    def changed_since(self, before):
        """Names of what was added, removed or changed, without duplicates."""
        keys = before.states.keys() & self.states.keys() if before.is_cut or self.is_cut else None
        changes = {}
        for key in {**before.states, **self.states} if keys is None else keys:
            if not same_state(before.states.get(key), self.states.get(key)):
                changes[key[0]] = True
        return list(changes)

    def _note(self, written, holder, item):
        if len(self.states) >= self._most:
            self.is_cut = True
        else:
            self.states[written, id(holder)] = state_of(dict(item) if type(item) is types.MappingProxyType else item)

    def _add(self, value, written, depth):
        if depth > _MAX_DEPTH or self.is_cut:
            return
        if is_class(value):
            self._add_class(value, written, depth)
            return
        for name, item in _fields(value):
            if name == "__wrapped__":
                self._add_code(item, written, depth)
            elif not (is_of_python(name) or remembers(name)):
                self._note("%s.%s" % (written, name), value, item)
        if type(value) is types.FunctionType:
            self._add_function(value, written, depth)

    def _add_class(self, kind, written, depth):
        members = _members(kind)
        if "_abc_impl" in vars(kind):
            self._note("the classes registered with %s" % written, kind, _registered(kind))
        for name, item in list(vars(kind).items()):
            below = "%s.%s" % (written, name)
            if name in members:
                continue
            if self._add_code(item, below, depth):
                if not is_of_python(name) or type(item) in _METHODS and not name.startswith("__annot"):
                    self._note(below, kind, _first(item))
            elif not (is_of_python(name) or remembers(name) or _fills_itself(item)):
                self._note(below, kind, item)
        for member_name, member in members.items():
            for name, item in _fields(member):
                if not is_of_python(name):
                    self._note("%s.%s.%s" % (written, member_name, name), member, item)

    def _add_function(self, function, written, depth):
        defaults = (function.__defaults__, function.__kwdefaults__)
        if defaults != (None, None):
            self._note("the default values of %s" % written, function, defaults)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            try:
                item = cell.cell_contents
            except ValueError:
                continue  # not bound yet
            if name == "__class__" or "cache" in name or "memo" in name:
                continue
            if not self._add_code(item, written, depth) and not _fills_itself(item):
                self._note("the variable %s of %s" % (name, written), function, item)

    def _add_code(self, item, written, depth):
        """Whether an item is a function, method or class; its contents are added if it belongs to the same slice."""
        part = _first(item)
        if not is_definition(part):
            return False
        for one in (part,) if type(item) is not property else (item.fget, item.fset, item.fdel):
            if one is not None and _module_of(one) == self._module_name:
                self._add(one, written, depth + 1)
        return True


def _first(item):
    """The function behind any kind of method; other items are returned unchanged."""
    if type(item) in (staticmethod, classmethod):
        return item.__func__
    return item.fget if type(item) is property else item


def _module_of(definition):
    if is_class(definition) or type(definition) is types.FunctionType:
        return definition.__module__
    return dict(_fields(definition)).get("__module__")


def _registered(kind):
    """The names of the virtual subclasses registered with an abstract class."""
    try:
        from _abc import _get_dump
    except ImportError:
        return ()  # an interpreter whose `abc` is implemented in Python
    classes = (reference() for reference in _get_dump(kind)[0])
    return tuple(sorted("%s.%s" % (one.__module__, one.__qualname__) for one in classes if one is not None))


def _members(kind):
    """The members of an enumeration by name, without aliases."""
    members = vars(kind).get("_member_map_")
    if type(members) is not dict:
        return {}
    return {name: member for name, member in members.items() if dict(_fields(member)).get("_name_") == name}


def _fields(value):
    try:
        fields = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return ()
    return list(fields.items()) if type(fields) is dict else ()


def _fills_itself(item):
    """Whether a descriptor of a library changes on first use, such as the column of an ORM."""
    return class_attribute(type(item), "__get__") is not None
