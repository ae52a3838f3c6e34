"""Process settings that a cell can change and that no other cell sees, and how to read them.

Only for loaded libraries. If a library version stores its settings elsewhere, they are not watched.
"""

import os
import sys

# Variables that libraries set while they initialise.
_OF_LIBRARIES = ("_", "KMP_", "JOBLIB_", "LOKY_", "CUDA_MODULE_LOADING", "TF2_", "TF_CPP", "MPLBACKEND", "QT_", "PYGAME_")
# The module-level functions of logging add this handler themselves.
_IMPLICIT_FORMAT = "%(levelname)s:%(name)s:%(message)s"


class ProcessSetting:
    """One setting. `read(module)` takes a cheap snapshot; `values` converts the snapshot to {key: value}.

    `written`: format of a key in messages. `is_list`: there is one key, and only its order and items are compared.
    `word`: compare only if the notebook's code contains it, because threads of libraries may change the setting.
    """

    __slots__ = ("name", "module", "read", "written", "is_list", "values", "word")

    def __init__(self, name, module, read, written="%s", is_list=False, values=dict, word=None):
        self.name, self.module, self.read, self.written = name, module, read, written
        self.is_list, self.values, self.word = is_list, values, word


def _environment(raw):
    names = {os.fsdecode(name): value for name, value in raw.items()}
    return {name: value for name, value in names.items() if not name.startswith(_OF_LIBRARIES)}


def _folder(module):
    try:
        return {"": module.getcwd()}
    except OSError:
        return {"": None}  # the directory was deleted


def _umask(_module):
    """Only readable on Linux; elsewhere it cannot be read without setting it."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            return {"": line.split()[1] for line in status if line.startswith("Umask:")}
    except OSError:
        return {}


def _interpreter(module):
    return {
        "sys.setrecursionlimit()": module.getrecursionlimit(),
        "sys.set_int_max_str_digits()": module.get_int_max_str_digits(),
        "sys.setswitchinterval()": module.getswitchinterval(),
    }


def _decimal(module):
    context = module.getcontext()
    names = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")
    return {**{name: getattr(context, name) for name in names}, "traps": dict(context.traps)}


def _logging(module):
    """Loggers that differ from what `getLogger` creates; placeholders have no handlers."""
    manager = module.Logger.manager
    states = {"logging.disable()": manager.disable, "logger root": _logger(module.root)}
    for name, logger in list(manager.loggerDict.items()):
        if type(logger) is not module.PlaceHolder and (
            logger.level or logger.handlers or not logger.propagate or logger.disabled
        ):
            states["logger %s" % name] = _logger(logger)
    return states


def _logger(logger):
    handlers = [id(one) for one in logger.handlers if not _is_implicit(one)]
    return (logger.level, handlers, logger.propagate, logger.disabled)


def _loggers(raw):
    return {name: state for name, state in raw.items() if state != (0, [], True, False)}


def _is_implicit(handler):
    name = type(handler).__name__
    if name == "StreamHandler":
        return handler.level == 0 and getattr(handler.formatter, "_fmt", None) == _IMPLICIT_FORMAT
    return name in ("NullHandler", "_StderrHandler")


def _null_handlers(module):
    """Loggers with do-nothing handlers, which libraries add while they load."""
    handlers = {}
    for name, logger in list(module.Logger.manager.loggerDict.items()):
        if type(logger) is not module.PlaceHolder and logger.handlers:
            handlers["logger %s" % name] = [id(one) for one in logger.handlers if type(one).__name__ == "NullHandler"]
    return handlers


def _closed_streams(module):
    streams = {"sys.stdout": module.stdout, "sys.stderr": module.stderr}
    return {name: True for name, stream in streams.items() if getattr(stream, "closed", False) is True}


def _nested(options):
    return {name: _nested(value) if type(value) is dict else value for name, value in options.items()}


def _flat(options, above=""):
    flat = {}
    for name, value in options.items():
        flat.update(_flat(value, above + name + ".") if type(value) is dict else {above + name: value})
    return flat


def _matplotlib(raw):
    names, values = raw
    ignored = ("backend", "backend_fallback", "interactive")
    return {name: value for name, value in zip(names, values) if name not in ignored}


def _polars(module):
    return {name: read() for name, read in module.config._POLARS_CFG_DIRECT_VARS.items()}


def _torch(module):
    return {
        "torch.set_default_dtype()": module.get_default_dtype(),
        "torch.set_grad_enabled()": module.is_grad_enabled(),
        "torch.use_deterministic_algorithms()": module.are_deterministic_algorithms_enabled(),
        "torch.set_printoptions()": repr(module._tensor_str.PRINT_OPTS),
    }


PROCESS_SETTINGS = (
    ProcessSetting("os.environ", "os", lambda module: dict(module.environ._data), "the environment variable %s", values=_environment),
    ProcessSetting("working directory", "os", _folder, "the working directory"),
    ProcessSetting("umask", "os", _umask, "the umask", word="umask"),
    ProcessSetting("sys.path", "sys", lambda module: {"": list(module.path)}, "sys.path", True),
    ProcessSetting("interpreter settings", "sys", _interpreter),
    ProcessSetting(
        "warnings filters",
        "warnings",
        lambda module: {"": list(module.filters)},
        "the filters of warnings",
        is_list=True,
        word="warnings",
    ),
    ProcessSetting("decimal context", "decimal", _decimal, "the decimal context (%s)"),
    ProcessSetting("logging", "logging", _logging, "logging (%s)", values=_loggers),
    ProcessSetting("logging handlers", "logging", _null_handlers, "logging (%s)", word="NullHandler"),
    ProcessSetting("streams", "sys", _closed_streams, "%s.close()"),
    ProcessSetting("garbage collection", "gc", lambda module: {"": module.isenabled()}, "automatic garbage collection"),
    ProcessSetting("locale", "locale", lambda module: {"": module.setlocale(module.LC_ALL)}, "the locale"),
    ProcessSetting("socket timeout", "socket", lambda module: {"": module.getdefaulttimeout()}, "the default timeout of sockets"),
    ProcessSetting("csv field limit", "csv", lambda module: {"": module.field_size_limit()}, "the field size limit of csv"),
    ProcessSetting("time zone", "time", lambda module: {"": module.tzname}, "the time zone"),
    ProcessSetting("numpy print options", "numpy", lambda module: module.get_printoptions(), "the NumPy print option %s"),
    ProcessSetting("numpy errors", "numpy", lambda module: module.geterr(), "np.seterr() (%s)"),
    ProcessSetting("pandas options", "pandas._config.config", lambda module: _nested(module._global_config), "the pandas option %s", values=_flat),
    ProcessSetting(
        "matplotlib.rcParams",
        "matplotlib",
        lambda module: (list(dict.keys(module.rcParams)), list(dict.values(module.rcParams))),
        "rcParams[%r]",
        values=_matplotlib,
    ),
    ProcessSetting("polars.Config", "polars", _polars, "the Polars setting %s"),
    ProcessSetting("sklearn config", "sklearn", lambda module: module.get_config(), "the scikit-learn setting %s"),
    ProcessSetting("torch settings", "torch", _torch),
    ProcessSetting("xarray options", "xarray.core.options", lambda module: dict(module.OPTIONS), "the xarray option %s"),
    ProcessSetting("plotly template", "plotly.io", lambda module: {"": str(module.templates.default)}, "the default Plotly template"),
    ProcessSetting("jax config", "jax", lambda module: dict(module.config.values), "the JAX setting %s"),
)


def read_settings():
    """{setting: snapshot} of all settings that can be read now."""
    states = {}
    for setting in PROCESS_SETTINGS:
        module = sys.modules.get(setting.module)
        if module is None:
            continue
        try:
            states[setting] = setting.read(module)
        except Exception:
            continue  # another version, or a cell replaced the attribute
    return states
