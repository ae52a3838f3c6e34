# @name hvplot
import hvplot.pandas

months.hvplot.bar(x="month", y="degrees", by="city", width=640, height=280, stacked=False, rot=45)
