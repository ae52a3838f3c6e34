"""Runs the set-up cell: code that runs in each process before the cell itself (docs/extensions.md).

The cell starts with its process state (seeds, options, environment, working directory, paths). Its names stay separate:
other cells read them as they read those of any cell. Its output and displays are shown only at the set-up cell, where
it also runs as a cell.
"""

import contextlib
import os
import sys
import types

from . import execute
from .ambient import bind_client
from .displays import Markdown, display
from .outside import bind_outside
from .process_state import flush_streams

# The warning filters before the set-up cell ran; None if none ran.
_filters = None

# Namespaces of set-up cells that ran in this process: functions and hooks they installed may still look up names there.
_namespaces = []


class SetupFailed(Exception):
    """The set-up cell raised: the cell does not run."""

    def __init__(self, error, traceback):
        super().__init__("The setup cell failed: %s" % error)
        self.traceback = "The setup cell failed:\n%s" % (traceback or error + "\n")


def run_setup(manifest):
    """Run the manifest's set-up cell, if it has one. Raises SetupFailed."""
    global _filters
    setup = manifest.get("setup")
    if not setup:
        return
    import warnings

    _filters = warnings.filters[:]
    name = setup.get("cell_name") or "cell"
    source = execute.Source(setup["source"], name, "<set-up cell %s>" % name)
    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=sys.modules["builtins"], display=display, Markdown=Markdown)
    bind_client(main.__dict__, manifest)
    bind_outside(main.__dict__, manifest)
    _namespaces.append(main)
    before, sys.modules["__main__"] = sys.modules.get("__main__"), main
    execute.running = execute.Running(source.text, name, main.__dict__, manifest)
    silence = _Silence()
    try:
        execute.run(source, main.__dict__, _show_nothing)
    except (Exception, SystemExit) as error:
        raise _failed(error) from None
    finally:
        silence.end()
        execute.running = None
        if before is not None:
            sys.modules["__main__"] = before
    # Figures it drew are shown at the set-up cell.
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")


@contextlib.contextmanager
def filters_before_setup():
    """Context for the harness's own work on values: filters that turn warnings into errors apply to cell code only."""
    if _filters is None:
        yield
        return
    import warnings

    with warnings.catch_warnings():
        warnings.filters[:] = _filters
        yield


def _show_nothing(_value):
    return None


def _failed(error):
    from .failures import describe

    return SetupFailed(*describe(error))


class _Silence:
    """Discards standard output and error, including output of child processes, until `end`.

    The stream objects stay the same: a logging handler that holds one can still write to it in the cell.
    """

    def __init__(self):
        flush_streams()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        self._pid = os.getpid()
        self._saved = [(fd, os.dup(fd)) for fd in (1, 2)]
        for fd, _ in self._saved:
            os.dup2(nowhere, fd)
        os.close(nowhere)

    def end(self):
        flush_streams()
        if os.getpid() != self._pid:
            # A process that the set-up cell forked and that reached the end of the source: it is not this run.
            os._exit(0)
        for fd, copy in self._saved:
            os.dup2(copy, fd)
            os.close(copy)
