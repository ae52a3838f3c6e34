"""Take something small the way of every result, in a process that runs cells later, so that a cell does not pay for firsts.

The first frame that becomes Arrow and back costs 30 ms of imports and tables the libraries make for themselves;
a forked child has them from its template. What the template cannot do for its child is the copying of the memory
both share: each page is copied when the child first writes to it, and counting a reference is writing.
"""

import json
import linecache
import os
import sys
import types

from . import execute
from .displays import encode_display
from .failures import describe
from .value_file import ValueFile


def rehearse():
    """Do it, where pandas and pyarrow are loaded. Starts no thread; what fails here fails in the cell, in its words."""
    pandas, pyarrow = sys.modules.get("pandas"), sys.modules.get("pyarrow")
    if pandas is None or pyarrow is None:
        return
    from .mutations import fingerprint

    try:
        frame = pandas.DataFrame({"count": [1, 2], "share": [0.5, 1.5], "name": ["a", "b"]})
        # Otherwise Arrow would start its pool, and a process with threads is not forked safely.
        table = pyarrow.Table.from_pandas(frame, nthreads=1)
        fingerprint(table.to_pandas(use_threads=False))
    except Exception as problem:
        sys.stderr.write("rehearsal: %s: %s\n" % (type(problem).__name__, problem))


def rehearse_cell():
    """In a forked child that waits for its cell: go the way of a small one, from its manifest to its result, and of
    one that fails or is interrupted.

    Nothing of it stays: what it reads and writes is in memory or the null device."""
    manifest = json.loads('{"source": "x = [1]\\nx", "cell_name": "", "inputs": {}, "env": {}, "store": []}')
    source = execute.Source(manifest["source"], manifest["cell_name"])
    namespace = types.ModuleType("__main__").__dict__
    shown = []
    execute.run(source, namespace, shown.append)
    encoded = encode_display(shown[0])
    with ValueFile(os.devnull) as sink:
        encoded.write(sink)
        result = {"success": True, "displays": [{"sha256": sink.sha256, **encoded.meta}]}
    try:
        execute.run(execute.Source("x.missing", manifest["cell_name"]), namespace, shown.append)
    except AttributeError as error:
        result["error"], result["traceback"] = describe(error)
    del linecache.cache[source.filename]
    with open(os.devnull, "wb") as file:
        file.write(json.dumps(result, allow_nan=False).encode("ascii"))
