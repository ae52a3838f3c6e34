# @name pygal
import pygal

bars = pygal.Bar(height=260, width=640, title="Mean by city")
for city, mean in months.groupby("city").degrees.mean().items():
    bars.add(city, round(mean, 1))
bars
