# @variant method trend
# What went up goes up, but not as fast.
forecast = {
    year: max(0.0, spots[year - 1] + 0.6 * (spots[year - 1] - spots[year - 2]))
    for year in [*years, years[-1] + 1]
}
