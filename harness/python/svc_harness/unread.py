"""Limits for storing values that no cell reads yet: they are stored while this costs little compared with the run.

Cells added later can use them. Values that are too large or take too long are skipped silently.
"""

import sys
from time import perf_counter

from .alarm import within
from .real_types import package_of

# The minimum time for storing values after a very short cell.
_LEAST_SECONDS = 0.5
_SHARE_OF_RUN = 0.25
_SAMPLES = 50
# Objects of these packages are displayed during the run and stored as images already.
_DRAWN = ("matplotlib", "seaborn")


class TooMuch(BaseException):
    """A value exceeds the allowance. A BaseException, so that no other format is tried."""


class Allowance:
    """Limits: bytes per value (fixed, or per second the cell ran), and a quarter of the cell's run time."""

    def __init__(self, spec, ran_seconds):
        self.bytes = max(spec["bytes"], int(spec["bytes_per_second"] * ran_seconds))
        self.seconds = max(_LEAST_SECONDS, ran_seconds * _SHARE_OF_RUN)
        self._began = None

    def admits(self, value):
        """Whether to start storing a value; values of unknown size are admitted."""
        return self.seconds > 0 and not _is_drawn(value) and _size_of(value) <= self.bytes

    def spend(self, keep):
        """Call `keep` and return its result, charging its time; nested calls, for values of code, charge once."""
        if self._began is not None:
            return keep()
        self._began = perf_counter()
        try:
            return keep()
        finally:
            self.seconds -= perf_counter() - self._began
            self._began = None

    def in_time(self, write):
        """Write a value with a time limit, even if writing blocks: it may wait for a lock or another machine.

        The limit does not cover inspecting the value, which may import a library that must not be left half imported.

        @raises TooMuch: writing takes longer than the remaining time
        """
        left = self.seconds - (perf_counter() - self._began)
        if left <= 0:
            raise TooMuch
        within(left, write, TooMuch)

    def check(self, size):
        """@raises TooMuch: a value of `size` bytes is too large, or the time is up"""
        if size > self.bytes or perf_counter() - self._began > self.seconds:
            raise TooMuch


def _is_drawn(value):
    kind = type(value)
    if kind in (list, tuple) and value:
        kind = type(value[0])
    return package_of(kind) in _DRAWN


def _size_of(value, depth=2):
    """Approximate size in bytes of a value of a common type; 0 for other types."""
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
        return 0  # unknown size; checked during writing
    return 0


def _size_of_items(value, depth):
    """Extrapolates from the first items: visiting all would take as long as storing them."""
    if depth == 0 or not value:
        return sys.getsizeof(value)
    items = []
    for item in value.items() if type(value) is dict else value:
        items.append(item)
        if len(items) == _SAMPLES:
            break
    sampled = sum(max(_size_of(item, depth - 1), 8) for item in items)
    return len(value) * sampled // len(items)
