# @name rain_figure
import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(9, 3.2), layout="constrained")
axes.bar(monthly["month"], monthly["rain_mm"], width=24, color="#7a3e9d")
axes.set_ylabel("rain, mm a month")
axes.set_title("Rain comes in winter")
axes.spines[["top", "right"]].set_visible(False)
plt.show()
