# @name pyecharts
from pyecharts.charts import Bar

means = months.groupby("city").degrees.mean().round(1)
Bar().add_xaxis(list(means.index)).add_yaxis("degrees", list(means)).render_notebook()
