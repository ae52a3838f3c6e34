# @name busiest day
busiest = max(rows, key=lambda row: row["visitors"])
print(busiest["day"], "with", busiest["visitors"], "visitors")
