"""Separates process changes made by imports from those made by the cell: libraries change settings while they load.

Every later cell that imports the library gets the same changes, so they do not count as made by the cell. Modules of
the notebook's own folder count as part of the cell.
"""

import os
import sys
from _thread import get_ident

# Python omits frames with this file name from the traceback of a failing import.
_FILE = "<frozen importlib._bootstrap>"
_SOURCE = """
def make(original, enter, leave):
    def _find_and_load(name, import_):
        entered = enter(name)
        try:
            return original(name, import_)
        finally:
            if entered:
                leave(entered)
    return _find_and_load
"""
_scope = {}
exec(compile(_SOURCE, _FILE, "exec"), _scope)


class ImportBoundary:
    """Calls `before()` and `after(state, is_local)` around each import of a module that is not loaded yet.

    Nested imports count as part of the outer import. Call `start` and `stop` in pairs.
    """

    def __init__(self, folder, before, after):
        self._folder, self._before, self._after = folder, before, after
        self._depth = 0
        self._thread = get_ident()
        self._local = {}

    def start(self):
        bootstrap = sys.modules["_frozen_importlib"]
        self._original = bootstrap._find_and_load
        bootstrap._find_and_load = _scope["make"](self._original, self._enter, self._leave)

    def stop(self):
        sys.modules["_frozen_importlib"]._find_and_load = self._original

    def _enter(self, name):
        """The state before the import; None for nested imports and in other threads."""
        if self._depth or get_ident() != self._thread or name in sys.modules:
            return None
        if self._is_local(name.partition(".")[0]):
            return ("local", None)
        self._depth = 1
        return ("library", self._before())

    def _leave(self, entered):
        kind, state = entered
        if kind == "library":
            self._depth = 0
        self._after(state, kind == "local")

    def _is_local(self, root):
        if root not in self._local:
            path = os.path.join(self._folder, root)
            self._local[root] = os.path.exists(path + ".py") or os.path.isdir(path)
        return self._local[root]
