"""Reads the initial values of a console inside a cell, and formats the values it shows."""

import base64
import sys

from . import displays
from . import encode as forms
from .arrow_meta import Refused
from .previews import MAX_TEXT
from .real_types import is_a
from .reprs import repr_text

MAX_ROWS = 20
MAX_COLUMNS = 15
# Limits for one answer, which is a single frame: bytes of pictures and pages, and number of displays.
MAX_IMAGE_BYTES = 2 * 1024 * 1024
MAX_PAGE_CHARACTERS = 256 * 1024
MAX_DISPLAYS = 20
MAX_ANSWER_CHARACTERS = 8 * 1024 * 1024
_TEXTS = ("text/markdown", "text/html", "image/svg+xml", "text/latex", "text/plain")


def read_values(namespace, inputs):
    """Bind every value that can be read; return the reason for each that cannot."""
    from . import forward_names

    caller = forward_names.start("", inputs, "", namespace)
    unread = {}
    for name in inputs:
        try:
            namespace[name] = caller.read(name)
        except Exception as error:
            unread[name] = "%s: %s" % (type(error).__name__, error)
    return unread


def text_of(value):
    """repr in at most 4,000 characters; frames as 20 rows of 15 columns. Never raises an Exception."""
    try:
        if is_a(value, "pandas", "DataFrame"):
            return _cut(value.to_string(max_rows=MAX_ROWS, max_cols=MAX_COLUMNS))
        if is_a(value, "pandas", "Series"):
            return _cut(value.to_string(max_rows=MAX_ROWS))
        if is_a(value, "polars", "DataFrame"):
            with sys.modules["polars"].Config(tbl_rows=MAX_ROWS, tbl_cols=MAX_COLUMNS):
                return _cut(repr(value))
    except Exception as error:
        return "<%s: repr() failed: %s>" % (type(value).__name__, type(error).__name__)
    return repr_text(value)


def _cut(text):
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


class Shown(displays.Displays):
    """The displays of one evaluation: previews, pictures and pages, without files."""

    def __init__(self):
        super().__init__(None)
        self.left_out = 0
        self.room = MAX_ANSWER_CHARACTERS

    def show(self, value):
        """`display(value)`: as a table, picture or page, otherwise as its repr."""
        if not self.show_value(value):
            self._add({"content_type": "text/plain", "bytes": 0, "preview": text_of(value)})
        return None

    def show_value(self, value):
        """Show a value that has a richer format than its repr; return whether it has one."""
        if "matplotlib.figure" in sys.modules:
            from .figures import is_shown

            if is_shown(value):
                return True
        try:
            entry = picture_of(value)
        except Exception as error:
            entry = {**displays.failure(error, value), "content_type": "error"}
        if entry is not None:
            self._add(entry)
        return entry is not None

    def _add(self, entry):
        preview = entry.get("preview")
        self.room -= len(entry.get("data", "")) + (len(preview) if isinstance(preview, str) else 0)
        if len(self.entries) < MAX_DISPLAYS:
            self.entries.append(entry if self.room > 0 else _too_large(entry))
            return
        self.left_out += 1
        words = "%d more displays are not shown" % self.left_out
        self.entries[MAX_DISPLAYS - 1 :] = [{"content_type": "error", "error": words, "type": "display"}]


def picture_of(value):
    """The display entry of a figure, a table (its first rows) or a rich object; None for other values."""
    if "matplotlib.figure" in sys.modules:
        from .figures import figure_of, figure_png

        figure = figure_of(value)
        if figure is not None:
            return _with_bytes(displays._png(figure_png(figure)))
    try:
        table = forms._arrow(value, head=True)
    except Refused:
        table = None
    if table is not None:
        rows = table.meta.get("rows")
        return None if rows is None else {"content_type": table.content_type, "bytes": 0, **table.meta}
    rich = displays._rich(value)
    return None if rich is None else _with_bytes(rich)


def _with_bytes(encoded):
    import io

    sink = io.BytesIO()
    encoded.write(sink)
    data = sink.getvalue()
    entry = {"content_type": encoded.content_type, "bytes": len(data), **encoded.meta}
    if encoded.content_type.startswith("image/") and encoded.content_type != "image/svg+xml":
        if len(data) > MAX_IMAGE_BYTES:
            return _too_large(entry)
        entry["data"] = base64.b64encode(data).decode("ascii")
    elif encoded.content_type in _TEXTS:
        text = data.decode("utf-8", "replace")
        if len(text) > MAX_PAGE_CHARACTERS:
            return _too_large(entry)
        entry["preview"] = text
        entry.pop("preview_truncated", None)
    return entry


def _too_large(entry):
    words = "%s of %d bytes is too large to show here" % (entry["content_type"], entry["bytes"])
    return {"content_type": "error", "error": words, "type": entry["content_type"]}
