"""A console inside a cell: evaluates expressions with the cell's inputs and stored values.

Protocol, over the control socket, one JSON object per line: the server sends the manifest, then ``{"expr", "mark"}``,
``{"complete", "mark"}`` or ``{"cmd": "ping" | "close"}``. The console answers ``ready`` first and then once per line;
``{"began": true}`` precedes an answer and means that SIGINT now stops the evaluation. Printed output goes to fd 1 and
2 immediately; after each evaluation the request's mark is written to both, so that the server can tell which output
belongs to it. Nothing is written to files, so a console never changes stored results.
"""

import os
import sys

from . import execute, lifeline
from . import plain_json as json
from .ambient import bind_client
from .completions import names_after
from .displays import Markdown, display
from .import_hooks import install_hooks
from .inspect_values import Shown, read_values, text_of
from .outside import bind_outside
from .process_state import flush_streams, prepare_process, restore_recursion
from .setup_cell import SetupFailed, filters_before_setup, run_setup


def main(control):
    # Before any imports: the guard is a forked process and should be small.
    lifeline.guard_group(control)
    os.set_inheritable(control, False)
    lines = _Lines(control)
    manifest = lines.read()
    if manifest is not None:
        _Console(lines, manifest).serve()
    flush_streams()
    os._exit(0)


class _Lines:
    """JSON lines over a file descriptor."""

    def __init__(self, fd):
        self.fd = fd
        self.rest = b""

    def read(self):
        """The next object, or None if the other end has closed."""
        parts = [self.rest]
        while b"\n" not in parts[-1]:
            chunk = os.read(self.fd, 65536)
            if not chunk:
                return None
            parts.append(chunk)
        line, _, self.rest = b"".join(parts).partition(b"\n")
        return json.loads(line)

    def write(self, answer):
        data = memoryview(json.dumps(answer).encode("ascii") + b"\n")
        while data:
            data = data[os.write(self.fd, data) :]


class _Console:
    def __init__(self, lines, manifest):
        self.lines = lines
        self.pid = os.getpid()
        self.recursion_limit = sys.getrecursionlimit()
        self.evaluating = False
        self.count = 0
        self._listen()
        prepare_process(manifest)
        self._listen()
        install_hooks()
        try:
            run_setup(manifest)
        except SetupFailed as error:
            self._refuse(error)
        self.namespace = _namespace()
        execute.running = None
        bind_client(self.namespace, manifest)
        bind_outside(self.namespace, manifest)
        with filters_before_setup():
            unread = read_values(self.namespace, manifest.get("inputs") or {})
        if "matplotlib.pyplot" in sys.modules:
            from .figures import forget_inputs

            forget_inputs()
        flush_streams()
        self.lines.write({"ok": True, "result": "ready", "type": "str", "unread": unread})

    def serve(self):
        while True:
            request = self.lines.read()
            if request is None or request.get("cmd") == "close":
                return
            if request.get("cmd") == "ping":
                self.lines.write({"ok": True, "result": "pong", "type": "str"})
                continue
            if "complete" in request:
                text = str(request["complete"])
                answer = self._guarded(lambda: self._complete(text))
            else:
                expr = str(request.get("expr", ""))
                answer = self._guarded(lambda: self._evaluate(expr))
            self._leave_if_forked()
            restore_recursion(self.recursion_limit)
            flush_streams()
            _mark(str(request.get("mark", "")))
            self.lines.write(answer)

    def _refuse(self, error):
        """Refuse to start: without its set-up cell, a console would show other values than the cell."""
        self.lines.write({"ok": False, "error": _ends_of(error.traceback), "displays": []})
        flush_streams()
        os._exit(1)

    def _listen(self):
        """Let SIGINT stop only the evaluation, even if evaluated code changed the signal handler."""
        import _signal

        _signal.signal(_signal.SIGINT, self._interrupt)

    def _interrupt(self, _number, _frame):
        if self.evaluating:
            raise KeyboardInterrupt

    def _guarded(self, work):
        self.shown = Shown()
        self.shown.install()
        self._listen()
        try:
            try:
                self.evaluating = True
                self.lines.write({"began": True})
                answer = work()
            finally:
                self.evaluating = False
                # Otherwise a trace function that was set would also trace the harness.
                sys.settrace(None)
                sys.setprofile(None)
        except BaseException as error:
            self.evaluating = False
            self._leave_if_forked()
            answer = self._failed(error)
        answer["displays"] = self.shown.entries
        return answer

    def _evaluate(self, expr):
        """Evaluate as an expression, otherwise execute as statements."""
        self.count += 1
        source = execute.Source(expr, None, "<inspect %d>" % self.count)
        try:
            code = execute.compile_expression(expr.strip(), source.filename)
        except (SyntaxError, ValueError):
            code = None
        if code is None:
            execute.run(source, self.namespace, self._show_trailing)
            answer = {"ok": True, "type": "str", "statement": True}
        else:
            value = execute.evaluate([code], self.namespace)
            answer = {"ok": True, "result": text_of(value), "type": type(value).__name__}
            if value is not None:
                self.namespace["_"] = value
                self.shown.show_value(value)
        self._leave_if_forked()
        if "matplotlib.pyplot" in sys.modules:
            from .figures import show_left_open

            show_left_open()
        return answer

    def _complete(self, text):
        """Complete `text`. A value's attributes may be computed by its own code, so this can be interrupted."""
        answer = {"ok": True, "type": "names", "names": names_after(self.namespace, text)}
        self._leave_if_forked()
        return answer

    def _show_trailing(self, value):
        self.namespace["_"] = value
        self.shown.show(value)

    def _failed(self, error):
        from .failures import describe

        restore_recursion(self.recursion_limit)
        line, traceback = describe(error)
        answer = {"ok": False, "error": _ends_of(traceback or line)}
        if isinstance(error, KeyboardInterrupt):
            answer["interrupted"] = True
        return answer

    def _leave_if_forked(self):
        """Exit if this is a process forked by evaluated code, where it reaches the end of the code."""
        if os.getpid() != self.pid:
            flush_streams()
            os._exit(0)


# An exception's text may be of any length; its start and end are the useful parts.
_KEPT_CHARACTERS = 10_000


def _ends_of(text):
    surplus = len(text) - 2 * _KEPT_CHARACTERS
    if surplus <= 0:
        return text
    return "%s\n… %d characters left out …\n%s" % (text[:_KEPT_CHARACTERS], surplus, text[-_KEPT_CHARACTERS:])


def _namespace():
    """A real `__main__` module, as in a cell."""
    import types

    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=sys.modules["builtins"], display=display, Markdown=Markdown)
    sys.modules["__main__"] = main
    return main.__dict__


def _mark(mark):
    for fd in (1, 2):
        data = mark.encode("ascii", "replace")
        try:
            while data:
                data = data[os.write(fd, data) :]
        except OSError:
            continue  # closed by the evaluated code: the server waits only briefly for the mark
