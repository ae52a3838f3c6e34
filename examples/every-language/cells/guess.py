# @name guess
# R's coefficients are a dict here; the first species is in the intercept.
expected = line["(Intercept)"] + line["flipper_mm"] * flipper + line.get(f"species{species}", 0)
Markdown(f"A **{species}** with a flipper of **{flipper} mm** should weigh about **{expected:.0f} g**.")
