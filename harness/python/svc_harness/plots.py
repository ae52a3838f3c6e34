"""Plots of libraries that draw in the page: Plotly, Vega, Bokeh, HoloViews, Panel, pyvis, and local HTML and video.

Each plot gets a format that displays without network access: the figure's own JSON, or HTML that includes its scripts.
Nothing is imported that the cell has not loaded: a value of a library's class means that the library is loaded.
"""

import os
import sys

from .encode import encode_text
from .real_types import is_a, is_class, package_of

PLOTLY = ("application/vnd.plotly.v1+json", ".json")
HTML = ("text/html", ".html")
SVG = ("image/svg+xml", ".svg")

# Formats that the page draws, richest first. Preferred to the HTML of the same bundle, which loads scripts by URL.
DRAWN = (
    "application/vnd.plotly.v1+json",
    # Altair has used both spellings.
    *("application/vnd.vegalite.v%d%sjson" % (version, sign) for version in (6, 5, 4) for sign in "+."),
    *("application/vnd.vega.v%d%sjson" % (version, sign) for version in (6, 5) for sign in "+."),
)

# Limit for a file that is embedded in a display.
_MAX_FILE = 64 * 1024 * 1024


def plot_of(value):
    """The encoded plot, or None for any other value. May raise any exception of the library."""
    if is_class(value):
        return None
    make = _MAKERS.get(package_of(type(value))) or next(
        (_MAKERS[package] for package in map(package_of, type(value).__mro__) if package in _MAKERS), None
    )
    return None if make is None else make(value)


def describe(mime, data, text):
    """One line describing a plot, which exports use instead of the figure. The library's own text, if it has one."""
    # Altair's text is about its own renderers.
    if isinstance(text, str) and "renderer" not in text:
        return text
    if not isinstance(data, dict):
        return mime
    if mime == PLOTLY[0]:
        traces = data.get("data")
        kinds = [str(one.get("type", "scatter")) for one in traces if isinstance(one, dict)] if isinstance(traces, list) else []
        return "Plotly figure: %s" % (", ".join(sorted(set(kinds))) or "empty")
    if ".vega" in mime:
        mark = data.get("mark")
        kind = mark.get("type") if isinstance(mark, dict) else mark
        return "Vega chart: %s" % kind if isinstance(kind, str) else "Vega chart"
    return mime


def _plotly(value):
    if not is_a(value, "plotly.basedatatypes", "BaseFigure"):
        return None
    # A FigureWidget of Plotly 6 and later includes its own script, and is shown as a widget.
    if is_a(value, "anywidget.widget", "AnyWidget"):
        return None
    kinds = sorted({str(trace.type) for trace in value.data})
    return encode_text(PLOTLY, value.to_json(), "Plotly figure: %s" % (", ".join(kinds) or "empty"))


def _bokeh(value):
    if not is_a(value, "bokeh.models.ui.ui_element", "UIElement") and not is_a(value, "bokeh.models.layouts", "LayoutDOM"):
        return None
    return encode_text(HTML, bokeh_html(value), "Bokeh figure")


def bokeh_html(models):
    """HTML of Bokeh models including BokehJS of the installed version, so that the versions match."""
    from bokeh.embed import file_html
    from bokeh.resources import INLINE

    return file_html(models, INLINE, title="")


def _holoviews(value):
    dimension = sys.modules.get("holoviews.core.dimension")
    if dimension is None or not is_a(value, "holoviews.core.dimension", "Dimensioned"):
        return None
    import holoviews

    backend = _holoviews_backend(holoviews)
    if is_a(value, "holoviews.core.spaces", "HoloMap"):
        import panel

        return _panel(panel.panel(value, backend=backend))
    rendered = holoviews.render(value, backend=backend)
    if backend == "plotly":
        import plotly.graph_objects

        return _plotly(plotly.graph_objects.Figure(rendered))
    if backend == "bokeh":
        return encode_text(HTML, bokeh_html(rendered), "HoloViews %s" % type(value).__name__)
    from .displays import encode_display

    return encode_display(rendered)


def _holoviews_backend(holoviews):
    """The backend selected with `hv.extension`, else Bokeh: a backend that is not loaded has no renderer."""
    backend = getattr(holoviews.Store, "current_backend", None)
    if backend in getattr(holoviews.Store, "renderers", {}):
        return backend
    import importlib

    for backend in ("bokeh", "matplotlib", "plotly"):
        try:
            importlib.import_module("holoviews.plotting." + ("mpl" if backend == "matplotlib" else backend))
        except ImportError:
            continue
        holoviews.Store.set_current_backend(backend)
        return backend
    raise ImportError("HoloViews draws with Bokeh, Matplotlib or Plotly, and none of them is installed. Add bokeh.")


def _panel(value):
    """A Panel object with all states its widgets can reach, and every script it needs."""
    if not is_a(value, "panel.viewable", "Viewable"):
        return None
    import io

    from bokeh.resources import INLINE

    page = io.StringIO()
    value.save(page, resources=INLINE, embed=True, max_states=500, max_opts=50, progress=False, title="")
    return encode_text(HTML, page.getvalue(), "Panel %s" % type(value).__name__)


def _pygal(value):
    """As SVG: its PNG would be preferred, but needs another library and has no tooltips."""
    if not is_a(value, "pygal.graph.base", "BaseGraph"):
        return None
    return encode_text(SVG, value.render(is_unicode=True, disable_xml_declaration=True), "pygal chart")


def _pyvis(value):
    if not is_a(value, "pyvis.network", "Network"):
        return None
    resources = value.cdn_resources
    value.cdn_resources = "in_line"
    try:
        html = value.generate_html(notebook=False)
    finally:
        value.cdn_resources = resources
    return encode_text(HTML, _framed(html, value.width, value.height), "pyvis network")


def _lets_plot(value):
    """Includes the script of the installed version, which the library itself loads by URL."""
    if not hasattr(value, "to_html") or not type(value).__module__.startswith("lets_plot.plot."):
        return None
    import re

    import lets_plot

    folder = os.path.dirname(lets_plot.__file__)
    script = _local_bytes(os.path.join(folder, "package_data", "lets-plot.min.js"))
    if script is None:
        return None
    text = script.decode("utf-8").replace("</script", "<\\/script")
    html = re.sub(
        r'<script[^>]*\ssrc="[^"]*/lets-plot[^"/]*\.js"[^>]*>\s*</script>',
        lambda _found: "<script>%s</script>" % text,
        value.to_html(),
    )
    return encode_text(HTML, html, "Lets-Plot figure")


def _graphviz(value):
    """The source text of a graph if the Graphviz program is missing."""
    import shutil

    source = getattr(value, "source", None)
    engine = getattr(value, "engine", None) or "dot"
    if not isinstance(source, str) or shutil.which(engine) is not None:
        return None
    text = (
        "Graphviz needs its program “%s” to draw this graph, and it is not installed. Install Graphviz from "
        "graphviz.org or by the system's package manager, or draw the graph with Mermaid in a text cell.\n\n%s"
    )
    return encode_text(("text/plain", ".txt"), text % (engine, source), "Graphviz graph")


def _ipython(value):
    """Embed files that IPython would reference by path: the page that shows them has no access to files."""
    if is_a(value, "IPython.lib.display", "IFrame"):
        html = _local_text(value.src)
        return None if html is None else encode_text(HTML, _framed(html, value.width, value.height), "HTML page %s" % value.src)
    if is_a(value, "IPython.core.display", "Video") and not value.embed:
        return _video(value)
    return None


def _video(value):
    import base64
    import mimetypes

    path = value.filename or value.url
    data = _local_bytes(path)
    if data is None:
        return None
    kind = value.mimetype or mimetypes.guess_type(path)[0] or "video/mp4"
    size = "".join(' %s="%s"' % (name, _quoted(of)) for name, of in (("width", value.width), ("height", value.height)) if of)
    text = base64.b64encode(data).decode("ascii")
    html = '<video controls%s src="data:%s;base64,%s"></video>' % (size, _quoted(kind), text)
    return encode_text(HTML, html, "Video %s" % path)


def _framed(html, width, height):
    import html as escapes

    return '<iframe srcdoc="%s" width="%s" height="%s" frameborder="0" style="display:block;max-width:100%%"></iframe>' % (
        escapes.escape(html, quote=True),
        _quoted(width),
        _quoted(height),
    )


def _quoted(value):
    import html as escapes

    return escapes.escape(str(value), quote=True)


def _local_text(path):
    data = _local_bytes(path) if isinstance(path, str) and path.split("?")[0].lower().endswith((".html", ".htm")) else None
    return None if data is None else data.decode("utf-8", "replace")


def _local_bytes(path):
    """The contents of the file at a relative or absolute path; None for URLs and missing files."""
    if not isinstance(path, str) or "://" in path or path.startswith("data:"):
        return None
    try:
        if os.path.getsize(path) > _MAX_FILE:
            return None
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


_MAKERS = {
    "plotly": _plotly,
    "bokeh": _bokeh,
    "holoviews": _holoviews,
    "panel": _panel,
    "graphviz": _graphviz,
    "lets_plot": _lets_plot,
    "pygal": _pygal,
    "pyvis": _pyvis,
    "IPython": _ipython,
}
