"""Inspects values without running their code: objects may report a wrong class or raise on attribute access.

All functions use the real type, `type(value)`, never `__class__` or `__getattr__`.
"""

import sys
import types


def is_class(value):
    return issubclass(type(value), type)


def is_definition(value):
    """Whether the value is a class, a function, or a decorated function (marked by functools.wraps)."""
    if is_class(value) or type(value) is types.FunctionType:
        return True
    fields = _fields(value)
    return fields is not None and "__qualname__" in fields and "__module__" in fields


def of_cells(value):
    """Whether a value or its class is marked as defined in a cell."""
    module = type(value).__module__
    if not is_cell_module(module):
        if is_class(value) or type(value) is types.FunctionType:
            module = value.__module__
        else:
            module = (_fields(value) or {}).get("__module__")
    return is_cell_module(module)


def is_cell_module(name):
    """Whether a module is the cell itself or shared code of another cell (shared_modules)."""
    return type(name) is str and (name == "__main__" or name.startswith("nb_"))


def _fields(value):
    try:
        fields = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return None
    return fields if type(fields) is dict else None


def is_a(value, module, *names):
    """Whether a value is of one of a library's classes. Imports nothing: an instance means the library is loaded."""
    loaded = sys.modules.get(module)
    if loaded is None:
        return False
    kinds = (getattr(loaded, name, None) for name in names)
    return issubclass(type(value), tuple(kind for kind in kinds if isinstance(kind, type)))


def package_of(kind):
    """The top-level package in a class's `__module__`; `builtins` for built-in classes."""
    module = kind.__module__
    return module.partition(".")[0] if type(module) is str else ""


def class_attribute(kind, name):
    """What instances of `kind` find on their class, ignoring its metaclass; None if missing."""
    for base in kind.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None
