# @name spots
# @mount data file://./data
import csv

with (data / "sunspots.csv").open(newline="") as file:
    spots = {int(float(row["YEAR"])): float(row["SUNACTIVITY"]) for row in csv.DictReader(file)}

years = [year for year in sorted(spots) if year >= 1800]
print(f"{len(years)} years to forecast, {years[0]} to {years[-1]}")
