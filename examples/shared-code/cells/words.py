# @name words
# A function that needs a value of another cell: the value goes along, pinned.
per_km = {"km": 1.0, "mi": 0.621371}[unit]


def told(km):
    return f"{km * per_km:,.0f} {unit}"
