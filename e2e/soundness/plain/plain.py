"""The plain interpreter that results are compared with.

Reads one request per line, {"id", "dir", "cells", "env", "mounts"}; answers with one line each, in any order. Every
request gets its own process, forked from a process that has imported the slow modules. It copies the folder, changes
into the copy, and runs the cells in order in one namespace.
"""

import ast
import asyncio
import inspect
import io
import json
import linecache
import math
import os
import selectors
import shutil
import signal
import sys
import tempfile
import time
import types
import warnings

TIMEOUT_SECONDS = 60
NOT_COPIED = shutil.ignore_patterns(".venv", ".svc", "__pycache__", "uv.lock")
SIMPLE = (int, float, str, bool, type(None))


def preload(names):
    for name in names:
        try:
            __import__(name)
        except ImportError:
            pass


def is_simple(value, depth=0):
    """Whether a value is JSON, so that a notebook's list of variables shows it as text."""
    if type(value) in SIMPLE:
        return type(value) is not float or math.isfinite(value)
    if depth > 3:
        return False
    if type(value) is list:
        return len(value) < 200 and all(is_simple(one, depth + 1) for one in value)
    if type(value) is dict:
        return len(value) < 200 and all(
            type(name) is str and is_simple(one, depth + 1) for name, one in value.items()
        )
    return False


def variables_of(namespace):
    return {
        name: value for name, value in namespace.items() if not name.startswith("__") and is_simple(value)
    }


def begin(request, here):
    """Makes this process like one that was just started in a copy of the folder."""
    shutil.copytree(request["dir"], here, ignore=NOT_COPIED)
    os.chdir(here)
    os.environ.update(request.get("env", {}))
    sys.path[0] = here
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    output = os.open(os.path.join(os.path.dirname(here), "stdout"), os.O_RDWR | os.O_CREAT)
    os.dup2(output, 1)
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), write_through=True, errors="surrogateescape")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    main = types.ModuleType("__main__")
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    for name, place in request.get("mounts", {}).items():
        import pathlib

        setattr(main, name, pathlib.Path(here, place))
    return output, main.__dict__


def run_cell(index, source, namespace):
    """Runs a cell; returns what the last line shows, in a list, if it is an expression of a simple value; else None."""
    filename = "<cell %d>" % index
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree = compile(source, filename, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    for node, mode in ((tree, "exec"), (last and ast.Expression(last.value), "eval")):
        if node is None:
            continue
        code = compile(node, filename, mode, flags, dont_inherit=True)
        value = eval(code, namespace)
        if inspect.iscoroutine(value):
            value = asyncio.run(value)
    if last is not None and is_simple(value) and value is not None:
        return [value]
    return None


def answer(request, here, report):
    output, namespace = begin(request, here)
    at = 0
    for index, source in enumerate(request["cells"]):
        shown, error = None, None
        try:
            shown = run_cell(index, source, namespace)
        except BaseException as raised:
            error = type(raised).__name__
            if isinstance(raised, SystemExit):
                report({"ended": True})
                break
        try:
            sys.stdout.flush()
        except (AttributeError, ValueError):
            pass
        stdout = os.pread(output, 1 << 20, at)
        at += len(stdout)
        report(
            {
                "stdout": stdout.decode("utf-8", "surrogateescape"),
                "display": shown,
                "error": error,
                "variables": variables_of(namespace),
            }
        )
    shutil.rmtree(os.path.dirname(here), ignore_errors=True)


def child(request, pipe):
    here = os.path.join(tempfile.mkdtemp(prefix="cellar-plain-"), "notebook")

    def report(cell):
        # A fixed name for the folder, because the notebook runs in another one.
        os.write(pipe, (json.dumps(cell).replace(here, "<dir>") + "\n").encode())

    try:
        answer(request, here, report)
    except BaseException as error:
        report({"broken": repr(error)})
    os._exit(0)


def start(request):
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # The only possible thread is the allocator's, which is safe to fork.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        os.close(reading)
        child(request, writing)
    os.close(writing)
    return reading, {"id": request["id"], "pid": pid, "text": b"", "until": time.monotonic() + TIMEOUT_SECONDS}


def main():
    preload(sys.argv[1:])
    waiting = selectors.DefaultSelector()
    waiting.register(0, selectors.EVENT_READ, None)
    text, reading_on = b"", True
    while reading_on or len(waiting.get_map()) > 0:
        for key, _ in waiting.select(1):
            chunk = os.read(key.fd, 1 << 20)
            if key.data is None:
                if not chunk:
                    waiting.unregister(0)
                    reading_on = False
                *lines, text = (text + chunk).split(b"\n")
                for line in lines:
                    fd, run = start(json.loads(line))
                    waiting.register(fd, selectors.EVENT_READ, run)
                continue
            key.data["text"] += chunk
            if not chunk:
                waiting.unregister(key.fd)
                os.close(key.fd)
                os.waitpid(key.data["pid"], 0)
                cells = [json.loads(line) for line in key.data["text"].splitlines()]
                print(json.dumps({"id": key.data["id"], "cells": cells}), flush=True)
        for key in list(waiting.get_map().values()):
            if key.data is not None and time.monotonic() > key.data["until"]:
                os.kill(key.data["pid"], signal.SIGKILL)


if __name__ == "__main__":
    main()
