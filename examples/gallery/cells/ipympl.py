# @name ipympl
import matplotlib
matplotlib.use("module://ipympl.backend_nbagg")
import matplotlib.pyplot as plt

figure_of_ipympl, axes_of_ipympl = plt.subplots(figsize=(6, 2.6))
axes_of_ipympl.plot(months.degrees.head(12))
figure_of_ipympl.canvas
