"""Take a small table the way of every result, in a process that runs cells later, so that a cell does not pay for firsts.

The first frame that becomes Arrow and back costs 30 ms of imports and tables the libraries make for themselves;
a forked child has them from its template.
"""

import sys


def rehearse():
    """Do it, where pandas and pyarrow are loaded. Starts no thread; what fails here fails in the cell, in its words."""
    pandas, pyarrow = sys.modules.get("pandas"), sys.modules.get("pyarrow")
    if pandas is None or pyarrow is None:
        return
    from .content_digest import digest

    try:
        frame = pandas.DataFrame({"count": [1, 2], "share": [0.5, 1.5], "name": ["a", "b"]})
        # Otherwise Arrow would start its pool, and a process with threads is not forked safely.
        table = pyarrow.Table.from_pandas(frame, nthreads=1)
        digest(table.to_pandas(use_threads=False))
    except Exception as problem:
        sys.stderr.write("rehearsal: %s: %s\n" % (type(problem).__name__, problem))
