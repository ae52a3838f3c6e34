# @name checks
missing = weather.isna().sum().to_dict()
span = (weather["date"].max() - weather["date"].min()).days + 1
checks = {"days": len(weather), "span": span, "gaps": span - len(weather), "missing": missing}
checks
