"""What a run does beyond its values: rows of source, files in its folder, and the expected facts."""

import os
import sys
import unittest

import support

# (name, files, source, facts): paths are relative to the notebook's folder; omitted keys are empty.
ROWS = [
    ("nothing", {}, "x = 1", {}),
    ("read", {"a.csv": "1"}, "x = open('a.csv').read()", {"reads": ["a.csv"]}),
    ("pathlib", {"d/a.txt": "1"}, "import pathlib\nx = pathlib.Path('d/a.txt').read_text()", {"reads": ["d/a.txt"]}),
    ("descriptor", {"a": "1"}, "import os\nf = os.open('a', os.O_RDONLY)\nx = os.read(f, 9)\nos.close(f)\ndel f", {"reads": ["a"]}),
    ("absent", {}, "try:\n    open('no.csv')\nexcept OSError:\n    x = 0", {"absent": ["no.csv"]}),
    ("exists", {"a": "1"}, "import os\nx = [os.path.exists('a'), os.path.exists('b')]", {"reads": ["a"], "absent": ["b"]}),
    ("size", {"a": "1"}, "import pathlib\nx = pathlib.Path('a').stat().st_size", {"reads": ["a"]}),
    ("read by a child", {"a": "1"}, "import subprocess\nx = subprocess.run(['cat', 'a'], capture_output=True).stdout.decode()", {"reads": ["a"], "open": ["process"], "env_all": True}),
    ("written by a child", {}, "import subprocess\nx = subprocess.run(['sh', '-c', 'echo 1 > o']).returncode", {"wrote": ["o"], "open": ["process"], "env_all": True}),
    ("glob", {"a.csv": "1", "b.csv": "2"}, "import glob\nx = sorted(glob.glob('*.csv'))", {"listed": ["."]}),
    ("listdir", {"d/a": "1"}, "import os\nx = os.listdir('d')", {"listed": ["d"]}),
    ("write", {}, "with open('o.txt', 'w') as f: f.write('1')\ndel f", {"wrote": ["o.txt"]}),
    ("append", {"o": "1"}, "with open('o', 'a') as f: f.write('1')\ndel f", {"wrote": ["o"]}),
    ("read then written", {"o": "1"}, "n = open('o').read()\nopen('o', 'w').write(n + '1')", {"wrote": ["o"]}),
    ("removed", {"o": "1"}, "import os\nos.remove('o')", {"wrote": ["o"]}),
    ("renamed", {"a": "1"}, "import os\nos.rename('a', 'b')", {"wrote": ["a", "b"]}),
    ("temporary", {}, "import tempfile\nwith tempfile.TemporaryDirectory() as d:\n    open(d + '/x', 'w').write('1')\ndel d", {}),
    ("sqlite read", {}, "import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('create table t(a)')\ndel c", {}),
    ("sqlite written", {}, "import sqlite3\nc = sqlite3.connect('t.db')\nc.execute('create table t(a)')\nc.close()\ndel c", {"wrote": ["t.db"]}),
    ("environment", {}, "import os\nx = os.environ.get('MODE')", {"env": ["MODE"]}),
    ("environment by a computed name", {}, "import os\nx = os.getenv('MO' + 'DE')", {"env": ["MODE"]}),
    ("environment of its own", {}, "import os\nos.environ['A1'] = '1'\nx = os.environ['A1']", {}),
    ("whole environment", {}, "import os\nx = len(dict(os.environ))", {"env_all": True}),
    ("process", {}, "import subprocess, sys\nx = subprocess.run([sys.executable, '-c', ''])\ndel x", {"open": ["process"], "env_all": True}),
    ("fork", {}, "import os\np = os.fork()\nif p == 0: os._exit(0)\nx = os.waitpid(p, 0)[1]", {"open": ["process"], "env_all": True}),
    ("network", {}, "import socket\ns = socket.socket()\ntry:\n    s.connect(('127.0.0.1', 1))\nexcept OSError: pass\ns.close()\ndel s", {"open": ["network"]}),
    ("native method", {}, "def f(pd):\n    return pd.read_parquet('x')", {"open": ["native:read_parquet"]}),
    ("native module", {}, "import ctypes\nx = 1", {"open": ["native:ctypes"]}),
    ("clock", {}, "import time\nx = time.time()", {"unsteady": True}),
    ("module of the folder", {"own.py": "V = open('v.txt').read()", "v.txt": "1"}, "import own\nx = own.V", {"reads": ["own.py", "v.txt"]}),
]
# (name, source): the cell counts the inotify watches of its process while it runs.
COUNT = "import os\nheld = [os.readlink('/proc/self/fd/' + fd) for fd in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + fd)]\nx = held.count('anon_inode:inotify')\n"
UNWATCHED = [
    ("plain code", "y = 1\n" + COUNT),
    ("its own files", "open('a', 'w').write('1')\ny = open('a').read()\n" + COUNT),
    ("modules that open nothing unseen", "import csv, json\n" + COUNT),
]
WATCHED = [
    ("child process", "import subprocess\nsubprocess.run(['true'])\n" + COUNT),
    ("fork", "import os\np = os.fork()\nif p == 0: os._exit(0)\nos.waitpid(p, 0)\n" + COUNT),
    ("native method", "def f(pd): return pd.read_parquet('x')\n" + COUNT),
    ("native module", "import ctypes\n" + COUNT),
    ("part of a package", "def f():\n    from pyarrow import parquet\n" + COUNT),
    ("part by its full name", "def f():\n    import pyarrow.parquet as pq\n" + COUNT),
    ("attribute of a package", "def f():\n    import pyarrow\n    return pyarrow.dataset\n" + COUNT),
    ("polars", "def f():\n    import polars as pl\n" + COUNT),
    ("computed import", "import importlib\nm = importlib.import_module('cty' + 'pes')\n" + COUNT),
    ("loaded modules", "import sys\nm = sys.modules['os']\n" + COUNT),
    ("code in a string", "exec('def f(pd): return pd.read_parquet(1)')\n" + COUNT),
    ("in a thread", "import subprocess, threading\nt = threading.Thread(target=subprocess.run, args=(['true'],))\nt.start()\nt.join()\n" + COUNT),
]
EMPTY = {"reads": [], "absent": [], "listed": [], "wrote": [], "env": [], "env_all": False, "open": [], "unsteady": False}
# Libraries read environment variables while they load.
OF_ROWS = {"MODE", "A1"}


class Observed(unittest.TestCase):
    maxDiff = None

    # [SO-1]
    def test_rows(self):
        for name, files, source, facts in ROWS:
            with self.subTest(name):
                bench = support.Bench()
                self.addCleanup(bench.close)
                for path, text in files.items():
                    target = os.path.join(bench.cwd, path)
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    with open(target, "w", encoding="utf-8") as file:
                        file.write(text)
                ran = bench.run(source)
                self.assertTrue(ran.result["success"], ran.result)
                self.assertEqual(shown(ran.result["observed"], bench.cwd), {**EMPTY, **facts})

    # [SO-1]
    @unittest.skipUnless(sys.platform.startswith("linux"), "watches folders on Linux only")
    def test_folders_are_watched_only_if_code_may_read_unseen(self):
        bench = support.Bench()
        self.addCleanup(bench.close)
        rows = [(row, 0) for row in UNWATCHED] + [(row, 1) for row in WATCHED]
        for (name, source), watches in rows:
            with self.subTest(name):
                ran = bench.run(source)
                self.assertTrue(ran.result["success"], ran.result)
                self.assertEqual(ran.bytes_of(ran.result["variables"]["x"]), b"%d" % watches)

    # [SO-1]
    @unittest.skipUnless(sys.platform.startswith("linux"), "watches folders on Linux only")
    def test_inputs_that_may_read_unseen(self):
        bench = support.Bench()
        self.addCleanup(bench.close)
        given = bench.run("import ctypes, json\nheld = {'m': json}\ndef f(pd): return pd.read_parquet('x')\nlibrary, plain = ctypes, json")
        rows = [("library", 1), ("f", 1), ("plain", 0), ("held", 0)]
        for name, watches in rows:
            with self.subTest(name):
                ran = bench.run("y = type(%s)\n%s" % (name, COUNT), manifest={"inputs": {name: given.input(name)}})
                self.assertTrue(ran.result["success"], ran.result)
                self.assertEqual(ran.bytes_of(ran.result["variables"]["x"]), b"%d" % watches)

    # [SO-1]
    def test_a_library_that_no_code_names(self):
        bench = support.Bench()
        self.addCleanup(bench.close)
        ran = bench.run("m = type(__builtins__)('duckdb')")
        open_ = ["native:duckdb", "unclear"] if sys.platform.startswith("linux") else ["native:duckdb"]
        self.assertEqual(ran.result["observed"]["open"], open_)

    # [SO-1]
    def test_states(self):
        bench = support.Bench()
        self.addCleanup(bench.close)
        path = os.path.join(bench.cwd, "a.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("12")
        os.utime(path, ns=(1, 1_700_000_000_123_456_789))
        read = bench.run("x = open('a.csv').read()").result["observed"]["reads"]
        digest = "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918"
        self.assertEqual(read, [{"path": path, "size": 2, "mtime_ns": "1700000000123456789", "sha256": digest}])
        wrote = bench.run("import os\nos.remove('a.csv')").result["observed"]["wrote"]
        self.assertEqual(wrote, [{"path": path, "gone": True}])


def shown(observed, folder):
    short = {key: observed[key] for key in ("env_all", "open", "unsteady")}
    short["env"] = [name for name in observed["env"] if name in OF_ROWS]
    for key in ("reads", "listed", "wrote", "absent"):
        paths = [fact if isinstance(fact, str) else fact["path"] for fact in observed[key]]
        short[key] = sorted(os.path.relpath(path, folder) for path in paths)
    return short


if __name__ == "__main__":
    unittest.main()
