"""Warnings about process settings a cell changed: each cell runs in its own process, so other cells do not see them.

A setting counts if its value at the end differs from its value before the cell and from the value set by imports.
"""

import sys
import types

from .import_boundary import ImportBoundary
from .local_modules import listen, notebook_mentions
from .module_patches import PatchWatch
from .mutations import listed, warning
from .process_settings import read_settings
from .seeds import SeedWatch

_ABSENT, _NOT_IMPORTED = object(), object()


class ProcessWatch:
    """Watches one cell: create it just before the cell runs; call `stop`, then `warnings` if the cell succeeded."""

    def __init__(self, source, inputs, folder):
        self._source, self._inputs, self._folder = source, inputs, folder
        self._patches = PatchWatch(source, inputs)
        self._seeds = SeedWatch()
        self._seeds.wrap_loaded()
        self._first = read_settings()
        self._by_imports = {}
        self._last = None
        self._boundary = ImportBoundary(folder, read_settings, self._imported)
        self._boundary.start()
        self._modules = None
        listen(self._watch_modules)

    def _watch_modules(self, modules):
        if modules and self._modules is None:
            from .folder_modules import FolderModules

            self._modules = FolderModules()
        if modules:
            self._modules.add(modules)

    def stop(self):
        self._boundary.stop()
        self._seeds.unwrap()
        self._last = read_settings()

    def _imported(self, before, is_local):
        self._seeds.wrap_loaded()
        self._patches.look()
        if is_local:
            return
        for setting, after in read_settings().items():
            if setting not in before:
                self._first[setting] = after
            elif not _equal(before[setting], after):
                self._add_imported(setting, setting.values(before[setting]), setting.values(after))

    def _add_imported(self, setting, before, after):
        changes = self._by_imports.setdefault(setting, {})
        for key, value in after.items():
            was = before.get(key, _ABSENT)
            if setting.is_list:
                changes.setdefault(key, []).extend(item for item in value if item not in was)
            elif not _equal(value, was):
                changes[key] = value

    def warnings(self, namespace, exported):
        """`exported`: names the cell exports; a cell that exports anything but code cannot become a set-up cell."""
        warnings = [_seeded(call) for call in self._seeds.calls]
        for setting, last in self._last.items():
            if setting in self._first and not _equal(self._first[setting], last):
                imported = self._by_imports.get(setting, {})
                keys = list(_changed_keys(setting, setting.values(self._first[setting]), setting.values(last), imported))
                if keys and (setting.word is None or notebook_mentions(setting.word, self._source, self._folder)):
                    warnings.append(_changed(setting, keys))
        patched = self._patches.changed()
        warnings.extend(_patched(written) for written in patched.values())
        if self._modules is not None:
            warnings.extend(_patched(written) for written in self._modules.changed() if written not in patched)
        can_be_setup = bool(warnings) and _only_modules(self._inputs.values()) and _only_code(namespace[name] for name in exported)
        for at, one in enumerate(warnings):
            one["suggestion"] = _SETUP if can_be_setup else _MOVE
            if can_be_setup and at == 0:
                one["fix"] = "setup"
        return [*warnings, *_no_figure(self._source)]


_SETUP = "Put `# @setup` on the first line to run this cell before every cell, or repeat the line where it is needed."
_MOVE = "Repeat the line where it is needed, or move it to a setup cell (its first line is `# @setup`)."


def is_setup(source):
    """Whether the comments at the top of a cell declare it a set-up cell, which runs in every process."""
    for line in source.splitlines():
        text = line.strip()
        if text and not text.startswith("#"):
            return False
        if text[1:].split()[:1] == ["@setup"]:
            return True
    return False


def _changed_keys(setting, first, last, by_imports):
    for key in [*last, *(key for key in first if key not in last)]:
        before, after = first.get(key, _ABSENT), last.get(key, _ABSENT)
        if setting.is_list:
            imported = by_imports.get(key, ())
            if _without(before, imported) != _without(after, imported):
                yield key
        elif not _equal(before, after) and not _equal(after, by_imports.get(key, _NOT_IMPORTED)):
            yield key


def _without(items, imported):
    return [item for item in items if item not in imported]


def _equal(one, two):
    if one is two:
        return True
    try:
        return bool(one == two)
    except Exception:
        return True  # the values cannot be compared: no warning is better than a wrong one


def _changed(setting, keys):
    places = [setting.written % key if "%" in setting.written else setting.written for key in keys]
    return warning(setting.name, _message(listed(places)), None)


def _message(what):
    return "%s changed in this cell only: each cell runs in a separate process, so other cells do not see it." % (
        what[0].upper() + what[1:] if what.startswith("the ") else what
    )


def _seeded(call):
    return warning(
        call,
        "%s takes effect in this cell only: each cell runs in a separate process, so other cells draw from a "
        "generator without this seed." % call,
        None,
    )


def _patched(place):
    return warning(place, _message(place), None)


def _no_figure(source):
    if "matplotlib.pyplot" not in sys.modules:
        return
    from .figures import empty_current

    call = empty_current(source)
    if call is not None:
        yield warning(
            call,
            "%s gave a new, empty figure: figures of other cells are not open in this cell." % call,
            "Assign the figure or its axes where it is drawn, as in `fig, ax = plt.subplots()`, and use the name here.",
        )


def _only_modules(values):
    return all(type(value) is types.ModuleType for value in values)


def _only_code(values):
    return all(issubclass(type(value), (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)) for value in values)
