"""Displays of a cell: `display`, `Markdown`, and the formats that only displays can have.

Each run has one `Displays`. It collects displays in order and writes each when it occurs, so that later changes to
the value do not affect what was shown.
"""

import os
import sys

from . import encode as forms
from .arrow_meta import NoArrow, Refused
from .encode import MARKDOWN, PNG, encode_bytes, encode_text
from .json_values import dumps
from .plots import DRAWN, describe, plot_of
from .real_types import class_attribute, is_a, is_class, is_definition, of_cells
from .reprs import repr_text
from .value_file import ValueFile, file_stem

HTML = ("text/html", ".html")
SVG = ("image/svg+xml", ".svg")
JPEG = ("image/jpeg", ".jpg")
LATEX = ("text/latex", ".tex")
PLAIN = ("text/plain", ".txt")
# The view of a widget; its state is added at the end of the cell (widget_displays.py).
VIEW = "application/vnd.jupyter.widget-view+json"

# Richest first: the formats requested from `_repr_mimebundle_`, and the methods tried after it.
_BUNDLE = (HTML, SVG, PNG, JPEG, MARKDOWN, LATEX)
_METHODS = (
    ("_repr_html_", HTML),
    ("_repr_svg_", SVG),
    ("_repr_jpeg_", JPEG),
    ("_repr_latex_", LATEX),
    ("_repr_json_", forms.JSON),
)

_current = None


class Markdown:
    """Text shown as Markdown: `Markdown("# Title")` as the last line, or `display(Markdown(...))`."""

    def __init__(self, text):
        self.text = str(text)

    def _repr_markdown_(self):
        return self.text

    def __repr__(self):
        return "Markdown(%r)" % self.text


def display(*values, **_options):
    """Show values below the cell, in order, as they are now."""
    if _current is not None:
        for value in values:
            _current.show(value)


def current():
    """The displays of the running cell, or None outside a run."""
    return _current


class Displays:
    """The displays of one run: entries in order. `install` makes it the current one."""

    def __init__(self, output_dir):
        self.output_dir = output_dir
        self.entries = []
        # (value, meta) of the trailing expression if its file is identical to that of a variable
        self.trailing = None
        # ids of values whose display method is running: a nested `display(self)` uses their other formats
        self._showing = set()
        self._pid = os.getpid()
        self._settled = False
        self._widgets = []

    def install(self):
        global _current
        _current = self

    def show_trailing(self, value):
        """Show the value of the cell's last expression; a stored variable may share its file."""
        encoded = self.show(value)
        if encoded is not None and encoded.exact:
            self.trailing = (value, self.entries[-1])

    def show(self, value):
        """Encode and write a value now. Failures become an error entry, never an exception."""
        if os.getpid() != self._pid:
            return None  # a forked child cannot add displays to this cell
        if "svc_harness.widget_output" in sys.modules:
            from .widget_output import take

            if take(value):
                return None
        if is_a(value, "ipywidgets.widgets.domwidget", "DOMWidget"):
            self._widgets.append(value)
        plot = _plot(value)
        if plot is None and self._shows_itself(value):
            return None
        name = "__display__%d" % len(self.entries)
        encoded = None
        try:
            encoded = plot or encode_display(value)
            meta = write_encoded(encoded, name, self.output_dir)
        except Exception as error:
            encoded = None
            meta = failure(error, value)
            meta["content_type"] = "error"
        self.entries.append(meta)
        return encoded

    def has_widget(self, widget):
        """Whether this widget has been displayed."""
        return any(one is widget for one in self._widgets)

    def settle(self):
        """Store widgets with their state at the end of the cell; closed widgets show nothing.

        Call it once: a stored variable may share the file of a display.
        """
        if not self._settled and "svc_harness.comms" in sys.modules:
            self._settled = True
            from .widget_displays import settle

            self.entries[:] = settle(self.entries, self.output_dir)

    def _shows_itself(self, value):
        key = id(value)
        if key in self._showing:
            return False
        self._showing.add(key)
        try:
            return _displays_itself(value)
        finally:
            self._showing.discard(key)


def _plot(value):
    """The format of a plot that the page draws. Checked before the library's own display, which may open a browser."""
    try:
        return plot_of(value)
    except Exception as error:
        _report(value, "display", error)
        return None


def _displays_itself(value):
    """Whether the class has `_ipython_display_`, which prints or displays the value itself."""
    if is_class(value) or not class_attribute(type(value), "_ipython_display_"):
        return False
    try:
        value._ipython_display_()
    except NotImplementedError:
        return False
    except Exception as error:
        _report(value, "_ipython_display_", error)
        return False
    return True


def failure(error, value):
    """`{error, type}` for a value without a stored format; with `reasons` for code that cannot be shared."""
    try:
        text = str(error) or type(error).__name__
    except Exception:
        text = type(error).__name__
    entry = {"error": text, "type": type(value).__name__}
    if type(error).__name__ == "Blocked":
        entry["reasons"] = error.reasons
    return entry


def write_encoded(encoded, name, output_dir, allowance=None):
    """Write an encoded value as `<stem><extension>` and return its meta; the file is deleted on failure.

    @raises unread.TooMuch: the allowance is exceeded
    """
    file_name = file_stem(name) + encoded.extension
    path = os.path.join(output_dir, file_name)
    try:
        with ValueFile(path, allowance) as sink:
            # Writing code is fast; the values it needs are checked and timed individually.
            if allowance is None or encoded.content_type == forms.MODULE_CELL[0]:
                encoded.write(sink)
            else:
                allowance.in_time(lambda: encoded.write(sink))
            size, sha256 = sink.bytes, sink.sha256
    except BaseException:
        if os.path.exists(path):
            os.unlink(path)
        raise
    return {
        "content_type": encoded.content_type,
        "file": file_name,
        "bytes": size,
        "sha256": sha256,
        **encoded.meta,
    }


def encode_display(value):
    """First match: figure, Arrow types, Markdown, PNG, other MIME types, then as for a variable."""
    lacks = None
    if "matplotlib.figure" in sys.modules:
        from .figures import figure_of, figure_png

        figure = figure_of(value)
        if figure is not None:
            return _png(figure_png(figure))
    try:
        if is_a(value, "pandas", "DataFrame", "Series"):
            return forms.encode_pandas(value, lossy=True)
        encoded = forms._arrow(value, head=False)
        if encoded is not None:
            return encoded
    except NoArrow:
        # Replaces a page of rows: a scalar loses nothing.
        if is_a(value, "pandas", "DataFrame", "Series") or is_a(value, "polars", "DataFrame", "Series"):
            lacks = "pyarrow"
    except Refused:
        pass  # Arrow cannot store it: the object's own representations are next
    encoded = _rich(value) or _other(value)
    if lacks is not None:
        encoded.meta["lacks"] = lacks
    return encoded


def _other(value):
    """Values without a richer format: the text of a definition, otherwise as for a variable, with its repr."""
    if is_definition(value) and of_cells(value):
        from .definition_text import definition_text

        return encode_text(PLAIN, definition_text(value))
    encoded = forms.encode(value)
    if encoded.content_type in (forms.PICKLE[0], forms.INSTANCE[0]):
        encoded.write = _with_text(encoded, value)
    return encoded


def _with_text(encoded, value):
    """Pickle the value, then take its repr, which may change it.

    If it cannot be pickled (a generator, a lock), only the repr is stored, as plain text.
    """
    pickle = encoded.write

    def write(sink):
        try:
            pickle(sink)
        except Exception:
            text = repr_text(value)
            sink.restart()
            encoded.content_type, _ = PLAIN
            encoded.exact = False
            encoded.meta.pop("type", None)
            encoded.meta.pop("codec", None)
            encoded.meta.pop("text", None)
            encoded.meta.pop("injected", None)
            encoded.meta["preview"] = text
            sink.write(text.encode("utf-8", "replace"))
        else:
            if not _is_known_by_class(value):
                encoded.meta["text"] = repr_text(value)

    return write


def _is_known_by_class(value):
    """Whether the repr adds nothing to the preview but an address, which differs in every run."""
    return is_definition(value) or class_attribute(type(value), "__repr__") is object.__repr__


def _rich(value):
    markdown = _call(value, "_repr_markdown_")
    if markdown is not None:
        return _of_mime(MARKDOWN, markdown)
    if is_a(value, "PIL.Image", "Image"):
        return _png(_pillow_png(value))
    png = _call(value, "_repr_png_")
    if png is not None:
        return _of_mime(PNG, png)
    bundle = _call(value, "_repr_mimebundle_")
    if isinstance(bundle, dict):
        encoded = _of_bundle(bundle, value)
        if encoded is not None:
            return encoded
    for method, form in _METHODS:
        data = _call(value, method)
        if data is not None:
            return _of_mime(form, data)
    return None


def _of_bundle(bundle, value):
    # Tried before HTML, which for widgets only contains a message that Jupyter is needed.
    for mime in (*DRAWN, VIEW):
        if bundle.get(mime) is not None:
            data = bundle[mime]
            text = data if isinstance(data, str) else dumps(data, default=str)
            return encode_text((mime, ".json"), text, describe(mime, data, bundle.get("text/plain")))
    for form in _BUNDLE:
        if bundle.get(form[0]) is not None:
            return _of_mime(form, bundle[form[0]])
    for mime, data in bundle.items():
        if isinstance(mime, str) and mime.startswith("application/") and data is not None:
            if mime == "application/json":
                return _of_mime(forms.JSON, data)
            text = data if isinstance(data, str) else dumps(data, default=str)
            return encode_text((mime, ".json"), text, bundle.get("text/plain", repr_text(value)))
    if isinstance(bundle.get("text/plain"), str):
        return encode_text(PLAIN, bundle["text/plain"])
    return None


def _call(value, method):
    """Result of a representation method defined by the value's class; None if it is missing or fails."""
    if is_class(value) or not class_attribute(type(value), method):
        return None
    try:
        call = getattr(value, method)
        result = call(**_arguments(call)) if method == "_repr_mimebundle_" else call()
    except NotImplementedError:
        return None
    except Exception as error:
        _report(value, method, error)
        return None
    # IPython also accepts (data, metadata) pairs
    return result[0] if isinstance(result, tuple) and result and method != "_repr_json_" else result


def _report(value, method, error):
    kind = type(value).__name__
    print("svc: %s.%s failed: %s: %s" % (kind, method, type(error).__name__, error), file=sys.stderr)


def _arguments(call):
    """The arguments of `_repr_mimebundle_`; none for classes that omit the two parameters."""
    import inspect

    arguments = {"include": None, "exclude": None}
    try:
        inspect.signature(call).bind(**arguments)
    except TypeError:
        return {}
    except ValueError:  # no signature available
        return arguments
    return arguments


def _of_mime(form, data):
    if form is forms.JSON:
        return encode_text(forms.JSON, dumps(data, default=str), data)
    if form in (PNG, JPEG):
        if isinstance(data, str):
            import base64

            data = base64.b64decode(data)
        data = bytes(data)
        return _png(data) if form is PNG else encode_bytes(JPEG, data, {"preview": None})
    if isinstance(data, (bytes, bytearray)):
        data = bytes(data).decode("utf-8", "replace")
    return encode_text(form, str(data))


def _png(data):
    meta = {"preview": None}
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        meta["width"] = int.from_bytes(data[16:20], "big")
        meta["height"] = int.from_bytes(data[20:24], "big")
    return encode_bytes(PNG, data, meta)


def _pillow_png(image):
    import io

    buffer = io.BytesIO()
    if image.mode not in ("1", "L", "LA", "I", "I;16", "P", "RGB", "RGBA"):
        image = image.convert("RGBA" if image.mode in ("PA", "RGBa", "La") else "RGB")
    image.save(buffer, "PNG")
    return buffer.getvalue()
