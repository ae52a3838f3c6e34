"""Runs a small cell in a standby child, so that the memory it shares with the template is copied ahead of time.

Each shared page is copied when the child first writes to it, and counting a reference is a write. While a child waits
for its cell it does what a cell does, so that most of those pages are its own by then.
"""

import json
import linecache
import os
import types

from . import execute
from .displays import encode_display
from .failures import describe
from .mutations import MutationWatch
from .observing import Observation
from .process_watch import ProcessWatch
from .value_file import ValueFile


def rehearse_cell():
    """From the manifest of a small cell to its result.

    Leaves nothing: it only reads and writes memory and the null device. Failures here are not reported, because the
    streams already belong to the cell, which will fail with its own message.
    """
    _quietly(_rehearse)


def rehearse_failure():
    """The same of a cell that fails or is interrupted. It takes as long as all of the above, and few cells fail: it is
    for a process that has nothing else to do."""
    _quietly(_rehearse_failure)


def _quietly(rehearse):
    try:
        rehearse()
    except Exception:
        return
    finally:
        linecache.cache.pop("<cell >", None)


def _rehearse():
    manifest = json.loads('{"source": "x = [1]\\nx", "cell_name": "", "inputs": {}, "env": {}, "store": []}')
    namespace = types.ModuleType("__main__").__dict__
    shown = []
    observation = Observation(os.devnull, [])
    observation.start()
    try:
        settings = ProcessWatch(manifest["source"], {}, os.devnull)
        try:
            execute.run(execute.Source(manifest["source"], manifest["cell_name"]), namespace, shown.append)
        finally:
            settings.stop()
        settings.warnings(namespace, ())
        MutationWatch({}).warnings({}, namespace, ())
    finally:
        observation.stop(namespace)
    encoded = encode_display(shown[0])
    with ValueFile(os.devnull) as sink:
        encoded.write(sink)
        result = {"success": True, "displays": [{"sha256": sink.sha256, **encoded.meta}]}
    with open(os.devnull, "wb") as file:
        file.write(json.dumps(result, allow_nan=False).encode("ascii"))


def _rehearse_failure():
    namespace = types.ModuleType("__main__").__dict__
    try:
        execute.run(execute.Source("x = [1]\nx.missing", ""), namespace, None)
    except AttributeError as error:
        describe(error)
