# @name holoviews
import holoviews as hv

hv.extension("bokeh")
hv.HeatMap(months, ["month", "city"], "degrees").opts(width=560, height=240, colorbar=True, tools=["hover"])
