"""What the template asks of Linux and of the interpreter it runs in: descriptors, processes, signals, exit handlers.

Functions without a state of their own; `template.py` knows when each is due.
"""

import atexit
import ctypes
import fcntl
import os
import signal
import sys

from .lifeline import MARKER

# Marker text has a fixed length: a child writes its own over the template's in the environment block.
MARKER_LENGTH = 32
_PIPE_BYTES = 256 * 1024
_F_SETPIPE_SZ = 1031


def nothing(*_):
    """SIGCHLD needs a handler to reach the wakeup fd."""


def private_streams():
    """Move the protocol off fds 0 and 1, where imports and children would meet it."""
    requests, frames = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return requests, frames


def open_fds():
    return {int(name) for name in os.listdir("/proc/self/fd")} - {0, 1, 2}


def close_all_but(kept):
    low = 3
    for fd in sorted(kept - {0, 1, 2}):
        os.closerange(low, fd)
        low = fd + 1
    os.closerange(low, 1 << 20)


def own_no_exit_handlers():
    """What the imports wanted done at exit is not each child's to do (say, remove a directory they share).
    The handlers every process needs are put back."""
    atexit._clear()
    finalize = getattr(sys.modules.get("weakref"), "finalize", None)
    if finalize is not None:
        for info in finalize._registry.values():
            info.atexit = False
        finalize._registered_with_atexit = False
    if "logging" in sys.modules:
        atexit.register(sys.modules["logging"].shutdown)
    if "multiprocessing.util" in sys.modules:
        atexit.register(sys.modules["multiprocessing.util"]._exit_function)


def address_of_marker():
    """Where the value of MARKER is in the environment block this process was started with, or None."""
    entries = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
    prefix = (MARKER + "=").encode()
    index = 0
    while entries[index]:
        text = ctypes.string_at(entries[index])
        if text.startswith(prefix) and len(text) == len(prefix) + MARKER_LENGTH:
            return entries[index] + len(prefix)
        index += 1
    return None


def children_of(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as listing:
            return [int(child) for child in listing.read().split()]
    except OSError:
        return []


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def signal_group(pid, number):
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        # The child has not reached setsid() yet: it has no group, only itself.
        if number == signal.SIGKILL:
            kill(pid)
    except PermissionError:
        return


def grow(fd):
    try:
        fcntl.fcntl(fd, _F_SETPIPE_SZ, _PIPE_BYTES)
    except OSError:
        # The user's pipe budget is spent: the default size works too.
        return


def drain(fd):
    try:
        while len(os.read(fd, 4096)) == 4096:
            continue
    except BlockingIOError:
        return


