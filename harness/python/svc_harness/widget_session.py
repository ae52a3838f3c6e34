"""Keeps a process alive after its cell for the cell's widgets, and exchanges comm messages with the page.

The result is written before this starts and does not change. The connection is a local TCP socket; its port and token
are in the manifest. It carries one JSON object per line:

    out  {"token"}                                             first, once
         {"type": "comm_open" | "comm_msg" | "comm_close", "comm_id", "data", "buffers", "msg_id"?}
         {"type": "done", "msg_id"}                            the message was handled
         {"type": "state", "id", "state"}
         {"type": "ending", "why"}                             last, where this side ends
    in   {"type": "comm_msg", "comm_id", "msg_id", "data", "buffers"}
         {"type": "state", "id"}

Buffers are base64. When the other end closes, the process ends.
"""

import base64
import json
import os
import sys
import threading

from . import comms
from .process_state import flush_streams
from .widget_state import VIEW, state_of

# The longest accepted line: the server accepts messages of 4 MiB.
_MOST_LINE = 8 * 1024 * 1024
# Limits for one message to the page, and for the memory of the process.
_MOST_MESSAGE = 32 * 1024 * 1024
_MOST_MEMORY = 2 * 1024 * 1024 * 1024


def keep(spec, entries):
    """Serve the widgets of a finished cell until the server closes the connection. Returns immediately if the cell
    displays no widgets."""
    if not any(entry.get("content_type") == VIEW for entry in entries):
        return
    _await_threads()
    flush_streams()
    for fd in (1, 2):
        _write_whole(fd, spec["mark"].encode("ascii"))
    try:
        import socket

        connection = socket.create_connection(("127.0.0.1", spec["port"]), timeout=10)
        connection.settimeout(None)
    except OSError as problem:
        print("svc: the widgets of this cell show their last state: %s" % problem, file=sys.stderr)
        return
    _WidgetSession(connection, spec["token"]).serve()


def _await_threads():
    """Wait for threads of the cell: what they print belongs to the run, as in a process that exits."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()


def _write_whole(fd, data):
    try:
        while data:
            data = data[os.write(fd, data) :]
    except OSError:
        return  # closed by the cell: the server does not wait for the mark


class _WidgetSession:
    def __init__(self, connection, token):
        self._connection = connection
        self._lines = connection.makefile("rb")
        self._sending = threading.Lock()
        self._handling = None
        self._write({"token": token})

    def serve(self):
        import signal

        # Interrupts stop a callback that runs too long; between messages they are ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        comms.listener = self._on_comm
        try:
            while True:
                line = self._lines.readline(_MOST_LINE)
                if not line.endswith(b"\n"):
                    return
                self._handle(json.loads(line))
                used = _resident_bytes()
                if used > _MOST_MEMORY:
                    self._write({"type": "ending", "why": "It used more than 2 GB of memory."})
                    return
        except KeyboardInterrupt:
            self._write({"type": "ending", "why": "It was stopped."})
        except OSError:
            return

    def _handle(self, message):
        if message.get("type") == "state":
            ids = [one for one, model in list(comms.models.items()) if not model.closed]
            self._write({"type": "state", "id": message.get("id"), "state": state_of(ids)})
            return
        self._handling = message.get("msg_id")
        try:
            buffers = [base64.b64decode(one) for one in message.get("buffers") or ()]
            comms.receive(str(message.get("comm_id")), message.get("data") or {}, buffers)
        except Exception as error:
            from .failures import describe

            print(describe(error)[1], end="", file=sys.stderr)
        finally:
            flush_streams()
            self._write({"type": "done", "msg_id": self._handling})
            self._handling = None

    def _on_comm(self, kind, comm_id, content, buffers):
        message = {
            "type": kind,
            "comm_id": comm_id,
            "data": content,
            "buffers": [base64.b64encode(one).decode("ascii") for one in buffers],
        }
        if self._handling is not None:
            message["msg_id"] = self._handling
        self._write(message)

    def _write(self, message):
        data = json.dumps(message).encode("ascii") + b"\n"
        if len(data) > _MOST_MESSAGE:
            print("svc: a change of a widget was not shown because it takes more than 32 MB", file=sys.stderr)
            return
        with self._sending:
            self._connection.sendall(data)


def _resident_bytes():
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
