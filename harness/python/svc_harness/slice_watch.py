"""Detects changes a cell makes to code of other cells and to the values that code uses. Code is shared as source, so
such changes are lost.

All slices in the process are watched, not only the functions and classes that the cell reads by name: instances bring
their classes, and functions bring the functions they call.
"""

import re
import types

from . import shared_modules
from .ambient import is_ambient
from .code_state import remembers
from .content_compare import is_same
from .content_digest import digest, is_immutable
from .definition_states import DefinitionStates
from .real_types import is_class, is_definition

_MAX_STATES = 5000
_MISSING = object()
_OF_EVERY_SLICE = ("display", "Markdown")


def watch_slices(inputs):
    """One SliceWatch for each slice opened for the inputs."""
    return [SliceWatch(opened, inputs) for opened in shared_modules.all_opened()]


class CodeWatch:
    """Records one module before the cell runs: functions, classes and variables. `names`: the cell's names by id."""

    def __init__(self, module, names):
        self._module, self._names = module, names
        self._before = self._definitions()
        # name -> (value, Digest, or None if it is not inspected)
        self._values = {
            name: (value, digest(value) if self._is_looked_into(value) else None)
            for name, value in vars(module).items()
            if not _is_other(name, value)
        }

    def source(self):
        raise NotImplementedError

    def _is_looked_into(self, value):
        raise NotImplementedError

    def changed_code(self):
        """{name of the function or class in the cell: what changed}"""
        changes = {}
        for written in self._definitions().changed_since(self._before):
            changes.setdefault(self._root_of(written), []).append(written)
        return changes

    def changed_values(self):
        """(name, value before, Digest) of values that may have changed in place; their digests differ."""
        for name, (value, before) in self._values.items():
            if before is not None and vars(self._module).get(name) is value:
                after = digest(value)
                if after is not None and not after.equals(before):
                    yield name, value, before

    def rebound_values(self):
        """Globals that the module's code set, if their value has changed."""
        now = {name: value for name, value in vars(self._module).items() if not _is_other(name, value)}
        for name in {**self._values, **now}:
            before, after = self._values.get(name, (_MISSING, None))[0], now.get(name, _MISSING)
            if before is after or self._is_filled(name, before):
                continue
            if before is _MISSING or after is _MISSING or not is_same(before, after):
                yield name

    def _written(self):
        """{name in the running cell: value} of the module's own functions and classes."""
        return {
            self._written_as(name, value): value
            for name, value in list(vars(self._module).items())
            if is_definition(value) and _belongs(value, self._module.__name__)
        }

    def _definitions(self):
        return DefinitionStates(self._module.__name__, self._written(), _MAX_STATES)

    def _written_as(self, name, value):
        return self._names.get(id(value), name)

    def _root_of(self, written):
        return re.split(r"[ .]", written.rpartition(" of ")[2])[0]

    def _is_filled(self, name, before):
        """Whether this is a private global initialised on first use: `if _model is None: _model = load()`."""
        if not name.startswith("_") or before is not None:
            return False
        return re.search(r"\b%s is None\b|\bnot %s\b" % (name, name), self.source()) is not None


class SliceWatch(CodeWatch):
    """Watches code of another cell. `inputs`: the cell's inputs by name."""

    def __init__(self, opened, inputs):
        self._opened = opened
        super().__init__(opened.module, {id(value): name for name, value in inputs.items()})

    def source(self):
        return self._opened.source

    def spec_of(self, name):
        """The manifest entry of an injected value and the folder of its file, or None."""
        return self._opened.specs.get(name), self._opened.base

    def user_of(self, name):
        """A function or class of the slice that uses a global, for messages; otherwise the cell's name."""
        for written, value in self._written().items():
            codes = [value.__code__] if type(value) is types.FunctionType else _method_codes(value)
            if any(_names(code, name) for code in codes):
                return written
        return self._opened.cell_name

    def _is_looked_into(self, value):
        """Skip inputs of the cell, which are watched separately."""
        return not is_immutable(value) and id(value) not in self._names


def _is_other(name, value):
    """Whether this is not a variable of the slice: code, modules, names set by Python, and caches."""
    return (
        name.startswith("__")
        or name in _OF_EVERY_SLICE
        or remembers(name)
        or is_ambient(value)
        or is_definition(value)
        or issubclass(type(value), (types.BuiltinFunctionType, types.ModuleType))
    )


def _belongs(value, module_name):
    fields = vars(value)
    return (value.__module__ if is_class(value) or type(value) is types.FunctionType else fields["__module__"]) == module_name


def _method_codes(value):
    return [item.__code__ for item in vars(value).values() if type(item) is types.FunctionType]


def _names(code, name):
    return name in code.co_names or any(_names(inner, name) for inner in code.co_consts if type(inner) is types.CodeType)
