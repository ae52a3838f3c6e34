# @name features
FEATURES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
X = penguins[FEATURES]
y = penguins["species"]
X.groupby(y).mean().round(1)
