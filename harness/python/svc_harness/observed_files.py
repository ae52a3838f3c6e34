"""Records the files and folders a run reads, lists and writes, with their state at that time.

Ignored: installed packages and the interpreter, system folders, library caches and the harness's files. A path the run
wrote counts with its final state only; one it created and deleted again does not count.
"""

import hashlib
import os
import stat
import sys
import time
from os import stat as stat_of  # the cell's own use is observed

# With more facts than this, a run counts as open to the world.
_MOST_FACTS = 500
_MOST_DIGEST_BYTES = 16 << 20
_MOST_BYTES = 64 << 20
# A file written this shortly before it was read may change again without a change of its time stamp.
_RACY_NS = 50_000_000
# Folders of a notebook that do not belong to its data.
OWN_FOLDERS = frozenset((".svc", ".venv", ".git", "__pycache__", ".ipynb_checkpoints", "renv"))
_SYSTEM = ("/proc", "/sys", "/dev", "/etc", "/usr", "/lib", "/lib64", "/bin", "/sbin", "/run", "/System", "/Library")
_HOME_CACHES = (".cache", ".config", ".local", ".matplotlib", ".fonts", "Library/Caches")


class Files:
    """`folder`: the notebook's, where all but the harness's own folders counts. `ignored`: folders that never count."""

    def __init__(self, folder, ignored):
        self._inside = os.path.join(folder, "")
        self._installed, self._outside = known_places()
        self._folders_ignored = ignored
        self._ignored = None  # created for the first path: most cells use none
        self._read = {}  # path -> (size, mtime_ns), or None if absent
        self._listed = {}  # path -> digest, or None if absent
        self._written = {}  # path -> whether it existed before
        self._databases = {}  # path -> state at the first connection
        self._too_many = False

    def is_installed(self, path):
        return path.startswith(self._installed) or path.startswith("<frozen")

    def read(self, path):
        path = self._fact(path)
        if path is None or path in self._read or path in self._written or self._is_full(self._read):
            return
        self._read[path] = _state(path)

    def opened_unseen(self, paths):
        """Record files opened by something other than the run's Python code, with their current state."""
        for path in paths:
            self.read(path)

    def wrote_unseen(self, paths):
        """Record files written by something other than the run's Python code; their earlier state is unknown."""
        for path in paths:
            path = self._fact(path)
            if path is not None and not self._is_full(self._written):
                self._written.setdefault(path, True)

    def written(self, path):
        path = self._fact(path)
        if path is None or path in self._written or self._is_full(self._written):
            return
        self._written[path] = os.path.lexists(path)

    def listed(self, path):
        if isinstance(path, int):
            self._too_many = True
            return
        path = self._fact(path)
        if path is None or path in self._listed or self._is_full(self._listed):
            return
        self._listed[path] = folder_digest(path)

    def database(self, name):
        """A SQLite file: read, and also written if it has changed at the end."""
        name = os.fsdecode(name)
        if name in ("", ":memory:") or name.startswith("file::memory:") or "mode=memory" in name:
            return
        if name.startswith("file:"):
            name = name[5:].partition("?")[0]
        path = self._fact(name)
        if path is not None and path not in self._databases:
            self._databases[path] = _state(path)

    def facts(self):
        """JSON values: `reads`, `absent`, `listed`, `wrote`; `too_many`: some were omitted."""
        self._settle_databases()
        room = [_MOST_BYTES]
        reads, absent = [], []
        for path, before in self._read.items():
            if path in self._written:
                continue
            if before is None:
                absent.append(path)
            elif before != "folder":
                reads.append(_read_fact(path, before, room))
        return {
            "reads": reads,
            "absent": absent,
            "listed": [
                self._listed_fact(path, digest)
                for path, digest in self._listed.items()
                if path not in self._written
            ],
            "wrote": list(self._wrote(room)),
            "too_many": self._too_many,
        }

    def _settle_databases(self):
        for path, before in self._databases.items():
            if _state(path) != before:
                self._written.setdefault(path, before is not None)
            elif path not in self._written:
                self._read.setdefault(path, before)

    def _wrote(self, room):
        for path, was_there in self._written.items():
            now = _state(path)
            if now == "folder":
                yield {"path": path, "folder": True}
            elif now is not None:
                size, mtime_ns, _ = now
                yield {"path": path, "size": size, "mtime_ns": str(mtime_ns), "sha256": _digest(path, size, room)}
            elif was_there:
                yield {"path": path, "gone": True}

    def _listed_fact(self, path, digest):
        """A folder that the run itself wrote into counts with its final state."""
        if any(os.path.dirname(written) == path for written in self._written):
            digest = folder_digest(path)
        return {"path": path, "sha256": digest}

    def _is_full(self, facts):
        if len(facts) < _MOST_FACTS:
            return False
        self._too_many = True
        return True

    def _fact(self, path):
        """The absolute path, or None if the path does not count."""
        path = os.path.abspath(os.fsdecode(path))
        if self._ignored is None:
            self._ignored = _places(self._folders_ignored)
        if path.startswith(self._ignored) or path + os.sep in self._ignored or path.startswith(self._installed):
            return None
        if path.startswith(self._inside):
            inner = path[len(self._inside) :].split(os.sep)
            return None if path.endswith(".pyc") or not OWN_FOLDERS.isdisjoint(inner) else path
        return None if path.startswith(self._outside) else path


def folder_digest(path):
    """SHA-256 over the sorted names in a folder, each followed by NUL; None if there is no such folder."""
    try:
        names = sorted(os.fsencode(name) for name in os.listdir(path) if name not in OWN_FOLDERS)
    except OSError:
        return None
    return hashlib.sha256(b"".join(name + b"\0" for name in names)).hexdigest()


def _state(path):
    """(size, mtime_ns, is_racy) of a file, "folder", or None if the path does not exist."""
    try:
        status = stat_of(path)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return "folder"
    return status.st_size, status.st_mtime_ns, abs(time.time_ns() - status.st_mtime_ns) < _RACY_NS


def _read_fact(path, before, room):
    size, mtime_ns, racy = before
    now = _state(path)
    digest = _digest(path, size, room) if now is not None and now != "folder" and now[:2] == before[:2] else None
    if racy and digest is not None:
        mtime_ns = 0  # the contents are compared, regardless of the time
    return {"path": path, "size": size, "mtime_ns": str(mtime_ns), "sha256": digest}


def _digest(path, size, room):
    if size > _MOST_DIGEST_BYTES or size > room[0]:
        return None
    room[0] -= size
    try:
        with open(path, "rb") as file:
            data = file.read(size + 1)
    except OSError:
        return None
    return hashlib.sha256(data).hexdigest() if len(data) == size else None


_known = []


def known_places():
    """(prefixes of installed code, prefixes of system folders and caches). A template computes it for its children."""
    if not _known:
        _known.extend((_places(_installed()), _places(_SYSTEM) + _places(_caches())))
    return tuple(_known)


def _places(folders):
    return tuple(sorted({os.path.join(place, "") for one in folders for place in (one, os.path.realpath(one))}))


def _installed():
    standard = os.path.dirname(os.__file__)
    folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, standard, os.path.dirname(os.path.dirname(__file__))]
    return [folder for folder in folders if folder and folder != os.sep] + [
        entry for entry in sys.path if "site-packages" in entry or "dist-packages" in entry
    ]


def _caches():
    home = os.path.expanduser("~")
    folders = [os.path.join(home, name) for name in _HOME_CACHES]
    return folders + [value for value in (os.environ.get("MPLCONFIGDIR"), os.environ.get("XDG_CACHE_HOME")) if value]
