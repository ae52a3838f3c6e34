# @name geometry
"""Distances on a ball."""
from dataclasses import dataclass
from math import asin, cos, radians, sin, sqrt

EARTH_KM = 6371.0


@dataclass(frozen=True)
class Place:
    name: str
    north: float
    east: float

    def to(self, other):
        return distance(self, other)


def distance(a, b):
    """Kilometres along the ground (haversine)."""
    up, across = radians(b.north - a.north) / 2, radians(b.east - a.east) / 2
    h = sin(up) ** 2 + cos(radians(a.north)) * cos(radians(b.north)) * sin(across) ** 2
    return 2 * EARTH_KM * asin(sqrt(h))


def length(route):
    return sum(a.to(b) for a, b in zip(route, route[1:]))
