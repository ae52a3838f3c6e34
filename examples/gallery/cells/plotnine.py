# @name plotnine
from plotnine import aes, geom_line, ggplot, theme

ggplot(months, aes("month", "degrees", color="city")) + geom_line() + theme(figure_size=(7, 2.6))
