"""Observes queries about files that do not open them: `os.path.exists`, `os.stat`, `Path.is_file` and similar.

They cause no audit events. All of them call one of three functions of `os`, which are replaced while a run is observed.
The import system uses its own.
"""

import functools
import os

_NAMES = ("stat", "lstat", "access")
_SETS = ("supports_dir_fd", "supports_fd", "supports_follow_symlinks", "supports_effective_ids")
# The observer of stat calls, or None.
_on_question = None


def watch_questions(on_question):
    """Call `on_question(path)` for every queried path from now on. Call the returned function to stop."""
    global _on_question
    _on_question = on_question
    originals = {}
    for name, (original, watched) in _WATCHED.items():
        if getattr(os, name) is not original:
            original = getattr(os, name)
            watched = _watched(original)
        originals[name] = original
        setattr(os, name, watched)
    return lambda: _stop(originals)


def _stop(originals):
    global _on_question
    _on_question = None
    for name, original in originals.items():
        # If the cell replaced the function itself, its replacement stays.
        if getattr(getattr(os, name), "__wrapped__", None) is original:
            setattr(os, name, original)


def _watched(original):
    @functools.wraps(original)
    def watched(path, *args, **options):
        if _on_question is not None and options.get("dir_fd") is None:
            _on_question(path)
        return original(path, *args, **options)

    for kind in _SETS:
        # Libraries test membership in these sets to find out what a function supports.
        if original in getattr(os, kind, ()):
            getattr(os, kind).add(watched)
    return watched


# Created once; in a template, before it forks.
_WATCHED = {name: (getattr(os, name), _watched(getattr(os, name))) for name in _NAMES}
