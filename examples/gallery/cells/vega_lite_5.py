# @name vega-lite 5
class VegaLite5:
    """A chart in the form of Vega-Lite 5, which Altair 5 gives."""

    def _repr_mimebundle_(self, **_):
        chart = {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.20.1.json",
            "data": {"values": months.to_dict("records")},
            "mark": "rect",
            "encoding": {
                "x": {"field": "month", "type": "ordinal"},
                "y": {"field": "city", "type": "nominal"},
                "color": {"field": "degrees", "type": "quantitative"},
            },
            "width": 480,
        }
        return {"application/vnd.vegalite.v5+json": chart, "text/plain": "a heat map"}


VegaLite5()
