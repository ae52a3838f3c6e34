"""A child forked by the template, from its first instruction to the cell it runs, and the template's record of it.

It is forked in advance, prepares itself and then waits on a pipe for one line with its run. If the pipe closes, there
is no run.
"""

import ctypes
import fcntl
import json
import os
import select
import sys
import warnings

from .after_fork import forget_folders, prepare_after_fork
from .cell_warmup import warm_up_cell, warm_up_failure
from .lifeline import MARKER
from .running import run_and_exit
from .template_system import MARKER_LENGTH, close_all_but, grow

# The pipes of a child. Output of the last three is forwarded as frames of these types.
CONTROL, STARTED, OUT, ERR = 0, 3, 4, 5
# Descriptors of the first two in the child, outside the range that cells expect to be free.
_STARTED_FD, _CONTROL_FD = 3, 4
# Idle time before the failure warm-up: in a run of many cells the next request comes sooner.
_IDLE_SECONDS = 0.05


class Child:
    """A forked process that waits for its request."""

    __slots__ = ("pid", "control", "fds")

    def __init__(self, pid, control, fds):
        self.pid, self.control = pid, control
        self.fds = fds  # open read ends: fd -> STARTED | OUT | ERR

    def hand_over(self, request):
        """Send the request, once. Returns False if the child has ended in the meantime."""
        try:
            # Much smaller than a pipe's buffer, so it is written completely.
            os.write(self.control, json.dumps(request).encode() + b"\n")
            return True
        except BrokenPipeError:
            return False
        finally:
            os.close(self.control)
            self.control = None

    def drop(self):
        """Close the descriptors of a child that runs nothing."""
        if self.control is not None:
            os.close(self.control)
        for fd in self.fds:
            os.close(fd)


def fork_child(leave_template):
    """Fork a child that waits for its request. Raises OSError after cleaning up.

    `leave_template` is called in the child: it undoes the template's own state and returns the descriptors to keep and
    the address of the marker."""
    pipes = {}
    try:
        for kind in (CONTROL, STARTED, OUT, ERR):
            pipes[kind] = os.pipe()
        # Python 3.12 warns about forking a process with threads (imports may have left some): not relevant to users.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pid = os.fork()
    except OSError:
        for ends in pipes.values():
            os.close(ends[0])
            os.close(ends[1])
        raise
    control, control_end = pipes.pop(CONTROL)
    if pid == 0:
        _run_as_child(leave_template, control, {kind: write for kind, (_, write) in pipes.items()})
    os.close(control)
    fds = {}
    for kind, (read, write) in pipes.items():
        os.close(write)
        os.set_blocking(read, False)
        if kind != STARTED:
            grow(read)
        fds[read] = kind
    return Child(pid, control_end, fds)


def _run_as_child(leave_template, control, ends):
    """In the child: wait for the request and run it. Never returns."""
    try:
        os.setsid()
        library_fds, marker_address = leave_template()
        os.dup2(ends[OUT], 1)
        os.dup2(ends[ERR], 2)
        started, control = (fcntl.fcntl(fd, fcntl.F_DUPFD, _CONTROL_FD + 1) for fd in (ends[STARTED], control))
        os.dup2(started, _STARTED_FD, inheritable=False)
        os.dup2(control, _CONTROL_FD, inheritable=False)
        close_all_but({0, 1, 2} | {_STARTED_FD, _CONTROL_FD} | library_fds)
        prepare_after_fork(settled=True)
        warm_up_cell()
        if not select.select([_CONTROL_FD], [], [], _IDLE_SECONDS)[0]:
            warm_up_failure()
        request = _request_from(_CONTROL_FD)
        os.close(_CONTROL_FD)
        if request is None:
            os._exit(0)
        # The child may have waited for hours.
        forget_folders()
        _mark(marker_address, request["marker"])
        os.write(_STARTED_FD, b"s")
        os.close(_STARTED_FD)
        run_and_exit(request["manifest"])
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(70)


def _request_from(fd):
    """One line from a pipe, or None if the other end is closed without sending one."""
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(fd, 65536)
        if not part:
            return None
        line += part
    return json.loads(line)


def _mark(address, marker):
    """Store the run's marker in the environment, and in the block that /proc shows for forked descendants."""
    if address:
        ctypes.memmove(address, marker.encode(), MARKER_LENGTH)
    os.environ[MARKER] = marker
