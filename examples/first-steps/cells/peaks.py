# @name peaks
peaks = [
    year
    for year in years[1:-1]
    if spots[year] > 60 and spots[year] >= spots[year - 1] and spots[year] > spots[year + 1]
]
gaps = [later - earlier for earlier, later in zip(peaks, peaks[1:])]
print(f"{len(peaks)} peaks, on average {sum(gaps) / len(gaps):.1f} years apart")
