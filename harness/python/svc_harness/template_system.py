"""Linux and interpreter functions used by the template: descriptors, processes, signals, exit handlers.

They are stateless; `template.py` decides when to call them.
"""

import atexit
import ctypes
import fcntl
import os
import signal
import sys

from .lifeline import MARKER

# Markers have a fixed length: a child overwrites the template's marker in the environment block.
MARKER_LENGTH = 32
_PIPE_BYTES = 256 * 1024
_F_SETPIPE_SZ = 1031


def nothing(*_):
    """No-op handler: SIGCHLD needs a handler to reach the wakeup fd."""


def private_streams():
    """Move the protocol away from fds 0 and 1, which imports and children use."""
    requests, frames = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return requests, frames


def open_fds():
    return {int(name) for name in os.listdir("/proc/self/fd")} - {0, 1, 2}


def close_all_but(fds):
    low = 3
    for fd in sorted(fds - {0, 1, 2}):
        os.closerange(low, fd)
        low = fd + 1
    os.closerange(low, 1 << 20)


def remove_inherited_exit_handlers():
    """Remove the exit handlers that imports registered, which must not run in each child (they may remove a directory
    that the children share). Handlers that every process needs are restored."""
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
    """Address of MARKER's value in the environment block of this process, or None."""
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
        # The child has not called setsid() yet, so signal the process itself.
        if number == signal.SIGKILL:
            kill(pid)
    except PermissionError:
        return


def grow(fd):
    try:
        fcntl.fcntl(fd, _F_SETPIPE_SZ, _PIPE_BYTES)
    except OSError:
        # The user's limit for pipe buffers is reached: keep the default size.
        return


def drain(fd):
    try:
        while len(os.read(fd, 4096)) == 4096:
            continue
    except BlockingIOError:
        return


