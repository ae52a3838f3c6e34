# @name smooth
from statistics import fmean

WINDOW = 11

years = sorted(spots)
smooth = {
    year: round(fmean(spots[y] for y in range(year - WINDOW // 2, year + WINDOW // 2 + 1) if y in spots), 1)
    for year in years
}
