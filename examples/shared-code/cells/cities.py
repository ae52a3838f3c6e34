# @name cities
cities = [
    Place("Lisbon", 38.72, -9.14),
    Place("Madrid", 40.42, -3.70),
    Place("Paris", 48.86, 2.35),
    Place("Rome", 41.90, 12.50),
    Place("Vienna", 48.21, 16.37),
    Place("Berlin", 52.52, 13.40),
    Place("Warsaw", 52.23, 21.01),
    Place("Athens", 37.98, 23.73),
]
print(f"{len(cities)} cities, from {cities[0].name} to {cities[-1].name}")
