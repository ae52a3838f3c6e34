# @name seasons
SEASONS = {12: "winter", 1: "winter", 2: "winter", 3: "spring", 4: "spring", 5: "spring",
           6: "summer", 7: "summer", 8: "summer", 9: "autumn", 10: "autumn", 11: "autumn"}

seasons = (
    weather.assign(season=weather["date"].dt.month.map(SEASONS))
    .groupby("season")
    .agg(days=("date", "size"), rain_mm=("precipitation", "sum"), mean_max=("temp_max", "mean"))
    .assign(mm_per_day=lambda t: t["rain_mm"] / t["days"])
    .sort_values("mm_per_day", ascending=False)
    .round(2)
)
seasons
