"""Finds names in a run's code whose effects an audit hook cannot observe.

Native libraries open files and connections themselves; clocks and random numbers cause no audit event. Both are
detected by names in the executed code: of the cell, of shared code and of modules of the notebook's folder.
"""

import sys
import types

# A run that imports one of these, or accesses it through a variable, counts as open to the world.
_NATIVE_MODULES = frozenset(
    "duckdb h5py tables netCDF4 zarr rasterio fiona pyogrio cv2 deltalake pyiceberg lance adbc_driver_manager "
    "psycopg psycopg2 MySQLdb mysql pyodbc pymssql oracledb cx_Oracle connectorx grpc pycurl zmq ray ctypes cffi "
    "pyarrow.fs pyarrow.parquet pyarrow.dataset pyarrow.csv pyarrow.json pyarrow.feather pyarrow.orc "
    "pyarrow.flight lightgbm xgboost catboost torchaudio torchvision.io tensorflow jax.profiler".split()
)
# Methods that libraries mostly use on values in memory.
_NATIVE_METHODS = frozenset(
    "read_parquet to_parquet read_feather to_feather read_orc to_orc read_hdf to_hdf HDFStore read_delta write_delta "
    "scan_csv scan_parquet scan_ndjson scan_ipc scan_delta scan_iceberg sink_csv sink_parquet sink_ipc sink_ndjson "
    "open_dataset open_mfdataset open_dataarray open_zarr load_dataset memory_map OSFile read_ipc write_ipc".split()
)
# Methods of polars, whose readers and writers are all native, unlike those of the same name in pandas.
_POLARS_METHODS = frozenset(
    "read_csv read_json read_ndjson read_avro read_excel read_ods read_csv_batched read_database write_csv write_json "
    "write_ndjson write_parquet write_avro write_excel".split()
)
_UNSTEADY = frozenset(
    "random secrets uuid uuid1 uuid4 urandom now today utcnow time time_ns perf_counter monotonic default_rng "
    "Generator RandomState".split()
)

_IMPORT_INTERNALS = frozenset("PathFinder FileFinder path_importer_cache path_hooks meta_path".split())


# Both parts of a module that is imported in two ways: `pyarrow.fs`, or `from pyarrow import fs`.
_IN_PARTS = tuple((module, *module.partition(".")[::2]) for module in sorted(_NATIVE_MODULES) if "." in module)
# With one of these, code may access a module without naming it.
_REACHES_ANY_MODULE = frozenset("import_module __import__ modules".split())
_NAMES_NATIVE = _NATIVE_MODULES | _NATIVE_METHODS


class CodeNames:
    """Collects the names in executed code. `is_installed(path)`: whether to skip the code of that file."""

    def __init__(self, is_installed):
        self._is_installed = is_installed
        self._names = set()
        self._modules = set()
        self._code_objects = {}  # by identity, which stays valid because the code object is kept here

    def add(self, code):
        """Add all names of a code object and of the functions and classes inside it."""
        if not isinstance(code, types.CodeType) or self._is_installed(code.co_filename):
            return
        waiting = [code]
        while waiting:
            one = waiting.pop()
            if id(one) in self._code_objects:
                continue
            self._code_objects[id(one)] = one
            self._names.update(one.co_names)
            waiting.extend(inner for inner in one.co_consts if isinstance(inner, types.CodeType))

    def add_reachable(self, namespace):
        """Add code executed before the run was observed: functions and modules loaded by a template."""
        for value in list(namespace.values()):
            kind = type(value)  # isinstance would use `__class__`, which may run the value's code
            if kind is types.FunctionType:
                self.add(value.__code__)
            elif issubclass(kind, type) and self._is_own(sys.modules.get(type.__getattribute__(value, "__module__"))):
                self._add_members(value)
            elif issubclass(kind, types.ModuleType):
                self._modules.add(value.__name__)
                if self._is_own(value):
                    self._add_members(value)

    def may_be_native(self):
        """Whether the code so far may read or write unobserved. True whenever `native` will return names, unless the
        code reaches a native module in a way that its names do not show."""
        names = self._names | self._modules if self._modules else self._names
        return (
            not names.isdisjoint(_NAMES_NATIVE)
            or not names.isdisjoint(_REACHES_ANY_MODULE)
            or any(top in names and rest in names for _, top, rest in _IN_PARTS)
            or _names_polars(names)
            or ("polars" in sys.modules and not names.isdisjoint(_POLARS_METHODS))
        )

    def native(self, namespace):
        """Sorted names of what may read or write unobserved."""
        self.add_reachable(namespace)
        names = self._names | self._modules
        reached = (self._names & _NATIVE_METHODS) | (names & _NATIVE_MODULES)
        for module, top, rest in _IN_PARTS:
            if top in names and rest in names and module in sys.modules:
                reached.add(module)
        if _names_polars(names):
            reached |= self._names & _POLARS_METHODS
        return sorted(reached)

    def unsteady(self):
        """Whether the code names a clock or a source of random numbers."""
        return not self._names.isdisjoint(_UNSTEADY)

    def inspects_imports(self):
        """Whether the code bypasses the import system: what it finds then depends on what other cells import."""
        return {"sys", "modules"} <= self._names or not self._names.isdisjoint(_IMPORT_INTERNALS)

    def _is_own(self, module):
        path = getattr(module, "__file__", None)
        return isinstance(path, str) and not self._is_installed(path)

    def _add_members(self, holder):
        for member in list(vars(holder).values()):
            if type(member) is types.FunctionType:
                self.add(member.__code__)


def _names_polars(named):
    return any(name == "polars" or name.startswith("polars.") for name in named)


def is_native_loaded():
    """Whether a library that may open files natively is loaded; nearly all of them use `ctypes`."""
    return any(module in sys.modules for module in _LOADABLE) or "polars" in sys.modules


_LOADABLE = tuple(sorted(_NATIVE_MODULES - {"ctypes"}))
