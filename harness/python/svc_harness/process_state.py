"""The process around a cell: environment, working directory, streams, signals, and what a fork must reset."""

import builtins
import os
import sys

from .local_modules import compile_always

HARNESS_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

_NO_INPUT = (
    "a cell cannot ask for input, because it can run unattended and its result is stored. "
    "Assign the value in the cell, read it from an environment variable, or use a widget cell."
)

_NO_PASSWORD = (
    "a cell cannot ask for a password, because it can run unattended and its result is stored. "
    "Put the password into an environment variable of the notebook and read it with os.environ[...]."
)


def prepare_process(manifest):
    """Make this process the cell's: everything a cell can see of it before its inputs are read."""
    set_variables(manifest.get("env") or {})
    cwd = manifest.get("cwd")
    if cwd is not None:
        os.chdir(cwd)
        _put_first(cwd)
    sys.argv = [""]
    _prepare_streams()
    _prepare_interrupts()


def set_variables(env):
    """The variables of a run. A process that imports modules ahead of it has the same ones before it does."""
    # Figures are captured, never drawn on a screen; child processes inherit the same choice.
    os.environ["MPLBACKEND"] = "Agg"
    os.environ.update(env)


def _put_first(cwd):
    """The notebook's folder is where imports are looked for first; the harness's own folder is nowhere."""
    cwd = os.path.abspath(cwd)
    sys.path[:] = [entry for entry in sys.path if entry not in (HARNESS_ROOT, cwd, "")]
    sys.path.insert(0, cwd)
    compile_always(cwd)


def _prepare_streams():
    for name, fd in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            # Whole lines leave at once, so that what a cell prints is seen while it runs.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    builtins.input = _refuse_input
    sys.breakpointhook = _refuse_breakpoint


def _refuse_input(prompt="", /):
    """Replaces input(): standard input is closed."""
    raise RuntimeError(_NO_INPUT)


def _refuse_password(*_args, **_options):
    """Replaces getpass.getpass(): it would wait for a terminal that does not exist."""
    raise RuntimeError(_NO_PASSWORD)


def refuse_passwords(getpass):
    """Of the module getpass, whichever way it asks."""
    for name in ("getpass", "unix_getpass", "win_getpass", "fallback_getpass"):
        if hasattr(getpass, name):
            setattr(getpass, name, _refuse_password)


def _refuse_breakpoint(*_args, **_options):
    """Replaces breakpoint(): a debugger would wait for input that cannot come."""
    raise RuntimeError("a cell cannot stop in a debugger, because it takes no input. Print or display values instead.")


def _prepare_interrupts():
    """SIGINT raises KeyboardInterrupt even where the parent ignored it."""
    import _signal

    try:
        if _signal.getsignal(_signal.SIGINT) is not _signal.default_int_handler:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    except ValueError:  # not the main thread: the caller keeps the signals
        return


def ignore_interrupts():
    """From here on the result is being written; a late interrupt must not tear it."""
    import _signal

    try:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
        if hasattr(_signal, "setitimer"):
            _signal.setitimer(_signal.ITIMER_REAL, 0)
    except ValueError:
        return


def restore_recursion(recursion_limit):
    """A cell may have left too little room for the harness's own calls."""
    if sys.getrecursionlimit() < recursion_limit:
        sys.setrecursionlimit(recursion_limit)


def flush_streams():
    """Flush the cell's streams, even if the cell replaced or closed them."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None and not getattr(stream, "closed", False):
                stream.flush()
        except Exception:
            continue  # a replaced or broken stream has nothing of ours to lose


def warm_up():
    """Import, in a template, all of the harness a run needs, so that a forked child imports nothing."""
    # ast and tokenize: a traceback's carets.
    import ast  # noqa: F401
    import hashlib  # noqa: F401
    import pickle  # noqa: F401
    import reprlib  # noqa: F401
    import tokenize  # noqa: F401
    import traceback  # noqa: F401
    import weakref  # noqa: F401

    from . import arrow_scalars, arrow_tables, arrow_tensors, decode, exports  # noqa: F401
    from . import code_state, content_compare, content_digest, process_watch, shared_values  # noqa: F401
    from . import failures, figures, mutations, pandas_fallbacks, pickles  # noqa: F401
    from . import folder_modules, observed_files, shared_modules, sharing, slice_watch  # noqa: F401

    observed_files.known_places()


def settle_template():
    """In a template, once, after its imports: what each child would otherwise do itself, at the price of
    copying every page it touches. `reseed` is called again after each fork, for the next child."""
    reseed()
    _forget_warnings()


def prepare_after_fork(settled=False):
    """Make a child forked from a template equal to a fresh process. Call before `run_manifest`.

    Resets: the random generators of `random`, numpy and torch (a fresh seed each); import caches, so that
    files written since the template started are found; signal handlers and the wakeup fd the template
    may have set; warnings shown once per process; multiprocessing's memory of children. Not reset,
    because nothing in a template changes it: locale, numpy and pandas options. The template must flush
    its streams before forking, and must not have started threads. `settled`: the template has called
    `settle_template`, and `reseed` after each fork.
    """
    if not settled:
        settle_template()
    forget_folders()
    _reset_signals()
    process = sys.modules.get("multiprocessing.process")
    if process is not None:
        process._children.clear()


def reseed():
    """A fresh seed for every generator that is loaded."""
    random = sys.modules.get("random")
    if random is not None:
        random.seed()
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "seed"):
        torch.seed()


def forget_folders():
    """importlib.invalidate_caches() for the path finders; the original imports importlib.metadata."""
    for path, finder in list(sys.path_importer_cache.items()):
        if finder is None:
            del sys.path_importer_cache[path]
        elif hasattr(finder, "invalidate_caches"):
            finder.invalidate_caches()


def _reset_signals():
    import _signal

    _signal.set_wakeup_fd(-1)
    for name, handler in (
        ("SIGINT", _signal.default_int_handler),
        ("SIGTERM", _signal.SIG_DFL),
        ("SIGCHLD", _signal.SIG_DFL),
        ("SIGHUP", _signal.SIG_DFL),
        ("SIGALRM", _signal.SIG_DFL),
    ):
        number = getattr(_signal, name, None)
        if number is not None:
            _signal.signal(number, handler)
    if hasattr(_signal, "pthread_sigmask"):
        _signal.pthread_sigmask(_signal.SIG_SETMASK, ())


def _forget_warnings():
    """A warning shown while the template imported would otherwise stay silent in the cell."""
    for module in list(sys.modules.values()):
        registry = getattr(module, "__dict__", {}).get("__warningregistry__")
        if registry:
            registry.clear()
