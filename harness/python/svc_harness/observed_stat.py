"""Questions about files that open nothing: `os.path.exists`, `os.stat`, `Path.is_file` and the like.

No audit event tells of them. They all go through three functions of `os`, which are replaced while a run is watched.
The import system has its own.
"""

import functools
import os

_NAMES = ("stat", "lstat", "access")
_SETS = ("supports_dir_fd", "supports_fd", "supports_follow_symlinks", "supports_effective_ids")


def watch_questions(asked):
    """`asked(path)` hears of every path from here on. The answer ends it."""
    originals = {name: getattr(os, name) for name in _NAMES}
    for name, original in originals.items():
        watched = _watched(original, asked)
        for kind in _SETS:
            # Libraries ask by membership what a function can do.
            if original in getattr(os, kind, ()):
                getattr(os, kind).add(watched)
        setattr(os, name, watched)

    def stop():
        for name, original in originals.items():
            # What the cell itself put there stays.
            if getattr(getattr(os, name), "__wrapped__", None) is original:
                setattr(os, name, original)

    return stop


def _watched(original, asked):
    @functools.wraps(original)
    def watched(path, *args, **options):
        if options.get("dir_fd") is None:
            asked(path)
        return original(path, *args, **options)

    return watched
