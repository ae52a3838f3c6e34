# @name bokeh
from bokeh.plotting import figure

plot = figure(width=560, height=280, title="Degrees by month")
for name, color in (("Bergen", "#4c78a8"), ("Cairo", "#f58518"), ("Lima", "#54a24b")):
    rows = months[months.city == name]
    plot.line(rows.month, rows.degrees, legend_label=name, color=color, line_width=2)
plot
