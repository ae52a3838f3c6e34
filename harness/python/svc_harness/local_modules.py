"""Compiles modules of the notebook's own folder from source in every run.

Python validates a .pyc by the source's size and modification time in whole seconds: a module edited within a second to
the same length would run in its old version. Installed modules keep their bytecode.
"""

import os
import sys
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from io import open  # a cell may replace the builtin


# The modules of the notebook's folder loaded by this process, in order.
_loaded = []
_listeners = []
_depth = 0  # imports of such modules in progress
_announced = 0  # number of modules in `_loaded` already announced


def listen(listener):
    """Call `listener(modules)` with the notebook's loaded modules now, and again after each import of more."""
    _listeners[:] = [listener]
    _announce(0)


def _announce(first):
    global _announced
    new, _announced = _loaded[first:], len(_loaded)
    for listener in _listeners:
        listener(new)


class _FreshLoader(SourceFileLoader):
    def exec_module(self, module):
        global _depth
        _depth += 1
        try:
            super().exec_module(module)
        finally:
            _depth -= 1
        _loaded.append(module)
        if not _depth:
            # Changes that a module makes to another one while loading are repeated by every import of it.
            _announce(_announced)

    def path_stats(self, path):
        # Without the source's time, importlib neither reads nor writes bytecode.
        raise OSError("bytecode is not kept for modules of the notebook")


_find_in = FileFinder.path_hook(
    (ExtensionFileLoader, EXTENSION_SUFFIXES),
    (_FreshLoader, SOURCE_SUFFIXES),
    (SourcelessFileLoader, BYTECODE_SUFFIXES),
)


def compile_always(folder):
    """From now on, ignore stored bytecode of modules in `folder` and its subfolders, except environments."""
    inside = os.path.join(folder, "")

    def find_local(path):
        # Entries of sys.path may be relative to the folder.
        place = os.path.abspath(path)
        if place != folder and not place.startswith(inside):
            raise ImportError("not of the notebook's folder")
        if "site-packages" in path or "dist-packages" in path:
            raise ImportError("installed")
        return _find_in(path)

    sys.path_hooks.insert(0, find_local)
    for path in list(sys.path_importer_cache):
        if path == folder or path.startswith(inside):
            del sys.path_importer_cache[path]


def notebook_mentions(word, source, folder):
    """Whether a word occurs in the cell's source, in shared code, or in a loaded module of the notebook's folder."""
    shared = sys.modules.get("svc_harness.shared_modules")
    if word in source or shared is not None and any(word in text for text in shared.sources()):
        return True
    inside = os.path.join(folder, "")
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    for path in files:
        if type(path) is str and path.startswith(inside) and path.endswith(".py") and "site-packages" not in path:
            try:
                with open(path, "rb") as file:
                    if word.encode() in file.read():
                        return True
            except OSError:
                continue  # the cell deleted it
    return False
