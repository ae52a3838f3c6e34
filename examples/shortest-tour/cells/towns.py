import math
import random

dice = random.Random(7)
towns = [(dice.random(), dice.random()) for _ in range(40)]
tour = list(range(len(towns)))


def length(order, places):
    return sum(math.dist(places[a], places[b]) for a, b in zip(order, order[1:] + order[:1]))


f"{len(towns)} towns, {length(tour, towns):.2f} round them as they come"
