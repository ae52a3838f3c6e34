# @variant method last_year
# Next year is like this one.
forecast = {year: spots[year - 1] for year in [*years, years[-1] + 1]}
