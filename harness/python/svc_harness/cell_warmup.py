"""Runs a small cell in a standby child to trigger copy-on-write ahead of time.

Memory pages shared with the template are copied when the child first writes to them, and updating a reference count
is a write. A waiting child runs a small cell, so that most of these pages are already copied when its real cell starts.
"""

import json
import linecache
import os
import types

from . import execute
from .displays import encode_display
from .failures import describe
from .mutations import MutationWatch
from .observation import Observation
from .process_watch import ProcessWatch
from .value_file import ValueFile


def warm_up_cell():
    """Run a small cell from manifest to result.

    Has no lasting effect: it only touches memory and the null device. Failures are not reported, because the streams
    already belong to the real cell, which will report its own failure.
    """
    _quietly(_run_small_cell)


def warm_up_failure():
    """The same for a cell that fails or is interrupted. It takes as long as `warm_up_cell` and few cells fail, so call
    it only in a process that is otherwise idle."""
    _quietly(_run_failing_cell)


def _quietly(run):
    try:
        run()
    except Exception:
        return
    finally:
        linecache.cache.pop("<cell >", None)


def _run_small_cell():
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


def _run_failing_cell():
    namespace = types.ModuleType("__main__").__dict__
    try:
        execute.run(execute.Source("x = [1]\nx.missing", ""), namespace, None)
    except AttributeError as error:
        describe(error)
