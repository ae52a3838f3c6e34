# @name seaborn
import seaborn as sns

sns.relplot(data=months, x="month", y="degrees", hue="city", kind="line", height=3, aspect=2);
