"""The original functions of json, which the harness uses: a cell may replace those in the module json, and the set-up
cell may do so for every cell.
"""

from json import dump, dumps, load, loads

__all__ = ["dump", "dumps", "load", "loads"]
