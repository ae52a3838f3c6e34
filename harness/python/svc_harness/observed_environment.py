"""Records which environment variables a run reads by name, and whether it reads all of them.

`os.environ` remains the same object, since libraries hold references to it; only its class changes while a run is
observed. Variables read by C code with getenv or inherited by child processes are not observed.
"""

import os

from .observed_packages import ALL, note_variable


class _Reads:
    def __init__(self):
        self.names = set()
        self.own = set()
        self.all = False

    def stop(self):
        """Restore `os.environ` and return the facts as JSON values."""
        _Watched.reads = None
        for environ in _environs():
            environ.__class__ = os._Environ
        return {"env": [] if self.all else sorted(self.names), "env_all": self.all}

    def read(self, key):
        name = os.fsdecode(key) if isinstance(key, (str, bytes)) else None
        # A variable the run has set itself is not a dependency.
        if name is not None and name not in self.own:
            self.names.add(name)

    def read_all(self):
        self.all = True

    def wrote(self, key):
        if isinstance(key, (str, bytes)):
            self.own.add(os.fsdecode(key))


class _LoadingReads(_Reads):
    """Records what packages read while they are preloaded: it counts for runs that use those packages."""

    def read(self, key):
        before = len(self.names)
        super().read(key)
        if len(self.names) > before:
            self.names.clear()
            note_variable(os.fsdecode(key))

    def read_all(self):
        note_variable(ALL)


class _Watched(os._Environ):
    reads = None

    def __getitem__(self, key):
        if _Watched.reads is not None:
            _Watched.reads.read(key)
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        if _Watched.reads is not None:
            _Watched.reads.wrote(key)

    def __delitem__(self, key):
        super().__delitem__(key)
        if _Watched.reads is not None:
            _Watched.reads.wrote(key)

    def __iter__(self):
        if _Watched.reads is not None:
            _Watched.reads.read_all()
        return super().__iter__()


def watch_environment():
    """Start observing; call `stop()` of the returned object to end it."""
    return _watch(_Reads())


def watch_loading():
    """The same for imports before a run."""
    return _watch(_LoadingReads())


def _watch(reads):
    _Watched.reads = reads
    for environ in _environs():
        environ.__class__ = _Watched
    return reads


def _environs():
    both = (os.environ, getattr(os, "environb", None))
    # Not isinstance, which for an abstract class would cost more than the rest of this function.
    return [environ for environ in both if os._Environ in type(environ).__mro__]
