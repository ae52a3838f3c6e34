# @name plotly FigureWidget
import plotly.graph_objects as go
import ipywidgets

live_figure = go.FigureWidget([{"type": "bar", "x": ["a", "b", "c"], "y": [1, 3, 2]}], {"height": 280})
factor = ipywidgets.IntSlider(value=1, min=1, max=5, description="Factor")


def scale(change):
    live_figure.data[0].y = [change.new, 3 * change.new, 2 * change.new]


factor.observe(scale, "value")
ipywidgets.VBox([factor, live_figure])
