"""Observes what a run does beyond its own values: files, folders, environment variables, processes, the network.

An audit hook (PEP 578) sees what Python code does, but not what native code opens itself, so code that uses a library
known to do this is reported by name instead (observed_code.py). `stop()` returns the `observed` entry of the result
(harness/CONTRACT.md). States: created, watching (between `start` and `stop`), stopped. There is one per process: an
audit hook cannot be removed, only disabled.
"""

import os
import sys
from _thread import allocate_lock, get_ident

from .observed_code import CodeNames, is_native_loaded
from .observed_environment import watch_environment
from .observed_files import OWN_FOLDERS, Files
from .observed_folders import watch_folders
from .observed_packages import ALL, names_of_run, note_all, note_path, start_run, variables_of_run
from .observed_stat import watch_questions

# Audit events of actions that leave the machine or the process.
_OPEN = {
    "socket.connect": "network",
    "socket.getaddrinfo": "network",
    "socket.gethostbyname": "network",
    "socket.gethostbyaddr": "network",
    "socket.sendto": "network",
    "socket.bind": "network",
    "subprocess.Popen": "process",
    "os.posix_spawn": "process",
    "os.spawn": "process",
    "os.system": "process",
    "os.exec": "process",
    "os.fork": "process",
    "os.forkpty": "process",
    "os.startfile": "process",
}
# The flags for opening a folder to walk it; listing it is a separate event.
_FOLDER_FLAGS = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NONBLOCK", 0)
_WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Observation:
    """Observes one run in the notebook's `folder`. `ignored`: folders whose files do not count."""

    def __init__(self, folder, ignored):
        self._folder = folder
        self._files = Files(folder, ignored)
        self._code = CodeNames(self._files.is_installed)
        self._environment = None
        self._folders = None
        self._are_folders_watched = False
        self._folders_lock = allocate_lock()
        self._stop_questions = None
        self._open = set()
        self._watching = False
        # Threads inside the hook: what the hook does is not the cell's doing.
        self._inside = set()
        self._pid = os.getpid()

    def start(self):
        """Start observing."""
        self._environment = watch_environment()
        self._stop_questions = watch_questions(self._on_question)
        start_run()
        self._watching = True
        if not self._hooked:
            type(self)._hooked = True
            sys.addaudithook(_hook)
        type(self)._current = self

    def look_at(self, namespace, may_hold_code):
        """Examine the cell's initial namespace. `may_hold_code`: its values may contain functions or modules."""
        self._code.add_reachable(namespace)
        if self._code.may_be_native() or (may_hold_code and is_native_loaded()):
            self._guarded(get_ident(), self._watch_folders)

    def _watch_folders(self):
        """Observe what native code and child processes open. Only for runs that may use either, since the system takes
        10 ms or more to end such a watch."""
        if self._are_folders_watched or os.getpid() != self._pid:
            return
        with self._folders_lock:
            if not self._are_folders_watched:
                self._folders = watch_folders(self._folder, OWN_FOLDERS)
                self._are_folders_watched = True

    def stop(self, namespace):
        """The facts as JSON values. `namespace`: the names available to the cell."""
        self._watching = False
        self._stop_questions()
        environment = self._environment.stop()
        reasons = set(self._open)
        try:
            reasons.update("native:%s" % name for name in self._code.native(namespace))
        except Exception:
            # Classes with custom attribute access may raise anything.
            reasons.add("unclear")
        self._take_folder_events(reasons)
        if "process" in reasons:
            # Child processes inherit the whole environment.
            environment = {"env": [], "env_all": True}
        facts = self._files.facts()
        if facts.pop("too_many"):
            reasons.add("too_many")
        if self._code.inspects_imports() or "process" in reasons:
            note_all()
        ahead = variables_of_run()
        if environment["env_all"] or ALL in ahead:
            environment = {"env": [], "env_all": True}
        else:
            environment["env"] = sorted(ahead.union(environment["env"]))
        packages = names_of_run()
        return {
            **facts,
            **environment,
            "open": sorted(reasons),
            "unsteady": self._code.unsteady(),
            **({} if packages is None else {"packages": packages}),
        }

    def _take_folder_events(self, reasons):
        """Record what native code and child processes opened in the notebook's folder."""
        if not any(reason == "process" or reason.startswith("native:") for reason in reasons):
            return
        if not self._are_folders_watched:
            # The code used a native library without naming it.
            reasons.add("unclear")
            return
        if self._folders is None:
            return
        events = self._folders.take()
        if events is None:
            reasons.add("unclear")
        else:
            opened, written = events
            self._files.wrote_unseen(written)
            self._files.opened_unseen(opened)

    def _on_question(self, path):
        """The run queried a path; its behaviour may depend on the answer."""
        me = get_ident()
        if not self._watching or isinstance(path, int) or me in self._inside or os.getpid() != self._pid:
            return
        if _is_ours(3):
            return
        self._inside.add(me)
        try:
            note_path(path)
            self._files.read(path)
        except Exception:
            self._open.add("unclear")
        finally:
            self._inside.discard(me)

    _hooked = False
    _current = None

    def _see(self, event, args):
        me = get_ident()
        reason = _OPEN.get(event)
        if reason is not None:
            self._open.add(reason)
            if reason == "process":
                self._guarded(me, self._watch_folders)
            return
        see = _SEEN[event]
        if me in self._inside or os.getpid() != self._pid or (event not in _CODE and _is_ours(3)):
            return
        self._guarded(me, see, self, args)

    def _guarded(self, me, see, *args):
        if me in self._inside:
            return
        self._inside.add(me)
        try:
            see(*args)
        except Exception:
            # An invalid path or a deleted file: what cannot be described makes the observation incomplete.
            self._open.add("unclear")
        finally:
            self._inside.discard(me)

    def _opened(self, args):
        path, mode, flags = args[0], args[1], args[2]
        if isinstance(path, int) or (mode is None and flags & _FOLDER_FLAGS and not flags & _WRITING_FLAGS):
            return
        if isinstance(mode, str):
            writes = any(letter in mode for letter in "wax+")
        else:
            writes = isinstance(flags, int) and bool(flags & _WRITING_FLAGS)
        if writes:
            self._files.written(path)
        else:
            self._files.read(path)

    def _listed(self, args):
        if not _is_import_system():
            folder = "." if args[0] is None else args[0]
            self._files.listed(_folder_of(folder) if isinstance(folder, int) else folder)

    def _first_changed(self, args):
        self._files.written(_below(args[0], args[-1]))

    def _truncated(self, args):
        if not isinstance(args[0], int):
            self._files.written(args[0])

    def _both_changed(self, args):
        self._files.written(_below(args[0], args[2]))
        self._files.written(_below(args[1], args[3]))

    def _target_changed(self, args):
        self._files.written(_below(args[1], args[-1]))

    def _database(self, args):
        self._files.database(args[0])

    def _executed(self, args):
        self._code.add(args[0])
        if not self._are_folders_watched and self._code.may_be_native():
            self._watch_folders()

    def _made_code(self, _args):
        # Code objects created explicitly, e.g. by unpickling: their names are not known before they run.
        if not self._are_folders_watched and is_native_loaded():
            self._watch_folders()


def _hook(event, args):
    if event not in _WATCHED:
        return
    current = Observation._current
    if current is not None and current._watching:
        current._see(event, args)


def _below(path, folder):
    """The path for an event with a path relative to an open folder; -1 is the working directory."""
    path = os.fsdecode(path)
    return path if folder == -1 or os.path.isabs(path) else os.path.join(_folder_of(folder), path)


def _folder_of(descriptor):
    """The path of an open folder. Raises OSError if the system does not provide it."""
    return os.readlink("/proc/self/fd/%d" % descriptor)


def _is_ours(depth):
    """Whether the harness caused the event, directly or through the standard library. `depth`: frames in this file."""
    frame = sys._getframe(depth)
    while frame is not None:
        name = frame.f_code.co_filename
        if name == _LOADER:
            # The loader of the notebook's modules: the reader is the code that imports the module.
            frame = frame.f_back
            continue
        if name.startswith(_HERE):
            return True
        if not name.startswith(_STANDARD) or "site-packages" in name:
            return False
        frame = frame.f_back
    return False


_HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
_LOADER = os.path.join(_HERE, "local_modules.py")
_STANDARD = (os.path.join(os.path.dirname(os.__file__), ""), "<frozen")


def _is_import_system():
    frame = sys._getframe(5)
    return frame is not None and frame.f_code.co_filename.startswith("<frozen importlib")


_SEEN = {
    "open": Observation._opened,
    "os.listdir": Observation._listed,
    "os.scandir": Observation._listed,
    "os.remove": Observation._first_changed,
    "os.rmdir": Observation._first_changed,
    "os.mkdir": Observation._first_changed,
    "os.truncate": Observation._truncated,
    "os.rename": Observation._both_changed,
    "os.link": Observation._target_changed,
    "os.symlink": Observation._target_changed,
    "sqlite3.connect": Observation._database,
    "exec": Observation._executed,
    "code.__new__": Observation._made_code,
}
_CODE = frozenset(("exec", "code.__new__"))
_WATCHED = frozenset((*_OPEN, *_SEEN))
