# @name geopandas picture
import matplotlib.pyplot as plt

axes = towns.to_crs(3035).buffer(60_000).plot(figsize=(4, 3.4), alpha=0.6)
axes.set_axis_off()
plt.show()
