"""A dying server takes its cells with it.

``guard_group(control)`` leaves a tiny process in the caller's group that waits for the other end of
the control socket to close and then kills the group. It is a process and not a thread because a cell
that forks must be single-threaded, and it is a grandchild so that ``os.wait()`` in a cell never meets it.
It needs no PR_SET_PDEATHSIG, so it also covers what the cell itself started, and macOS.
"""

import os
import signal
import sys

MARKER = "SVC_RUN_MARKER"


def guard_group(control):
    """Start the guard of this process's group. On Windows a thread does what it can."""
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

    # The ladder's gentle signals go to the whole group; the guard outlives them.
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    if control != 3:
        os.dup2(control, 3)
    os.closerange(4, 65536)
    poll = select.poll()
    # No event mask: a hang-up is always reported, and data from the server is not read here.
    poll.register(3, 0)
    while not poll.poll():
        pass
    if marker:
        kill_marked(marker)
    os.killpg(0, signal.SIGKILL)


# Looks at a process whose environment cannot be read before it is left alone: it has ended, is none of ours, or
# is in the middle of execve.
_LOOKS = 20


def kill_marked(marker):
    """SIGKILL every other process whose environment carries the marker, in whatever group (Linux only).

    A process may fork while the others are looked for, and be gone before it is looked at itself. So what is
    new is looked at again, until a pass found nothing of ours and nothing that could not be read."""
    wanted = (MARKER + "=" + marker).encode()
    unread = {}
    known = {str(os.getpid())}
    settled = not os.path.isdir("/proc/self")
    while not settled:
        settled = True
        for name in os.listdir("/proc"):
            if not name.isdigit() or name in known:
                continue
            environment = environment_of(name)
            if not any(environment):
                unread[name] = unread.get(name, 0) + 1
                if unread[name] < _LOOKS:
                    settled = False
                    continue
            elif wanted in environment:
                settled = False
                try:
                    os.kill(int(name), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            known.add(name)


def environment_of(pid):
    """The environment block of a process as a list of ``NAME=value`` bytes, empty when unreadable."""
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
