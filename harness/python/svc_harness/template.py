"""The template: an interpreter with a notebook's imports loaded that forks a child per run (Linux).

It owns the children, their process groups and their output pipes. It has one thread and one poll loop, runs no cell
code itself and must not block except in that loop.

In, JSON lines on fd 0:   {"imports": [...], "env": {...}}                 first, once
                          {"run": n, "manifest": p, "marker": m}   fork a child
                          {"run": n, "signal": s}                  signal its group
                          {"run": n, "withdraw": true}             kill it, unless it has started
Out, frames on fd 1:      <type u8><run u32><length u32> little-endian, then the payload
    READY   JSON {"loaded", "skipped"}     FORKED  u32 pid         STARTED  empty
    OUT, ERR  bytes the run printed        EXITED  JSON {"code": n}, {"signal": n} or {"not_started": why}
fd 2: output of the imports; a debug log, never a cell's stream.

A run: assigned to a child -> started (the child reached the harness) -> main process ended -> the rest of its group and
processes that left the group are killed, and the pipes are read to the end -> EXITED. So background processes of a cell
end with the cell, and no output is lost.

When nothing runs there is one standby child: it is already forked and has done the first steps of a run, which saves
2 ms. It runs one cell, like any other child. Without it (it was killed, or two runs start together) a child is forked
on demand.

When fd 0 closes (the server has ended), every group is killed and the template exits.
"""

import _ast  # noqa: F401  (compiling a cell needs it)
import ctypes
import gc
import json
import os
import select
import signal
import struct
import sys
import time

from .after_fork import reseed, settle_template, warm_up
from .lifeline import MARKER, environment_of
from .preload import SingleThreaded, preload
from .process_state import set_variables
from .table_warmup import warm_up_tables
from .template_child import ERR, OUT, STARTED, fork_child
from .template_system import (
    address_of_marker,
    children_of,
    drain,
    kill,
    nothing,
    open_fds,
    private_streams,
    remove_inherited_exit_handlers,
    signal_group,
)

# In addition to STARTED, OUT and ERR, which are also the numbers of a child's pipes.
READY, FORKED, EXITED = 1, 2, 6
_HEADER = struct.Struct("<BII")
_READ = 256 * 1024
# Limit for output the server has not read. Beyond it children are not read, so they block in write().
_MAX_WAITING = 1024 * 1024
# How long the pipes of an ended run may stay open after all processes that hold them were sent SIGKILL.
_DRAIN_SECONDS = 2.0
# Output printed line by line would wake this process and the server for each line: after a few short reads in a row,
# the next reads are delayed slightly, so that the pipe collects more data.
_CHATTER_READS, _CHATTER_BYTES, _CHATTER_PAUSE = 4, 16 * 1024, 0.001
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


class _Run:
    __slots__ = ("number", "pid", "marker", "fds", "started", "status", "drain_until")

    def __init__(self, number, pid, marker, fds):
        self.number, self.pid, self.marker = number, pid, marker
        self.fds = fds  # open read ends: fd -> STARTED | OUT | ERR
        self.started = False
        self.status = None  # exit status of the main process, once it has ended
        self.drain_until = None


class _Template:
    def __init__(self):
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
        self._pid = os.getpid()
        self._requests, self._frames = private_streams()
        os.set_blocking(self._requests, False)
        os.set_blocking(self._frames, False)
        self._wake, wake_write = os.pipe()
        for fd in (self._wake, wake_write):
            os.set_blocking(fd, False)
        self._poll = select.poll()
        self._runs = {}  # run number -> _Run
        self._standby = None
        self._by_fd = {}
        self._incoming = b""
        self._waiting = bytearray()
        self._paused = False
        self._stopping = False
        self._libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        # The end of stdin usually reports the server's death; this covers a server whose stdin was inherited by others.
        self._libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        self._own_handlers = {
            signal.SIGINT: signal.SIG_IGN,
            signal.SIGTERM: self._on_term,
            signal.SIGCHLD: nothing,
        }
        self._default_handlers = {number: signal.getsignal(number) for number in self._own_handlers}
        for number, handler in self._own_handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        self._marker_address = address_of_marker()

    # Preloading

    def load(self, imports, env):
        warm_up()
        set_variables(env)
        before = open_fds()
        self._threads = SingleThreaded()
        with self._threads:
            loaded, skipped = preload(imports)
            warm_up_tables()
        sys.stdout.flush()
        sys.stderr.flush()
        self._library_fds = open_fds() - before
        remove_inherited_exit_handlers()
        settle_template()
        # Files may be added before the next run: children search again, but only for what they import.
        sys.path_importer_cache.clear()
        gc.collect()
        gc.freeze()
        self._send(READY, 0, json.dumps({"loaded": loaded, "skipped": skipped}).encode())

    # The loop

    def serve(self):
        self._poll.register(self._requests, select.POLLIN)
        self._poll.register(self._wake, select.POLLIN)
        self._poll.register(self._frames, 0)
        self._read_requests()
        if not self._runs:
            self._stand_by()
        short_reads = 0
        while not self._stopping:
            began = time.monotonic()
            ready = self._poll.poll(self._timeout())
            quiet = time.monotonic() - began > 4 * _CHATTER_PAUSE
            bytes_read = 0
            for fd, events in ready:
                if fd == self._requests:
                    self._read_requests()
                elif fd == self._wake:
                    drain(self._wake)
                elif fd == self._frames:
                    self._flush(events)
                elif fd in self._by_fd:
                    bytes_read += self._read_child(fd)
            self._reap()
            self._end_drained()
            short_reads = 0 if quiet or not 0 < bytes_read < _CHATTER_BYTES else short_reads + 1
            if short_reads > _CHATTER_READS:
                time.sleep(_CHATTER_PAUSE)
        self._kill_everything()

    def _timeout(self):
        if self._paused:
            return None
        ends = [run.drain_until for run in self._runs.values() if run.drain_until is not None]
        return None if not ends else max(0, (min(ends) - time.monotonic()) * 1000) + 1

    def _read_requests(self):
        while True:
            try:
                data = os.read(self._requests, _READ)
            except BlockingIOError:
                return
            if not data:
                self._stopping = True
                return
            *lines, self._incoming = (self._incoming + data).split(b"\n")
            for line in lines:
                self._handle(json.loads(line))

    def _handle(self, request):
        if "manifest" in request:
            self._start(request)
        elif "withdraw" in request:
            self._withdraw(self._runs.get(request["run"]))
        elif "signal" in request:
            run = self._runs.get(request["run"])
            if run is not None and run.status is None:
                signal_group(run.pid, request["signal"])

    def _withdraw(self, run):
        """End a run that the server no longer wants. If it starts just now, it is reported as started, then as ended."""
        if run is None or run.status is not None:
            return
        for fd in [fd for fd, kind in run.fds.items() if kind == STARTED]:
            self._read_child(fd)
        if not run.started:
            signal_group(run.pid, signal.SIGKILL)

    # Starting

    def _start(self, request):
        child, self._standby = self._standby, None
        try:
            if child is None or not self._gets(child, request):
                child = self._fork()
                if not self._gets(child, request):
                    raise OSError("the forked process ended at once")
        except OSError as problem:
            # Out of descriptors, processes or memory: the server may use another process.
            self._send(EXITED, request["run"], json.dumps({"not_started": str(problem)}).encode())
            return
        run = _Run(request["run"], child.pid, request["marker"], child.fds)
        self._runs[run.number] = run
        for fd in run.fds:
            self._by_fd[fd] = run
            if not self._paused:
                self._poll.register(fd, select.POLLIN)
        self._send(FORKED, run.number, struct.pack("<I", run.pid))

    def _gets(self, child, request):
        if child.hand_over(request):
            return True
        child.drop()
        return False

    def _stand_by(self):
        """Fork the child of the next run in advance. If this fails, a run without a child reports the error."""
        if self._standby is None and not self._stopping:
            try:
                self._standby = self._fork()
            except OSError:
                return

    def _fork(self):
        child = fork_child(self._as_cell)
        # For the next child; the result is not awaited.
        reseed()
        return child

    def _as_cell(self):
        """In the child, before anything else: undo the state that belongs to the template only."""
        self._libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != self._pid:
            os._exit(1)
        signal.set_wakeup_fd(-1)
        for number, handler in self._default_handlers.items():
            signal.signal(number, handler)
        self._threads.restore()
        library_fds, marker_address = self._library_fds, self._marker_address
        self.__dict__.clear()
        return library_fds, marker_address

    # Output

    def _read_child(self, fd):
        run = self._by_fd[fd]
        try:
            data = os.read(fd, _READ)
        except BlockingIOError:
            return 0
        if not data:
            self._close(run, fd)
        elif run.fds[fd] == STARTED:
            run.started = True
            self._send(STARTED, run.number, b"")
        else:
            self._send(run.fds[fd], run.number, data)
            return len(data)
        return 0

    def _send(self, kind, number, payload):
        self._waiting += _HEADER.pack(kind, number, len(payload))
        self._waiting += payload
        self._flush(0)

    def _flush(self, events):
        if events & (select.POLLERR | select.POLLHUP):
            self._stopping = True
            return
        while self._waiting:
            try:
                del self._waiting[: os.write(self._frames, self._waiting)]
            except BlockingIOError:
                break
            except OSError:
                # The server has ended: the output has no reader.
                self._stopping = True
                return
        self._poll.register(self._frames, select.POLLOUT if self._waiting else 0)
        self._pause(len(self._waiting) > _MAX_WAITING)

    def _pause(self, paused):
        if paused == self._paused:
            return
        self._paused = paused
        for fd in self._by_fd:
            if paused:
                self._poll.unregister(fd)
            else:
                self._poll.register(fd, select.POLLIN)

    def _close(self, run, fd):
        if not self._paused:
            self._poll.unregister(fd)
        del self._by_fd[fd], run.fds[fd]
        os.close(fd)

    # The end of runs

    def _reap(self):
        ended = False
        while True:
            try:
                news = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                break
            if news is None:
                break
            run = next((r for r in self._runs.values() if r.pid == news.si_pid and r.status is None), None)
            if self._standby is not None and self._standby.pid == news.si_pid:
                self._standby.drop()
                self._standby = None
            if run is not None:
                # Still a zombie, so its process group id cannot have been reused.
                signal_group(run.pid, signal.SIGKILL)
                killed = news.si_code in (os.CLD_KILLED, os.CLD_DUMPED)
                run.status = {"signal" if killed else "code": news.si_status}
                run.drain_until = time.monotonic() + _DRAIN_SECONDS
            ended = True
            os.waitpid(news.si_pid, 0)
        if ended:
            self._kill_strays()

    def _kill_strays(self):
        """Kill descendants of ended runs that left their group: they are reparented to this process (subreaper)."""
        alive = {run.pid for run in self._runs.values() if run.status is None}
        if self._standby is not None:
            alive.add(self._standby.pid)
        active = {(MARKER + "=" + run.marker).encode() for run in self._runs.values() if run.status is None}
        for pid in children_of(self._pid):
            if pid not in alive and not active.intersection(environment_of(pid)):
                kill(pid)

    def _end_drained(self):
        now = time.monotonic()
        for run in [r for r in self._runs.values() if r.status is not None]:
            if run.fds and (self._paused or now < run.drain_until):
                continue
            for fd in list(run.fds):
                self._close(run, fd)
            del self._runs[run.number]
            status = run.status
            if not run.started and "signal" in status:
                # Killed in standby, or before it started the cell: another process may run it.
                status = {"not_started": "the forked process was killed before the cell began"}
            self._send(EXITED, run.number, json.dumps(status).encode())
            # Not earlier: a run should not compete for the cores.
            self._stand_by()

    def _on_term(self, *_):
        self._stopping = True

    def _kill_everything(self):
        if self._standby is not None:
            kill(self._standby.pid)
        for run in self._runs.values():
            if run.status is None:
                signal_group(run.pid, signal.SIGKILL)
        until = time.monotonic() + 2
        while time.monotonic() < until:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0:
                    for pid in children_of(self._pid):
                        kill(pid)
                    time.sleep(0.002)
            except ChildProcessError:
                return


def main():
    # Read the first line before descriptors become non-blocking: there is nothing else to do yet.
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            return 0
        line += byte
    template = _Template()
    first = json.loads(line)
    template.load(first["imports"], first["env"])
    template.serve()
    os._exit(0)
