# @name bqplot
import bqplot.pyplot as bq

bq.figure(title="Bergen")
bq.plot(list(range(12)), list(months.degrees.head(12)))
bq.current_figure()
