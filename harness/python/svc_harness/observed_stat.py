"""Questions about files that open nothing: `os.path.exists`, `os.stat`, `Path.is_file` and the like.

No audit event tells of them. They all go through three functions of `os`, which are replaced while a run is watched.
The import system has its own.
"""

import functools
import os

_NAMES = ("stat", "lstat", "access")
_SETS = ("supports_dir_fd", "supports_fd", "supports_follow_symlinks", "supports_effective_ids")
# The observer of stat calls; None without one.
_asked = None


def watch_questions(asked):
    """`asked(path)` is called with every path from here on. The returned function ends it."""
    global _asked
    _asked = asked
    originals = {}
    for name, (original, watched) in _WATCHED.items():
        if getattr(os, name) is not original:
            original = getattr(os, name)
            watched = _watched(original)
        originals[name] = original
        setattr(os, name, watched)
    return lambda: _stop(originals)


def _stop(originals):
    global _asked
    _asked = None
    for name, original in originals.items():
        # What the cell itself put there stays.
        if getattr(getattr(os, name), "__wrapped__", None) is original:
            setattr(os, name, original)


def _watched(original):
    @functools.wraps(original)
    def watched(path, *args, **options):
        if _asked is not None and options.get("dir_fd") is None:
            _asked(path)
        return original(path, *args, **options)

    for kind in _SETS:
        # Libraries ask by membership what a function can do.
        if original in getattr(os, kind, ()):
            getattr(os, kind).add(watched)
    return watched


# Made once, by the template of a process where there is one.
_WATCHED = {name: (getattr(os, name), _watched(getattr(os, name))) for name in _NAMES}
