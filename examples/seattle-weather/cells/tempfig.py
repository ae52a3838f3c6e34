# @name temperature_figure
import matplotlib.pyplot as plt

rolling = weather.set_index("date")[["temp_max", "temp_min"]].rolling(14, center=True).mean()
figure, axes = plt.subplots(figsize=(9, 3.2), layout="constrained")
axes.fill_between(rolling.index, rolling["temp_min"], rolling["temp_max"], color="#7a3e9d", alpha=0.25)
axes.plot(rolling.index, rolling["temp_max"], color="#7a3e9d")
axes.set_ylabel("°C, two-week mean")
axes.spines[["top", "right"]].set_visible(False)
axes
