"""Records which top-level names of installed packages a run looked up, and whether it listed the packages.

A template loads the imports of all cells of a notebook. The names that each package looks up while it loads become
edges of a graph; a run then counts the names it imported itself and all names reachable from them. Importing a loaded
module causes no audit event, but Python asks the module's spec whether it is still initializing, and our spec records
that. Modules that a run takes from `sys.modules`, and imports in child processes, are not observed here
(observation.py handles them).
"""

import functools
import importlib.util
import os
import re
import sys
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
    SourcelessFileLoader,
)

# The run depends on everything installed.
ALL = "*"
# With more names, a run is recorded as depending on everything.
_MOST_NAMES = 1000
# The standard library of every system: a module that this one lacks is looked up among packages, but is none.
_STANDARD = frozenset(getattr(sys, "stdlib_module_names", ()))
# Entries of an environment's own folder that exist regardless of the installed packages.
_FRAME = re.compile(r"pyvenv\.cfg|bin|Scripts|python[\d.w]*(?:\.exe)?")


class _Packages:
    """What this process has recorded. States: off → loading (edges between packages) → running (names of the run)."""

    def __init__(self):
        self.sites = ()
        self.prefixes = ()
        self.always = set()  # loaded by path files of the environment, before observation began
        self.edges = {}
        self.variables = {}  # package -> environment variables it read while it was preloaded
        self.used = None  # the names of the run, during a run
        self.is_metadata_used = False

    def note(self, name):
        if self.used is not None:
            self.used.add(name)
            return
        importer = _importer()
        if importer is not None and importer != name:
            self.edges.setdefault(importer, set()).add(name)

    def path(self, path):
        """Something other than the import system accessed a path."""
        path = os.path.abspath(os.fsdecode(path))
        for site in self.sites:
            if path.startswith(site):
                self.note(_owner(path[len(site) :]))
                return
        if path.startswith(self.prefixes) and not self._is_frame(path):
            self.note(ALL)

    def _is_frame(self, path):
        """Whether an environment has this path regardless of its packages: the interpreter, or a parent of packages."""
        folder = os.path.join(path, "")
        return any(place.startswith(folder) for place in self.sites) or bool(_FRAME.fullmatch(os.path.basename(path)))


_packages = _Packages()


def watch_packages():
    """Start observing. Call it before any installed package is imported, once per process."""
    if _packages.sites:
        return
    sites = [entry for entry in sys.path if "site-packages" in entry or "dist-packages" in entry]
    _packages.sites = _folders(sites)
    if not sites:
        return
    _packages.prefixes = _folders([sys.prefix]) if sys.prefix != sys.base_prefix else ()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.startswith(_packages.sites):
            _packages.always.add(name.partition(".")[0])
    sys.path_hooks.insert(0, _find_installed)
    for path in list(sys.path_importer_cache):
        if _is_installed(path):
            del sys.path_importer_cache[path]
    sys.meta_path.insert(0, _Metadata)
    importlib.util.find_spec = _noting(importlib.util.find_spec)
    sys.addaudithook(_hook)


def start_run():
    """Attribute every lookup from now on to the run."""
    watch_packages()
    _packages.used = set(_packages.always)


def names_of_run():
    """`names` and `whole` as JSON values; None if observation was not possible."""
    if not _packages.sites:
        return None
    names = _reached(_packages.used)
    if ALL in names or len(names) > _MOST_NAMES or not _is_watching():
        return {"names": [], "whole": True}
    return {"names": sorted(names - _STANDARD), "whole": False}


def note_variable(name):
    """A package being preloaded reads a variable; ALL: it iterates over all of them."""
    importer = _importer()
    if importer is not None:
        _packages.variables.setdefault(importer, set()).add(name)


def variables_of_run():
    """The variables that the run's packages read while they were preloaded."""
    if not _packages.variables:
        return set()
    names = _reached(_packages.used)
    counts_all = ALL in names or not _is_watching()
    result = set()
    for package, variables in _packages.variables.items():
        if counts_all or package in names:
            result |= variables
    return result


def note_all():
    """Record that the run may depend on everything installed."""
    _packages.note(ALL)


def note_path(path):
    """Record that the run accessed a path."""
    if _packages.sites:
        _packages.path(path)


def _reached(names):
    reached, waiting = set(names), list(names)
    while waiting:
        for name in _packages.edges.get(waiting.pop(), ()):
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    return reached


def _is_watching():
    """Whether observation is still active, i.e. the executed code did not change it."""
    return _Metadata in sys.meta_path and _find_installed in sys.path_hooks


def _importer():
    """The package whose code is on top of the stack; None for the harness itself."""
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename.startswith(_packages.sites):
            name = frame.f_globals.get("__name__")
            if isinstance(name, str):
                return name.partition(".")[0]
        frame = frame.f_back
    return None


class _Spec(ModuleSpec):
    """Spec of an installed module. Every import of the module, loaded or not, asks whether it is initializing."""

    @property
    def _initializing(self):
        _packages.note(self.name.partition(".")[0])
        return self.__dict__.get("_initializing", False)

    @_initializing.setter
    def _initializing(self, value):
        self.__dict__["_initializing"] = value


class _Finder(FileFinder):
    """Finds installed modules like FileFinder, and records the lookups."""

    def find_spec(self, fullname, target=None):
        _packages.note(fullname.partition(".")[0])
        spec = super().find_spec(fullname, target)
        if type(spec) is ModuleSpec:
            spec.__class__ = _Spec
        return spec


_open_folder = _Finder.path_hook(
    (ExtensionFileLoader, EXTENSION_SUFFIXES),
    (SourceFileLoader, SOURCE_SUFFIXES),
    (SourcelessFileLoader, BYTECODE_SUFFIXES),
)


def _find_installed(path):
    if not _is_installed(path):
        raise ImportError("not installed")
    return _open_folder(path)


class _Metadata:
    """The first finder used by `importlib.metadata`; it only records and finds nothing."""

    @staticmethod
    def find_spec(_name, _path=None, _target=None):
        return None

    @staticmethod
    def find_distributions(context=None):
        _packages.is_metadata_used = True
        name = getattr(context, "name", None)
        # A library may ask for its own version while loading. What a cell asks for is not known.
        is_single = isinstance(name, str) and _importer() is not None
        _packages.note(_distribution(name) if is_single else ALL)
        return iter(())

    @staticmethod
    def invalidate_caches():
        return None


def _hook(event, args):
    if event not in _LOOKS:
        return
    path = args[0]
    if not isinstance(path, (str, bytes, os.PathLike)):
        return
    try:
        path = os.fsdecode(path)
        if os.path.isabs(path) and not os.path.join(path, "").startswith(_packages.prefixes + _packages.sites):
            return
        caller = sys._getframe(1).f_code.co_filename
        if caller.startswith(("<frozen importlib", _HERE)):
            return
        is_site = event != "open" and os.path.join(os.path.abspath(path), "") in _packages.sites
        if not is_site:
            _packages.path(path)
        elif caller != _METADATA_FILE or not _packages.is_metadata_used:
            # `find_distributions` records what a listing by `importlib.metadata` looks for.
            _packages.note(ALL)
    except Exception:
        # An invalid path or a deleted working directory.
        _packages.note(ALL)


_HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
_LOOKS = frozenset(("open", "os.listdir", "os.scandir"))
_METADATA_FILE = os.path.join(os.path.dirname(os.__file__), "importlib", "metadata", "__init__.py")


def _noting(find_spec):
    """Wrap `importlib.util.find_spec`, which uses no finder for loaded modules."""

    @functools.wraps(find_spec)
    def noting(name, package=None):
        if isinstance(name, str) and not name.startswith("."):
            top = name.partition(".")[0]
            if type(getattr(sys.modules.get(top), "__spec__", None)) is _Spec:
                _packages.note(top)
        return find_spec(name, package)

    return noting


def _owner(inner):
    """The package that a path below a folder of packages belongs to."""
    first = inner.partition(os.sep)[0]
    if first.endswith((".dist-info", ".egg-info")):
        return _distribution(first.rpartition(".")[0].partition("-")[0])
    return first.partition(".")[0] or ALL


def _distribution(name):
    return "dist:" + re.sub(r"[-_.]+", "-", name).lower()


def _is_installed(path):
    return isinstance(path, str) and os.path.join(path, "").startswith(_packages.sites)


def _folders(folders):
    return tuple(sorted({os.path.join(place, "") for one in folders for place in (one, os.path.realpath(one))}))
