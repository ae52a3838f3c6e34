"""Formats the failure of a cell: the error line, and the traceback starting at the cell's own frame."""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
# The client `svc` of cells (ambient.py).
_CLIENT = os.path.join(os.path.dirname(os.path.dirname(_HERE)), "svc-client") + os.sep


def describe(error):
    """(error, traceback) texts of an exception. Never raises an Exception; frees memory held by failed frames."""
    if isinstance(error, MemoryError):
        _free_frames(error)
    line = _error_line(error)
    try:
        return line, _traceback_text(error)
    except Exception as problem:  # an exception whose attributes raise when they are accessed
        return line, "%s\n(its traceback could not be formatted: %s)\n" % (line, type(problem).__name__)


def _error_line(error):
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:
        return "%s: <exception str() failed>" % name
    return "%s: %s" % (name, text) if text else name


def _traceback_text(error):
    import traceback

    whole = traceback.TracebackException(type(error), error, error.__traceback__, lookup_lines=False, compact=True)
    _strip(whole, set())
    return "".join(whole.format())


def _strip(part, seen):
    """Drop the harness's frames from an exception and from all exceptions chained to it."""
    if part is None or id(part) in seen:
        return
    seen.add(id(part))
    part.stack[:] = [frame for frame in part.stack if not _is_ours(frame.filename)]
    _strip(part.__cause__, seen)
    _strip(part.__context__, seen)
    for inner in getattr(part, "exceptions", None) or ():
        _strip(inner, seen)


def _is_ours(filename):
    return filename.startswith((_HERE, _CLIENT)) or filename == "<frozen svc_harness>"


def _free_frames(error):
    """Clear the failed frames, so that there is memory to write the result."""
    trace = error.__traceback__
    while trace is not None:
        if not _is_ours(trace.tb_frame.f_code.co_filename):
            try:
                trace.tb_frame.clear()
            except RuntimeError:  # still running: a generator further up the stack
                sys.exc_info()
        trace = trace.tb_next
