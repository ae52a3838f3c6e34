"""json's functions as they were before any code of a notebook ran: a cell may replace them in their module, and the
set-up cell does so for every cell."""

from json import dump, dumps, load, loads

__all__ = ["dump", "dumps", "load", "loads"]
