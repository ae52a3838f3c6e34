"""Entry and exit of a process that runs one cell, spawned or forked."""

import os
import sys

# Imported at module level: a template imports this module, so its children need no imports.
from .process_state import flush_streams
from .run_manifest import run_manifest


def run_and_exit(manifest_path):
    """Run the manifest and end this process with its exit code. Never returns."""
    end(run_manifest(manifest_path))


def end(code):
    """Do what the interpreter does at exit (threads, atexit, flush), without tearing down the heap."""
    try:
        threading = sys.modules.get("threading")
        if threading is not None:
            threading._shutdown()
        import atexit

        atexit._run_exitfuncs()
    except BaseException:
        import traceback

        traceback.print_exc()
    flush_streams()
    os._exit(code)
