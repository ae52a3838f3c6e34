# @name weather
# @mount data file://./data
import pandas as pd

weather = pd.read_csv(data / "seattle-weather.csv", parse_dates=["date"])
weather["weather"] = weather["weather"].astype("category")
weather
