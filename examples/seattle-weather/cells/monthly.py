# @name monthly
monthly = (
    weather.assign(month=weather["date"].dt.to_period("M").dt.to_timestamp())
    .groupby("month")
    .agg(
        rain_mm=("precipitation", "sum"),
        wet_days=("precipitation", lambda mm: int((mm > 0).sum())),
        warmest=("temp_max", "max"),
        coldest=("temp_min", "min"),
    )
    .reset_index()
)
monthly
