"""Converts a small data frame to Arrow and back ahead of time, so that the first cell does not pay for it.

The first conversion costs 30 ms of lazy imports and library caches; forked children inherit them from their template.
"""

import sys


def warm_up_tables():
    """Run the conversion if pandas and pyarrow are loaded. Starts no threads. Failures are only logged."""
    pandas, pyarrow = sys.modules.get("pandas"), sys.modules.get("pyarrow")
    if pandas is None or pyarrow is None:
        return
    from .content_digest import digest

    try:
        frame = pandas.DataFrame({"count": [1, 2], "share": [0.5, 1.5], "name": ["a", "b"]})
        # Otherwise Arrow starts its thread pool, and a process with threads cannot fork safely.
        table = pyarrow.Table.from_pandas(frame, nthreads=1)
        digest(table.to_pandas(use_threads=False))
    except Exception as problem:
        sys.stderr.write("svc: warming up tables failed: %s: %s\n" % (type(problem).__name__, problem))
