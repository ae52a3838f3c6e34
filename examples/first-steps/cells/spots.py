# @name spots
# @mount data file://./data
import csv

with (data / "sunspots.csv").open(newline="") as file:
    spots = {int(float(row["YEAR"])): float(row["SUNACTIVITY"]) for row in csv.DictReader(file)}

print(f"{len(spots)} years, {min(spots)} to {max(spots)}")
