# @name tour
# Always on to the nearest city that is left, then home.
tour, left = [cities[0]], set(cities[1:])
while left:
    nearest = min(left, key=tour[-1].to)
    tour.append(nearest)
    left.remove(nearest)
tour.append(tour[0])

Markdown(" → ".join(place.name for place in tour) + f"\n\n**{told(length(tour))}**")
