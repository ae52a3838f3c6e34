"""Ends cells when the server process ends.

``guard_group(control)`` leaves a small process in the caller's group, which waits for the other end of the control
socket to close and then kills the group. It is a process, not a thread, because a cell that forks must be
single-threaded; it is a grandchild, so that ``os.wait()`` in a cell never returns it. Unlike PR_SET_PDEATHSIG, this
also covers processes the cell started, and works on macOS.
"""

import os
import signal
import sys

MARKER = "SVC_RUN_MARKER"


def guard_group(control):
    """Start the guard of this process's group. On Windows, a thread does this as far as possible."""
    if not hasattr(os, "fork"):
        _guard_by_thread(control)
        return
    marker = os.environ.get(MARKER)
    middle = os.fork()
    if middle:
        os.waitpid(middle, 0)
        return
    try:
        if os.fork():
            os._exit(0)
        _wait_and_kill(control, marker)
    finally:
        os._exit(0)


def _wait_and_kill(control, marker):
    import select

    # Termination signals below SIGKILL go to the whole group; the guard must survive them.
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    if control != 3:
        os.dup2(control, 3)
    os.closerange(4, 65536)
    poll = select.poll()
    # No event mask: a hang-up is always reported, and the guard does not read data from the server.
    poll.register(3, 0)
    while not poll.poll():
        pass
    if marker:
        kill_marked(marker)
    os.killpg(0, signal.SIGKILL)


# How often to check a process whose environment cannot be read, before ignoring it: it has ended, belongs to another
# user, or is in the middle of execve.
_LOOKS = 20


def kill_marked(marker):
    """SIGKILL every other process whose environment contains the marker, in any process group (Linux only).

    A process may fork during the scan and exit before it is checked. So new processes are scanned again, until a pass
    finds none with the marker and none that could not be read."""
    entry = (MARKER + "=" + marker).encode()
    unread = {}
    scanned = {str(os.getpid())}
    settled = not os.path.isdir("/proc/self")
    while not settled:
        settled = True
        for name in os.listdir("/proc"):
            if not name.isdigit() or name in scanned:
                continue
            environment = environment_of(name)
            if not any(environment):
                unread[name] = unread.get(name, 0) + 1
                if unread[name] < _LOOKS:
                    settled = False
                    continue
            elif entry in environment:
                settled = False
                try:
                    os.kill(int(name), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            scanned.add(name)


def environment_of(pid):
    """The environment block of a process as a list of ``NAME=value`` bytes; empty if unreadable."""
    try:
        with open("/proc/%s/environ" % pid, "rb") as block:
            return block.read().split(b"\0")
    except OSError:
        return []


def _guard_by_thread(control):
    import _thread
    import subprocess

    def watch():
        while os.read(control, 4096):
            pass
        subprocess.call(
            ["taskkill", "/T", "/F", "/PID", str(os.getpid())],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    if sys.platform == "win32":
        _thread.start_new_thread(watch, ())
