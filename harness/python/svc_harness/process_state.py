"""Process state of a cell: environment, working directory, streams, signals, and what to reset after a fork."""

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
    """Set up this process for the cell: everything that is visible to the cell before its inputs are read."""
    set_variables(manifest.get("env") or {})
    cwd = manifest.get("cwd")
    if cwd is not None:
        os.chdir(cwd)
        _put_first(cwd)
    sys.argv = [""]
    _prepare_streams()
    _prepare_interrupts()


def set_variables(env):
    """Set the environment variables of a run; also called by processes that preload modules, before they do so."""
    # Figures are captured, never drawn on a screen; child processes inherit this setting.
    os.environ["MPLBACKEND"] = "Agg"
    os.environ.update(env)


def _put_first(cwd):
    """Put the notebook's folder first on sys.path; the harness's own folder is not on it."""
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
            # Flush after each line, so that output is visible while the cell runs.
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
    """Replace all password functions of the getpass module."""
    for name in ("getpass", "unix_getpass", "win_getpass", "fallback_getpass"):
        if hasattr(getpass, name):
            setattr(getpass, name, _refuse_password)


def _refuse_breakpoint(*_args, **_options):
    """Replaces breakpoint(): a debugger would wait for input that cannot come."""
    raise RuntimeError("a cell cannot stop in a debugger, because it takes no input. Print or display values instead.")


def _prepare_interrupts():
    """Make SIGINT raise KeyboardInterrupt even if the parent process ignored it."""
    import _signal

    try:
        if _signal.getsignal(_signal.SIGINT) is not _signal.default_int_handler:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    except ValueError:  # not the main thread: the caller handles signals
        return


def ignore_interrupts():
    """The result is being written from now on; a late interrupt must not damage it."""
    import _signal

    try:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
        if hasattr(_signal, "setitimer"):
            _signal.setitimer(_signal.ITIMER_REAL, 0)
    except ValueError:
        return


def restore_recursion(recursion_limit):
    """A cell may have set a limit too low for the harness's own calls."""
    if sys.getrecursionlimit() < recursion_limit:
        sys.setrecursionlimit(recursion_limit)


def flush_streams():
    """Flush the cell's streams, even if the cell replaced or closed them."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None and not getattr(stream, "closed", False):
                stream.flush()
        except Exception:
            continue  # a replaced or closed stream has no data to lose


def warm_up():
    """In a template, import every harness module a run needs, so that forked children import nothing."""
    # ast and tokenize are used to print carets in tracebacks.
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
    from . import code_sharing, folder_modules, observed_files, shared_modules, slice_watch  # noqa: F401

    observed_files.known_places()


def settle_template():
    """In a template, once after its imports: do the work that each child would otherwise repeat, which copies the memory
    pages it touches. `reseed` is called again after each fork, for the next child."""
    reseed()
    _forget_warnings()


def prepare_after_fork(settled=False):
    """Make a child forked from a template equivalent to a new process. Call it before `run_manifest`.

    Resets the random generators of `random`, numpy and torch (a new seed each); import caches, so that files written
    since the template started are found; signal handlers and the wakeup fd that the template may have set; warnings
    shown once per process; multiprocessing's record of children. Locale and the options of numpy and pandas are not
    reset, because a template does not change them. The template must flush its streams before forking and must not have
    started threads. `settled`: the template has called `settle_template`, and `reseed` after each fork.
    """
    if not settled:
        settle_template()
    forget_folders()
    _reset_signals()
    process = sys.modules.get("multiprocessing.process")
    if process is not None:
        process._children.clear()


def reseed():
    """Give every loaded random generator a new seed."""
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
    """importlib.invalidate_caches() for the path finders only; the original imports importlib.metadata."""
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
    """Without this, a warning shown while the template imported would not be shown again in the cell."""
    for module in list(sys.modules.values()):
        registry = getattr(module, "__dict__", {}).get("__warningregistry__")
        if registry:
            registry.clear()
