# @name lets-plot
from lets_plot import LetsPlot, aes as lp_aes, geom_bar, ggplot as lp_ggplot, ggsize

LetsPlot.setup_html(offline=True)
lp_ggplot(months, lp_aes("city", weight="degrees", fill="city")) + geom_bar() + ggsize(560, 260)
