"""Modules of the notebook's own folder are compiled from their source in every run.

Python trusts a stored .pyc by the whole second of its source's time and the source's size: a module edited
within a second to the same length would run as it was before. Installed modules keep their bytecode.
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


# The modules of the notebook's folder that this process has loaded, in order.
_loaded = []
_listeners = []
_depth = 0  # of imports of such modules that are under way
_announced = 0  # so many of `_loaded`


def listen(listener):
    """Calls `listener(modules)` with those of the notebook's folder that are loaded, and again after each import of more."""
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
            # What a module does to another one while it loads is done by every import of it.
            _announce(_announced)

    def path_stats(self, path):
        # Without the source's time importlib neither reads nor writes bytecode.
        raise OSError("bytecode is not kept for modules of the notebook")


_find_in = FileFinder.path_hook(
    (ExtensionFileLoader, EXTENSION_SUFFIXES),
    (_FreshLoader, SOURCE_SUFFIXES),
    (SourcelessFileLoader, BYTECODE_SUFFIXES),
)


def compile_always(folder):
    """From here on, modules found in `folder` and below it, environments aside, ignore stored bytecode."""
    inside = os.path.join(folder, "")

    def find_local(path):
        # An entry of sys.path may be relative to the folder.
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
    """Whether a word is in a cell's source, in code that came from other cells, or in a loaded module of the notebook."""
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
                continue  # the cell removed it
    return False
