"""Settings of the process that a cell can make and no other cell sees: what they are and how they are read.

Only of libraries that are loaded. A library of another version may keep its settings elsewhere: it is not watched then.
"""

import os
import sys

# Set by libraries while they start their own machinery.
_OF_LIBRARIES = ("_", "KMP_", "JOBLIB_", "LOKY_", "CUDA_MODULE_LOADING", "TF2_", "TF_CPP", "MPLBACKEND", "QT_", "PYGAME_")
# The module-level functions of logging add this handler themselves.
_IMPLICIT_FORMAT = "%(levelname)s:%(name)s:%(message)s"


class Knob:
    """`read(module)` gives {key: value}; `written` is how a message names one key; an `is_list` has one key."""

    __slots__ = ("name", "module", "read", "written", "is_list")

    def __init__(self, name, module, read, written="%s", is_list=False):
        self.name, self.module, self.read, self.written, self.is_list = name, module, read, written, is_list


def _environment(module):
    names = {}
    for name, value in module.environ._data.items():
        text = os.fsdecode(name)
        if not text.startswith(_OF_LIBRARIES):
            names[text] = value
    return names


def _folder(module):
    try:
        return {"": module.getcwd()}
    except OSError:
        return {"": None}  # it was deleted


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
    manager = module.Logger.manager
    found = {"logging.disable()": manager.disable}
    for name, logger in [("root", module.root), *list(manager.loggerDict.items())]:
        if not hasattr(logger, "handlers"):
            continue  # a name on the way to a logger
        handlers = tuple(id(one) for one in logger.handlers if not _is_implicit(one))
        state = (logger.level, handlers, logger.propagate, logger.disabled)
        if state != (0, (), True, False):
            found["logger %s" % name] = state
    return found


def _is_implicit(handler):
    name = type(handler).__name__
    if name == "StreamHandler":
        return handler.level == 0 and getattr(handler.formatter, "_fmt", None) == _IMPLICIT_FORMAT
    return name in ("NullHandler", "_StderrHandler")


def _pandas(module):
    return dict(_flat(module._global_config, ""))


def _flat(options, above):
    for name, value in options.items():
        if type(value) is dict:
            yield from _flat(value, above + name + ".")
        else:
            yield above + name, value


def _matplotlib(module):
    ignored = ("backend", "backend_fallback", "interactive")
    return {name: value for name, value in dict.items(module.rcParams) if name not in ignored}


def _polars(module):
    return {name: value for name, value in module.Config.state().items() if not name.startswith("POLARS_")}


def _torch(module):
    return {
        "torch.set_default_dtype()": module.get_default_dtype(),
        "torch.set_grad_enabled()": module.is_grad_enabled(),
        "torch.use_deterministic_algorithms()": module.are_deterministic_algorithms_enabled(),
        "torch.set_printoptions()": repr(module._tensor_str.PRINT_OPTS),
    }


KNOBS = (
    Knob("os.environ", "os", _environment, "the environment variable %s"),
    Knob("working directory", "os", _folder, "the working directory"),
    Knob("sys.path", "sys", lambda module: {"": list(module.path)}, "sys.path", True),
    Knob("interpreter settings", "sys", _interpreter),
    Knob("warnings filters", "warnings", lambda module: {"": list(module.filters)}, "the filters of warnings", True),
    Knob("decimal context", "decimal", _decimal, "the decimal context (%s)"),
    Knob("logging", "logging", _logging, "logging (%s)"),
    Knob("locale", "locale", lambda module: {"": module.setlocale(module.LC_ALL)}, "the locale"),
    Knob("socket timeout", "socket", lambda module: {"": module.getdefaulttimeout()}, "the default timeout of sockets"),
    Knob("csv field limit", "csv", lambda module: {"": module.field_size_limit()}, "the field size limit of csv"),
    Knob("time zone", "time", lambda module: {"": module.tzname}, "the time zone"),
    Knob("numpy print options", "numpy", lambda module: module.get_printoptions(), "the NumPy print option %s"),
    Knob("numpy errors", "numpy", lambda module: module.geterr(), "np.seterr() (%s)"),
    Knob("pandas options", "pandas._config.config", _pandas, "the pandas option %s"),
    Knob("matplotlib.rcParams", "matplotlib", _matplotlib, "rcParams[%r]"),
    Knob("polars.Config", "polars", _polars, "the Polars setting %s"),
    Knob("sklearn config", "sklearn", lambda module: module.get_config(), "the scikit-learn setting %s"),
    Knob("torch settings", "torch", _torch),
    Knob("xarray options", "xarray.core.options", lambda module: dict(module.OPTIONS), "the xarray option %s"),
    Knob("plotly template", "plotly.io", lambda module: {"": str(module.templates.default)}, "the default Plotly template"),
    Knob("jax config", "jax", lambda module: dict(module.config.values), "the JAX setting %s"),
)


def read_knobs():
    """{knob: {key: value}} of all that can be read now."""
    states = {}
    for knob in KNOBS:
        module = sys.modules.get(knob.module)
        if module is None:
            continue
        try:
            states[knob] = knob.read(module)
        except Exception:
            continue  # another version, or a cell put something else in its place
    return states
