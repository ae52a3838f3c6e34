"""Helpers of the harness tests: run cells in their own process, detect installed libraries."""

import functools
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HARNESS = os.path.dirname(HERE)
FIXTURES = os.path.join(os.path.dirname(HARNESS), "fixtures")

# `npm run test:long`
IS_LONG = os.environ.get("LONG") == "1"

if HARNESS not in sys.path:
    sys.path.insert(0, HARNESS)

# Runs the package instead of the entry point, so that these tests do not depend on process handling.
_RUNNER = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); %s\n"
    "from svc_harness.run_manifest import run_manifest; sys.exit(run_manifest(sys.argv[1]))"
)


def has(*libraries):
    return all(importlib.util.find_spec(name) is not None for name in libraries)


def missing(libraries):
    """Reason to skip a row: the libraries that are not installed; or None."""
    absent = [name for name in libraries if not has(name)]
    return "not installed: " + ", ".join(absent) if absent else None


class Ran:
    """The outcome of one run: result (None without a file), exit code, streams, folder."""

    def __init__(self, result, code, stdout, stderr, folder):
        self.result = result
        self.code = code
        self.stdout = stdout
        self.stderr = stderr
        self.folder = folder

    def bytes_of(self, meta):
        with open(os.path.join(self.folder, meta["file"]), "rb") as file:
            return file.read()

    def input(self, name):
        """The manifest input that passes a variable of this run to another."""
        meta = self.result["variables"][name]
        return {"content_type": meta["content_type"], "file": os.path.join(self.folder, meta["file"])}


class Bench:
    """A temporary notebook folder with a method `run`. Close it after use."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="svc-harness-")
        self.cwd = os.path.join(self.root, "notebook")
        os.mkdir(self.cwd)
        self._count = 0

    def close(self):
        shutil.rmtree(self.root)

    def run(self, source, timeout=300, manifest=None, environ=None, before=""):
        """Run a cell in a new interpreter, after the statements `before`."""
        folder, path = self._manifest(source, manifest)
        done = subprocess.run(
            [sys.executable, "-I", "-X", "utf8", "-c", _RUNNER % before, HARNESS, path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=timeout,
            env={**os.environ, **(environ or {})},
        )
        return self._ran(folder, done.returncode, done.stdout, done.stderr)

    def run_forked(self, source, manifest=None):
        """Run a cell in a fork of this process, where imported modules are already loaded, as in a template."""
        from svc_harness import after_fork, run_manifest

        _warm_up_once()
        folder, path = self._manifest(source, manifest)
        names = [os.path.join(folder, name) for name in ("stdout", "stderr")]
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if not child:
            try:
                for fd, name in enumerate([os.devnull, *names]):
                    os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), fd)
                after_fork.prepare_after_fork()
                os._exit(run_manifest.run_manifest(path))
            finally:
                os._exit(99)
        _, status = os.waitpid(child, 0)
        streams = []
        for name in names:
            with open(name, "rb") as file:
                streams.append(file.read())
        return self._ran(folder, os.waitstatus_to_exitcode(status), *streams)

    def _manifest(self, source, manifest):
        self._count += 1
        folder = os.path.join(self.root, "run%d" % self._count)
        os.mkdir(folder)
        body = {"source": source, "cell_name": "test", "cwd": self.cwd, "output_dir": folder}
        body.update(manifest or {})
        path = os.path.join(folder, "manifest.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(body, file)
        return folder, path

    def _ran(self, folder, code, stdout, stderr):
        result = None
        answer = os.path.join(folder, "harness-result.json")
        if os.path.exists(answer):
            with open(answer, encoding="utf-8") as file:
                result = json.load(file, parse_constant=_not_strict)
        texts = [stream.decode("utf-8", "replace") for stream in (stdout, stderr)]
        return Ran(result, code, texts[0], texts[1], folder)


@functools.cache
def _warm_up_once():
    """Import what every cell needs, as a template does before it forks; each child would import it again."""
    from svc_harness.after_fork import warm_up

    warm_up()


def _not_strict(constant):
    raise ValueError("the result file holds %s, which is not JSON" % constant)
