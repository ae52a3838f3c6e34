# @name plotly map
import plotly.graph_objects as go

go.Figure(
    go.Choropleth(locations=["DEU", "FRA", "ITA", "ESP"], z=[83, 68, 59, 48], colorbar_title="Million"),
    {"geo": {"scope": "europe"}, "height": 340, "margin": {"t": 20, "b": 20}},
)
