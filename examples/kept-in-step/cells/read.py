# @name visits
# @mount visits file://./data/visits.csv
import csv

with visits.open(newline="", encoding="utf-8") as file:
    rows = [{"day": row["day"], "visitors": int(row["visitors"])} for row in csv.DictReader(file)]
print(len(rows), "days, from", visits.name)
