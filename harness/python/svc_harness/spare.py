"""Runs a single-use interpreter, started in advance with the notebook's imports loaded.

Protocol, over the control socket: the server writes ``{"imports": [...], "env": {...}}`` and reads ``ready``; later it
writes ``{"manifest": path}`` and reads ``started``. Standard input is empty and output goes to the streams provided by
the server; output printed by imports is discarded.
"""

import json
import os
import sys

from . import lifeline, preload
from .table_warmup import warm_up_tables


def main(control):
    # Before any imports: the guard is a forked process and should be small.
    lifeline.guard_group(control)
    requests = open(control, "r+b", buffering=0)
    first = _line(requests)
    if first is None:
        return 0
    from .after_fork import warm_up
    from .process_state import set_variables
    from .running import run_and_exit

    warm_up()
    set_variables(first["env"])
    _load_quietly(first["imports"])
    requests.write(b"ready\n")
    request = _line(requests)
    if request is None:
        return 0
    requests.write(b"started\n")
    requests.close()
    return run_and_exit(request["manifest"])


def _line(requests):
    parts = []
    while True:
        byte = requests.read(4096)
        if not byte:
            return None
        parts.append(byte)
        if byte.endswith(b"\n"):
            return json.loads(b"".join(parts))


def _load_quietly(imports):
    saved_outputs = [os.dup(1), os.dup(2)]
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 1)
        os.dup2(null, 2)
        preload.preload(imports)
        warm_up_tables()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(saved_outputs[0], 1)
        os.dup2(saved_outputs[1], 2)
        for fd in (null, *saved_outputs):
            os.close(fd)
