# @name plotly
import plotly.express as px

px.line(months, x="month", y="degrees", color="city", markers=True, height=320)
