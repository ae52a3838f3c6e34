# @name from the middle
# @loop max_iter=3 carry=tour start_from=improve@iter=1
# Starts with the tour after the second pass above, and shakes it before it looks again.
tour = tour[20:] + tour[:20]
tour[5], tour[25] = tour[25], tour[5]
f"{length(tour, towns):.3f}"
