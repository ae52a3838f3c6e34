# @name miss
# @per_variant method
from statistics import fmean

miss = round(fmean(abs(forecast[year] - spots[year]) for year in years), 1)
worst = max(years, key=lambda year: abs(forecast[year] - spots[year]))
print(f"worst in {worst}: {forecast[worst]:.0f} instead of {spots[worst]:.0f}")
Markdown(f"**{miss}** spots off on average")
