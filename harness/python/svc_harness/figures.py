"""Matplotlib figures: `plt.show()`, figures left open at the end of the cell, and detection of figure values.

A figure is displayed once for each state: it is displayed again only after something drew on it. `plt.show()` closes
the figures it displayed, as in a script, so the next plot starts a new figure.
"""

import sys
import weakref

from .displays import current
from .real_types import is_a, package_of

_shown = weakref.WeakSet()
# Figures that were open before the cell's first line: displayed only on request or after the cell drew on them.
_inherited = weakref.WeakSet()


def hook_pyplot(pyplot):
    """Make `plt.show()` and `fig.show()` display. Called once, right after pyplot is imported."""
    from matplotlib.figure import Figure

    def show(*_args, **_options):
        """Display every open figure in order and close it. A figure that is a widget stays open."""
        figures = _open()
        _show_open()
        if not any(_is_widget(figure) for figure in figures):
            pyplot.close("all")
            return
        for figure in figures:
            if not _is_widget(figure):
                pyplot.close(figure)

    def show_figure(self, *_args, **_options):
        """Display this figure now."""
        _show(self)

    pyplot.show = show
    Figure.show = show_figure


def forget_inputs():
    """Mark figures that came with inputs as shown: only what the cell draws on them counts."""
    for figure in _open():
        _settle(figure)
        _inherited.add(figure)


def show_left_open():
    """Display figures that are open at the end of the cell and not yet displayed in their current state."""
    _show_open()


def empty_current(source):
    """The call in a cell that asked for the current figure or axes and got new, empty ones; otherwise None."""
    for call in ("plt.gca()", "plt.gcf()"):
        if call in source and any(not any(axes.has_data() for axes in figure.axes) for figure in _open()):
            return call
    return None


def is_shown(value):
    """Whether `value` is (or represents) a figure that is already displayed in its current state."""
    figure = figure_of(value)
    return figure is not None and figure in _shown and not _is_stale(figure)


def _is_stale(figure):
    """Whether a figure was drawn on since `_settle`. Checks axes too, since they do not notify an unpickled figure."""
    return figure.stale or any(axes.stale for axes in figure.axes)


def _settle(figure):
    for axes in figure.axes:
        axes.stale = False
    figure.stale = False


def figure_png(figure):
    """PNG bytes of a figure, cropped to its content; marks it as shown."""
    import io

    buffer = io.BytesIO()
    if getattr(figure, "canvas", None) is None or not hasattr(figure.canvas, "print_figure"):
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        FigureCanvasAgg(figure)
    figure.canvas.print_figure(buffer, format="png", bbox_inches="tight", dpi=figure.dpi)
    _settle(figure)
    _shown.add(figure)
    return buffer.getvalue()


def figure_of(value):
    """The figure that a value is or belongs to (Axes, lists and arrays of them, seaborn grids), or None."""
    module = sys.modules.get("matplotlib.figure")
    base = getattr(module, "FigureBase", None)
    if base is None:
        return None
    if issubclass(type(value), base):
        return _root(value)
    if package_of(type(value)) == "seaborn":
        figure = getattr(value, "figure", None)
        return figure if isinstance(figure, base) else None
    artist = _artist_figure(value, base)
    if artist is not None:
        return artist
    return _group_figure(value, base)


def _root(figure):
    while getattr(figure, "figure", None) is not None and figure.figure is not figure:
        figure = figure.figure
    return figure


def _artist_figure(value, base):
    artists = sys.modules.get("matplotlib.artist")
    containers = sys.modules.get("matplotlib.container")
    if artists is not None and issubclass(type(value), artists.Artist):
        figure = getattr(value, "figure", None)
        return _root(figure) if isinstance(figure, base) else None
    if containers is not None and issubclass(type(value), containers.Container):
        return _first(value.get_children(), base)
    return None


def _group_figure(value, base):
    """The figure of a non-empty list, tuple or array of artists; also of plt.hist's (counts, edges, bars)."""
    if type(value) is dict and value and all(type(item) is list for item in value.values()):
        value = [item for group in value.values() for item in group]  # the dict of artists that boxplot returns
    elif type(value).__name__ == "ndarray" and getattr(value, "dtype", None) == object:
        value = value.ravel().tolist()
    if not issubclass(type(value), (list, tuple)) or not 0 < len(value) <= 10_000:
        return None
    figures = [_artist_figure(item, base) for item in value]
    if all(figure is not None for figure in figures):
        return figures[0]
    if type(value) is tuple and len(value) == 3 and figures[2] is not None:
        return figures[2]
    if type(value) is tuple and isinstance(value[0], base):
        return _root(value[0]) if _group_figure((value[1],) if len(value) == 2 else (), base) else None
    if type(value) is tuple and len(value) == 3 and type(value[2]).__name__ == "silent_list":
        return _first(value[2], base)
    return None


def _first(items, base):
    for item in items:
        figure = _artist_figure(item, base)
        if figure is not None:
            return figure
    return None


def _open():
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    if helpers is None:
        return []
    managers = sorted(helpers.Gcf.figs.items())
    return [manager.canvas.figure for _, manager in managers]


def _show_open():
    for figure in _open():
        if _is_stale(figure) or (figure not in _shown and figure not in _inherited):
            _show(figure)


def _show(figure):
    displays = current()
    if displays is None:
        return
    if not _is_widget(figure):
        displays.show(figure)
        return
    _settle(figure)
    _shown.add(figure)
    if not displays.has_widget(figure.canvas):
        displays.show(figure.canvas)


def _is_widget(figure):
    """Whether this is a figure of ipympl, whose canvas is a widget."""
    return is_a(getattr(figure, "canvas", None), "ipywidgets.widgets.domwidget", "DOMWidget")
