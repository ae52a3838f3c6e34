# @name away
# How many birds were measured on each island, and how far it lies from Palmer Station (64.8 S, 64.1 W).
counts <- table(fitted$island)
north <- (islands$lat + 64.8) * 111.2
east <- (islands$lon + 64.1) * 111.2 * cos(64.8 * pi / 180)
data.frame(
  island = islands$island,
  birds = as.integer(counts[islands$island]),
  km = round(sqrt(north^2 + east^2))
)
