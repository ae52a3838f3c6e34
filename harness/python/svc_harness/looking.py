"""Looking at values without running their code: a cell's objects may lie about their class or raise when asked.

Everything here goes by the real type, as `type(value)` gives it, never by `__class__` or `__getattr__`.
"""

import sys


def is_class(value):
    return issubclass(type(value), type)


def is_a(value, module, *names):
    """Whether a value is of one of a library's classes, without importing it: an instance means it is loaded."""
    loaded = sys.modules.get(module)
    if loaded is None:
        return False
    kinds = (getattr(loaded, name, None) for name in names)
    return issubclass(type(value), tuple(kind for kind in kinds if isinstance(kind, type)))


def package_of(kind):
    """The top-level package a class says it comes from; `builtins` for the language's own."""
    module = kind.__module__
    return module.partition(".")[0] if type(module) is str else ""


def class_attribute(kind, name):
    """What instances of `kind` find on their class, its metaclass not asked; None when nothing."""
    for base in kind.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None
