"""Imports a notebook's modules ahead of its cells, in a process that will be forked or used once.

Only installed distributions and the standard library are loaded: a module of the notebook's own folder may change
between two runs. A module that fails to import is skipped, so that the cell reports the error.
"""

import importlib
import importlib.machinery
import os
import sys

from .observed_environment import watch_loading

# Read by the libraries' thread pools when they load. Set to 1 for C code while a template imports, so that no threads
# exist when it forks; each child then restores the defaults of a new process. Python code reads `os.environ`, which
# does not change.
_THREAD_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")

# Functions that set thread counts, by part of the library's file name.
_SETTERS = (
    ("openblas", ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads",
                  "openblas_set_num_threads64_", "openblas_set_num_threads"),
     ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")),
    ("libgomp", ("omp_set_num_threads",), ("OMP_NUM_THREADS",)),
    ("libomp", ("omp_set_num_threads",), ("OMP_NUM_THREADS",)),
    ("libiomp", ("omp_set_num_threads",), ("OMP_NUM_THREADS",)),
    ("libmkl_rt", ("MKL_Set_Num_Threads",), ("MKL_NUM_THREADS", "OMP_NUM_THREADS")),
)


# When the process uses more memory than this, cells import the rest themselves.
_MOST_BYTES = 1 << 30
# Modules whose import has a visible effect: they open a browser, or print.
_ONLY_IN_CELLS = frozenset(("antigravity",))


def preload(names):
    """Import each installed name. Returns (loaded, skipped) lists; output goes to fd 1 and 2."""
    loaded, skipped = [], []
    reads = watch_loading()
    try:
        _preload(names, loaded, skipped)
    finally:
        reads.stop()
    return loaded, skipped


def _preload(names, loaded, skipped):
    for name in names:
        try:
            top = name.partition(".")[0]
            if top in _ONLY_IN_CELLS or _resident_bytes() > _MOST_BYTES or not _is_installed(top):
                skipped.append(name)
                continue
            importlib.import_module(name)
            loaded.append(name)
        except BaseException as problem:
            # The cell that imports it will raise and show the same error.
            sys.stderr.write("preload %s: %s: %s\n" % (name, type(problem).__name__, problem))
            skipped.append(name)


def _resident_bytes():
    """Memory of this process; 0 if the system does not provide it as a file."""
    try:
        with open("/proc/self/statm", "rb") as facts:
            return int(facts.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _is_installed(top):
    if top in sys.builtin_module_names:
        return True
    spec = importlib.machinery.PathFinder.find_spec(top)
    if spec is None:
        return False
    places = [spec.origin] if spec.origin else list(spec.submodule_search_locations or [])
    standard = os.path.dirname(os.__file__) + os.sep
    return bool(places) and all(
        place.startswith(standard) or "site-packages" in place or "dist-packages" in place
        for place in places
    )


class SingleThreaded:
    """While open, libraries that load start no threads. Call ``restore()`` in a child to undo this."""

    def __init__(self):
        self._calls = []

    def __enter__(self):
        for name in _THREAD_LIMITS:
            os.putenv(name, "1")
        return self

    def __exit__(self, *_):
        for name in _THREAD_LIMITS:
            value = os.environ.get(name)
            if value is None:
                os.unsetenv(name)
            else:
                os.putenv(name, value)
        self._calls = list(_thread_setters())

    def restore(self):
        """In a forked child: restore the thread counts of a new process."""
        for setter, count in self._calls:
            setter(count)
        arrow = sys.modules.get("pyarrow.lib")
        if arrow is not None:
            count = _limit_of(("OMP_NUM_THREADS",))
            if arrow.cpu_count() != count:
                arrow.set_cpu_count(count)


def _limit_of(names):
    for name in names:
        value = os.environ.get(name, "").partition(",")[0]
        if value.isdigit() and int(value) > 0:
            return int(value)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _thread_setters():
    try:
        with open("/proc/self/maps") as maps:
            paths = {line.split(None, 5)[5].strip() for line in maps if "/" in line}
    except OSError:
        return
    import ctypes

    for path in paths:
        name = os.path.basename(path).lower()
        for part, symbols, variables in _SETTERS:
            if part not in name:
                continue
            library = ctypes.CDLL(path)
            for symbol in symbols:
                setter = getattr(library, symbol, None)
                if setter is not None:
                    setter.argtypes, setter.restype = [ctypes.c_int], None
                    yield setter, _limit_of(variables)
                    break
