# @name penguins
# @mount data file://./data
import pandas as pd

penguins = pd.read_csv(data / "penguins.csv").dropna().reset_index(drop=True)
penguins
