# @name visits
import pandas as pd

days = pd.date_range("2026-01-01", periods=400, freq="D")
visits = pd.DataFrame(
    {
        "day": days.strftime("%Y-%m-%d"),
        "weekday": days.day_name(),
        "visitors": [180 + 7 * (at % 31) + (220 if day.dayofweek >= 5 else 0) for at, day in enumerate(days)],
    }
)
visits
