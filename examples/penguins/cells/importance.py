# @name importance
import matplotlib.pyplot as plt

weights = pd.Series(model.feature_importances_, index=FEATURES).sort_values()
figure, axes = plt.subplots(figsize=(7, 2.6), layout="constrained")
axes.barh(weights.index, weights, color="#7a3e9d")
axes.set_xlabel("what the model looks at")
axes.spines[["top", "right"]].set_visible(False)
plt.show()
