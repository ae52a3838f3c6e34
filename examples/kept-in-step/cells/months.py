# @name by month
per_month = {}
for row in rows:
    month = row["day"][:7]
    per_month[month] = per_month.get(month, 0) + row["visitors"]
per_month
