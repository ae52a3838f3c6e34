"""Values no cell reads yet: a leaf's are stored while that costs little compared with the run.

A reader that is added later can use them. Values that are too large, or come too late, are skipped silently.
"""

import sys
from time import perf_counter

from .alarm import within
from .looking import package_of

# The minimum time for storing values after a very short cell.
_LEAST_SECONDS = 0.5
_SHARE_OF_RUN = 0.25
_SAMPLES = 50
# Drawn on while they exist, and kept as pictures already.
_DRAWN = ("matplotlib", "seaborn")


class TooMuch(BaseException):
    """A value is beyond the allowance. No Exception, so that no other form is tried."""


class Allowance:
    """What may be spent: so many bytes a value, or so many for each second the cell ran; and a quarter of its time."""

    def __init__(self, spec, ran_seconds):
        self.bytes = max(spec["bytes"], int(spec["bytes_per_second"] * ran_seconds))
        self.seconds = max(_LEAST_SECONDS, ran_seconds * _SHARE_OF_RUN)
        self._began = None

    def admits(self, value):
        """Whether it is worth starting with a value; one of unknown size is."""
        return self.seconds > 0 and not _is_drawn(value) and _size_of(value) <= self.bytes

    def spend(self, keep):
        """What `keep` gives of a value; within that of code, those it needs are kept."""
        if self._began is not None:
            return keep()
        self._began = perf_counter()
        try:
            return keep()
        finally:
            self.seconds -= perf_counter() - self._began
            self._began = None

    def in_time(self, write):
        """Writes a value, ended also where it never comes to that: it may wait for a lock, or for another machine.

        Not while it is looked at before: that may import a library, which half imported is of no use to anybody.

        @raises TooMuch: it takes longer than is left
        """
        left = self.seconds - (perf_counter() - self._began)
        if left <= 0:
            raise TooMuch
        within(left, write, TooMuch)

    def check(self, size):
        """@raises TooMuch: `size` bytes of a value are more than it may take, or it takes too long"""
        if size > self.bytes or perf_counter() - self._began > self.seconds:
            raise TooMuch


def _is_drawn(value):
    kind = type(value)
    if kind in (list, tuple) and value:
        kind = type(value[0])
    return package_of(kind) in _DRAWN


def _size_of(value, depth=2):
    """About how many bytes a value of a common kind takes; 0 for any other."""
    kind = type(value)
    if kind in (str, bytes, bytearray):
        return len(value)
    if kind in (list, tuple, set, frozenset, dict):
        return _size_of_items(value, depth)
    package = package_of(kind)
    try:
        if package == "pandas":
            used = value.memory_usage()
            return int(used.sum() if hasattr(used, "sum") else used)
        if package == "polars":
            return int(value.estimated_size())
        if package in ("numpy", "pyarrow", "torch", "jaxlib"):
            return int(value.nbytes)
    except Exception:
        return 0  # unknown before; writing it will tell
    return 0


def _size_of_items(value, depth):
    """By the first ones: going through all would take as long as keeping them."""
    if depth == 0 or not value:
        return sys.getsizeof(value)
    items = []
    for item in value.items() if type(value) is dict else value:
        items.append(item)
        if len(items) == _SAMPLES:
            break
    sampled = sum(max(_size_of(item, depth - 1), 8) for item in items)
    return len(value) * sampled // len(items)
