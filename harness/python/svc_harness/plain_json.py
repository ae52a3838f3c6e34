"""The original functions of json. A cell may replace them in their module, and the set-up cell may do so for every
cell."""

from json import dump, dumps, load, loads

__all__ = ["dump", "dumps", "load", "loads"]
