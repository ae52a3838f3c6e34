# @name improve
# @loop max_iter=40 carry=tour
# @loop_until saved == 0
# One pass: turn round every stretch of the tour that is shorter the other way.
before = length(tour, towns)
for i in range(len(tour) - 1):
    for j in range(i + 2, len(tour)):
        turned = tour[:i] + tour[i:j][::-1] + tour[j:]
        if length(turned, towns) < length(tour, towns) - 1e-12:
            tour = turned
distance = length(tour, towns)
saved = round(before - distance, 9)
print(f"{distance:.3f}, {saved:.3f} saved")
