# @name matplotlib
import matplotlib.pyplot as plt

_, (left, right) = plt.subplots(1, 2, figsize=(8, 2.8))
left.hist(months.degrees, bins=12)
left.set_title("Degrees")
right.boxplot([rows.degrees for _, rows in months.groupby("city")], tick_labels=["Bergen", "Cairo", "Lima"])
right.set_title("By city")
plt.show()
