# @name pandas Styler
wide = months.pivot(index="city", columns="month", values="degrees")
wide.style.background_gradient(cmap="coolwarm", axis=None).format("{:.1f}").set_caption("Degrees by month")
