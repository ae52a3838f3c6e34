"""Values that cannot be stored for another cell, and what to do instead.

cloudpickle stores some of these silently as something else: an open file as its contents, a memoryview as bytes. They
are refused like the others.
"""

import re
import sys


class CannotStore(Exception):
    """The value cannot be serialised; the message contains the reason and what to do."""


_IN_EACH = "make it in each cell that uses it"
# Class as module and name, or as named in Python's own errors -> what to do.
_INSTEAD = {
    "generator": "store its items, as in `list(...)`, or make it in each cell that uses it",
    "async_generator": "store its items as a list",
    "coroutine": "await it in this cell and store its result",
    "memoryview": "store its bytes, as in `bytes(...)`, or the object it views",
    "traceback": "store its text, as in `traceback.format_exc()`",
    "frame": "store the values you need from it",
    "file": "close it, hand over its path, and open that in each cell that uses it",
    "folder": "it is removed with its object; make a folder with `tempfile.mkdtemp()` and hand over its path",
    "_thread.lock": "each cell runs in its own process, so %s" % _IN_EACH,
    "_thread.RLock": "each cell runs in its own process, so %s" % _IN_EACH,
    "_thread._local": "each cell runs in its own process, so %s" % _IN_EACH,
    "_thread._ThreadHandle": "threads end with their cell, so start it in the cell that needs it",
    "_queue.SimpleQueue": "threads end with their cell, so %s" % _IN_EACH,
    "socket": "connections end with their cell, so open it in each cell that uses it",
    "sqlite3.Connection": "connections end with their cell, so open it in each cell that uses it",
    "sqlite3.Cursor": "fetch its rows and store those",
    "weakref.ReferenceType": "store the object it refers to",
    "re.Match": "store its groups, as in `m.groups()` or `m[0]`",
    "_sre.SRE_Scanner": "store its matches, as in `[m[0] for m in ...]`",
    "polars.Object": "a polars column of Python objects cannot be stored: convert it, as in `frame.to_pandas()` or "
    "`series.to_list()`",
}
_FILES = ("TextIOWrapper", "BufferedReader", "BufferedWriter", "BufferedRandom", "FileIO")
_NAMED = re.compile(r"cannot pickle '?([\w.]+)'?(?: object| instances)?")


def refuse_changed(item):
    """Raise CannotStore for a value that cloudpickle would store as something else."""
    kind = type(item)
    name = kind.__module__ + "." + kind.__name__ if type(kind.__module__) is str else ""
    if kind is memoryview:
        raise refusal("memoryview", "a view of memory (memoryview)")
    if name == "tempfile.TemporaryDirectory":
        raise refusal("folder", "a temporary folder (TemporaryDirectory)")
    if kind.__module__ == "_io" and kind.__name__ in _FILES and not _is_stream(item):
        raise refusal("file", "an open file (%s)" % kind.__name__)


def is_changed(item):
    """Whether plain pickle would store something else, too."""
    return type(item).__name__ == "TemporaryDirectory"


def _is_stream(item):
    return any(item is getattr(sys, name, None) for name in ("stdin", "stdout", "stderr", "__stdout__", "__stderr__"))


def refusal(kind, what):
    return CannotStore("it is or holds %s, which exists only in this process: %s" % (what, _INSTEAD[kind]))


def explained(error):
    """Convert a pickler's error to one that says what to do; an unknown error is returned unchanged."""
    text = str(error)
    if isinstance(error, CannotStore):
        return error
    if isinstance(error, RecursionError) or "deep recursion" in text:
        return CannotStore("it is nested too deeply to be stored: flatten it, or store its parts")
    if text == "serializing data of type Object is not supported":
        return CannotStore(_INSTEAD["polars.Object"])
    match = _NAMED.search(text)
    if match is None:
        return error
    name = "file" if match[1].removeprefix("_io.") in _FILES else match[1]
    instead = _INSTEAD.get(name, "%s, or store the plain data it was made from" % _IN_EACH)
    return CannotStore("it is or holds a %s, which exists only in this process: %s" % (match[1], instead))
