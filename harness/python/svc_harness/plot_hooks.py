"""Patches plotting libraries on import, so that `show()` displays below the cell.

Without a Jupyter kernel these libraries would open a browser, write files or load scripts from the network. If a
library version lacks a patched function, it stays as it is.
"""

from .displays import display


def _plotly(module):
    def show(figure, *_args, **_options):
        """Display this figure below the cell."""
        if isinstance(figure, dict):
            import plotly.graph_objects

            figure = plotly.graph_objects.Figure(figure)
        display(figure)

    module.show = show


def _altair(module):
    """Make charts return their specification, which the page draws. A renderer enabled later takes precedence."""
    renderers = getattr(module, "renderers", None)
    if renderers is not None and "mimetype" in renderers.names():
        renderers.enable("mimetype")
    chart = getattr(module, "TopLevelMixin", None)
    if chart is not None:
        chart.show = _show_chart


def _show_chart(self, *_args, **_options):
    """Display this chart below the cell."""
    display(self)


def _bokeh_showing(module):
    def show(obj, *_args, **_options):
        """Display models below the cell. After `output_file`, save them too."""
        from bokeh.io.state import curstate

        if curstate().file:
            from bokeh.io.saving import save

            save(obj)
        if isinstance(obj, (list, tuple)):
            from bokeh.layouts import column

            obj = column(*obj)
        display(obj)

    module.show = show


def _bokeh_output(module):
    def output_notebook(*_args, **_options):
        """Nothing to prepare: each display includes its scripts."""

    module.output_notebook = output_notebook


def _lets_plot(module):
    """Nothing to prepare: each display includes its script."""
    setup = getattr(module, "LetsPlot", None)
    if setup is not None:
        setup.setup_html = classmethod(lambda _cls, *_args, **_options: None)


def _pyvis(module):
    write = module.Network.show

    def show(self, *args, **options):
        """Write the page and return the network itself: its display needs no separate files."""
        return None if write(self, *args, **options) is None else self

    module.Network.show = show


def _itables(module):
    """Make each table include its script, which the connected mode would load from the network."""
    script = getattr(module, "javascript", None)
    bundle = getattr(script, "generate_init_offline_itables_html", None)
    table = getattr(script, "to_html_datatable", None)
    if bundle is None or table is None:
        return

    def to_html_datatable(df, *args, **options):
        if "dt_url" in options:
            return table(df, *args, **options)
        options["connected"] = False
        return bundle(module.options.dt_bundle) + table(df, *args, **options)

    def init_notebook_mode(all_interactive=True, *_args, **_options):
        """Set whether data frames are shown as interactive tables; no script needs to be loaded first."""
        script.set_itables_repr_html_methods(all_interactive)

    # `show` prints text where it sees no Jupyter.
    script._html_display_is_supported = lambda: True
    script.to_html_datatable = module.to_html_datatable = to_html_datatable
    script.init_notebook_mode = module.init_notebook_mode = init_notebook_mode


PLOT_HOOKS = {
    "altair": _altair,
    "bokeh.io.output": _bokeh_output,
    "bokeh.io.showing": _bokeh_showing,
    "itables": _itables,
    "lets_plot": _lets_plot,
    "plotly.io": _plotly,
    "pyvis.network": _pyvis,
}
