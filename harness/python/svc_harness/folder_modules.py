"""Detects changes a cell makes to modules of the notebook's folder. Each cell reloads them, so others do not see it."""

import sys
import types
from collections import Counter, OrderedDict, defaultdict, deque

from .slice_watch import CodeWatch

_CONTAINERS = (list, dict, set, bytearray, deque, Counter, defaultdict, OrderedDict)


class FolderModules:
    """Watches modules from the end of their import, or from the start of the cell."""

    def __init__(self):
        self._watched = {}

    def add(self, modules):
        """Add modules; a module that is loaded a second time is watched from then on."""
        for module in modules:
            if type(module) is types.ModuleType:
                try:
                    self._watched[module.__name__] = _ModuleWatch(module)
                except Exception as problem:  # errors must not fail the import
                    print("svc: changes of %s cannot be seen: %r" % (module.__name__, problem), file=sys.stderr)

    def changed(self):
        """The changes, written as in code that imports the module: `helper.STATE`."""
        for watch in self._watched.values():
            yield from watch.changed()


class _ModuleWatch(CodeWatch):
    def __init__(self, module):
        super().__init__(module, {})

    def changed(self):
        for parts in self.changed_code().values():
            yield from parts
        for name, _value, _before in self.changed_values():
            yield self._written_as(name, None)
        for name in self.rebound_values():
            yield self._written_as(name, None)

    def source(self):
        """The source of the module; empty if its file is missing."""
        try:
            with open(self._module.__file__, encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    def _is_looked_into(self, value):
        """Skip objects of libraries: using them may change them, and there is no fresh copy to compare with."""
        return type(value) in _CONTAINERS

    def _written_as(self, name, value):
        return "%s.%s" % (self._module.__name__, name)
