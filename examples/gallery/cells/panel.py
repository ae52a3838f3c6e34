# @name panel
import panel as pn

step = pn.widgets.IntSlider(name="Month", start=1, end=12, value=6)
pn.Column(step, pn.bind(lambda month: months[months.month == month], step))
