"""Implements Output widgets of ipywidgets without a Jupyter kernel: captures what is printed and displayed inside one.

In Jupyter the page does this. Here the widget's own `outputs` are set, so that they are part of its state.
"""

import sys
from time import monotonic

from . import displays
from .real_types import is_a

# Limit for the text of one Output: the rest is omitted, since each change sends all of it.
MAX_CHARACTERS = 1_000_000
_CUT = "… earlier text is left out …\n"
# Printed text is buffered for this long.
_GATHER_SECONDS = 0.1

_active = []


class _Capture:
    """Captures the output of one Output widget between its `__enter__` and `__exit__`."""

    def __init__(self, widget):
        self.widget = widget
        self.streams = (sys.stdout, sys.stderr)
        self.waiting = []
        self.clear_first = False
        self.sent = monotonic()

    def printed(self, name, text):
        self.waiting.append((name, text))
        if monotonic() - self.sent > _GATHER_SECONDS:
            self.send()

    def displayed(self, data):
        self.send({"output_type": "display_data", "data": data, "metadata": {}})

    def clear(self, wait):
        if wait:
            self.send()
        self.waiting.clear()
        self.clear_first = True
        if not wait:
            self.send()

    def send(self, *more):
        new, self.waiting = self.waiting, []
        if self.clear_first and not new and not more and not self.widget.outputs:
            self.clear_first = False
        if not new and not more and not self.clear_first:
            return
        outputs = [] if self.clear_first else list(self.widget.outputs)
        self.clear_first = False
        for name, text in new:
            _add_text(outputs, name, text)
        self.widget.outputs = (*outputs, *more)
        self.sent = monotonic()

    def finish(self):
        # `clear_output(wait=True)` waits for the next output: if none follows, the existing outputs stay.
        if self.clear_first and not self.waiting:
            self.clear_first = False
        self.send()


def _add_text(outputs, name, text):
    last = outputs[-1] if outputs else None
    if last is not None and last.get("output_type") == "stream" and last.get("name") == name:
        text = outputs.pop()["text"] + text
    if len(text) > MAX_CHARACTERS:
        text = _CUT + text[-MAX_CHARACTERS:]
    outputs.append({"output_type": "stream", "name": name, "text": text})


class _Writer:
    """`sys.stdout` or `sys.stderr` inside an Output."""

    encoding, errors = "utf-8", "replace"

    def __init__(self, capture, name, stream):
        self._capture, self._name, self._stream = capture, name, stream

    def write(self, text):
        if text:
            self._capture.printed(self._name, str(text))
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        """Does nothing: text is sent with the next output or at the end of the block."""

    def isatty(self):
        return False

    def __getattr__(self, name):
        return getattr(self._stream, name)


def hook_output(module):
    """Make Output widgets capture what is printed and displayed inside them."""

    def enter(self):
        capture = _Capture(self)
        _active.append(capture)
        sys.stdout = _Writer(capture, "stdout", capture.streams[0])
        sys.stderr = _Writer(capture, "stderr", capture.streams[1])

    def leave(self, _kind, error, _trace):
        capture = _active.pop()
        sys.stdout, sys.stderr = capture.streams
        if error is not None and isinstance(error, Exception):
            from .failures import describe

            capture.printed("stderr", describe(error)[1])
        capture.finish()
        # As in Jupyter: the error is shown in the Output and the cell continues. Exceptions that stop a cell still stop
        # it.
        return True if isinstance(error, Exception) else None

    def append_display_data(self, display_object):
        """Append a display object as an output."""
        self.outputs += ({"output_type": "display_data", "data": bundle_of(display_object), "metadata": {}},)

    module.Output.__enter__ = enter
    module.Output.__exit__ = leave
    module.Output.append_display_data = append_display_data
    module.clear_output = clear_output


def hook_interaction(module):
    """`interact`: show figures drawn by its function, and errors, in its Output."""

    class _Shell:
        def showtraceback(self):
            from .failures import describe

            print(describe(sys.exc_info()[1])[1], end="", file=sys.stderr)

    module.get_ipython = _Shell
    # A template may have imported the library before IPython's own function was replaced.
    module.display = displays.display
    module.clear_output = clear_output
    if hasattr(module, "show_inline_matplotlib_plots"):
        module.show_inline_matplotlib_plots = _show_figures


def _show_figures():
    if "matplotlib.pyplot" in sys.modules:
        from .figures import show_left_open

        show_left_open()


def clear_output(wait=False):
    """Clear the Output that surrounds the code. Displays of the cell itself stay."""
    if _active:
        _active[-1].clear(bool(wait))


def take(value):
    """Show the value in the surrounding Output. Returns False if there is none."""
    if not _active:
        return False
    _active[-1].displayed(bundle_of(value))
    return True


# Formats that the frame of a widget draws.
_SHOWN = ("text/html", "image/png", "image/jpeg", "image/svg+xml", "text/latex", "text/markdown", "text/plain")


def bundle_of(value):
    """The value as `{mime: data}` in one format that the page draws."""
    import base64
    import json

    from .reprs import repr_text
    from .widget_state import VIEW

    try:
        if is_a(value, "pandas", "DataFrame", "Series") or is_a(value, "polars", "DataFrame", "Series"):
            html = getattr(value, "_repr_html_", None)
            return {"text/html": html()} if callable(html) else {"text/plain": repr_text(value)}
        encoded = displays.encode_display(value)
        kind = encoded.content_type
        if kind != VIEW and kind not in _SHOWN:
            return {"text/plain": repr_text(value)}
        data = _Memory()
        encoded.write(data)
        if kind == VIEW:
            return {VIEW: json.loads(data.text())}
        if kind in ("image/png", "image/jpeg"):
            return {kind: base64.b64encode(data.bytes()).decode("ascii")}
        return {kind: data.text()}
    except Exception as error:
        return {"text/plain": "%s: %s" % (type(error).__name__, error)}


class _Memory:
    """In-memory replacement for the file that a format is written to."""

    def __init__(self):
        self._parts = []

    def write(self, data):
        self._parts.append(bytes(data))
        return len(data)

    def restart(self):
        self._parts.clear()

    def bytes(self):
        return b"".join(self._parts)

    def text(self):
        return self.bytes().decode("utf-8", "replace")
