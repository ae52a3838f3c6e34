# What the statements below bind as :min_mass and :island.
min_mass = 4000
island = "Biscoe"
