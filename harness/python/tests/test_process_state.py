"""Forked runs behave like runs in a new process; missing or narrowing libraries are reported."""

import contextlib
import io
import os
import random
import signal
import sys
import unittest
from unittest import mock

import support


@unittest.skipUnless(hasattr(os, "fork"), "no fork here")
class Forked(unittest.TestCase):
    def setUp(self):
        self.bench = support.Bench()

    def tearDown(self):
        self.bench.close()

    # [EX-8]
    def test_random_is_fresh_in_every_fork(self):
        random.seed(1)
        source = "import random\nrandom.random()"
        seen = {self.bench.run_forked(source).result["displays"][0]["preview"] for _ in range(3)}
        self.assertEqual(len(seen), 3)

    def test_numpy_random_is_fresh_in_every_fork(self):
        reason = support.missing(["numpy"])
        if reason:
            self.skipTest(reason)
        import numpy as np

        np.random.seed(1)
        source = "import numpy as np\nfloat(np.random.random())"
        seen = {self.bench.run_forked(source).result["displays"][0]["preview"] for _ in range(3)}
        self.assertEqual(len(seen), 3)

    # [EX-8]
    def test_signal_handlers_of_the_template_are_reset(self):
        names = ("SIGINT", "SIGTERM", "SIGCHLD")
        before = {name: signal.getsignal(getattr(signal, name)) for name in names}
        try:
            for name in names:
                signal.signal(getattr(signal, name), lambda *_: None)
            source = "import signal\n[str(signal.getsignal(getattr(signal, n))) for n in %r]" % (names,)
            got = self.bench.run_forked(source).result["displays"][0]["preview"]
        finally:
            for name, handler in before.items():
                signal.signal(getattr(signal, name), handler)
        fresh = self.bench.run(source).result["displays"][0]["preview"]
        self.assertEqual([text.split(" at ")[0] for text in got], [text.split(" at ")[0] for text in fresh])

    # [EX-8]
    def test_warming_up_tables_leaves_no_thread_and_no_other_random_numbers(self):
        reason = support.missing(["pandas", "pyarrow"])
        if reason:
            self.skipTest(reason)
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401

        from svc_harness.table_warmup import warm_up_tables

        def seen():
            tasks = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0
            return tasks, random.getstate()

        before = seen()
        with contextlib.redirect_stderr(io.StringIO()) as said:
            warm_up_tables()
        self.assertEqual(seen(), before)
        self.assertEqual(said.getvalue(), "")

    # [EX-8]
    def test_a_module_written_after_the_template_started_is_found(self):
        sys.path.insert(0, self.bench.cwd)
        try:
            with self.assertRaises(ImportError):
                __import__("written_later")
            with open(os.path.join(self.bench.cwd, "written_later.py"), "w") as file:
                file.write("x = 5\n")
            ran = self.bench.run_forked("import written_later\nwritten_later.x")
        finally:
            sys.path.remove(self.bench.cwd)
        self.assertEqual(ran.result["displays"][0]["preview"], 5)

    def test_after_warm_up_a_run_imports_nothing(self):
        from svc_harness.after_fork import warm_up

        warm_up()
        source = (
            "import os, sys\nclass Watch:\n"
            "    def find_spec(self, name, *_): os.write(1, (name + '\\n').encode())\n"
            "sys.meta_path.insert(0, Watch())\nx = {'a': (1, 2)}\nx"
        )
        ran = self.bench.run_forked(source, manifest={"store": ["x"]})
        self.assertEqual((ran.code, ran.stdout), (0, ""))


class Libraries(unittest.TestCase):
    def setUp(self):
        self.bench = support.Bench()

    def tearDown(self):
        self.bench.close()

    # [EX-5]
    def test_a_jax_array_that_would_lose_bits_is_refused(self):
        reason = support.missing(["numpy", "pyarrow"])
        if reason:
            self.skipTest(reason)
        with open(os.path.join(self.bench.cwd, "jax.py"), "w") as file:
            file.write(
                "import numpy\nclass config:\n    jax_enable_x64 = False\n"
                "class Array:\n    def __init__(self, a): self.a = a\n"
                "    def __array__(self, dtype=None, copy=None): return self.a\nnumpy.asarray(0)\n"
                "class numpy(type(config)):\n    asarray = Array\n"
            )
        first = self.bench.run("import jax, numpy as np\na = jax.Array(np.ones(2))\nb = jax.Array(np.ones(2, 'f4'))")
        self.assertEqual(first.result["variables"]["a"]["content_type"], "arrow/ipc")
        narrowed = self.bench.run("a", manifest={"inputs": {"a": first.input("a")}})
        self.assertEqual((narrowed.code, narrowed.result["error_code"]), (1, "PRECISION_NARROWED"))
        kept = self.bench.run("type(b).__name__", manifest={"inputs": {"b": first.input("b")}})
        self.assertEqual(kept.result["displays"][0]["preview"], "Array")

    # [VA-2]
    def test_without_its_library_a_table_becomes_a_simpler_one(self):
        reason = support.missing(["polars", "pandas", "pyarrow"])
        if reason:
            self.skipTest(reason)
        from svc_harness.decode import read_input

        first = self.bench.run("import polars as pl\np = pl.DataFrame({'a': [1]})")
        spec = first.input("p")
        import pandas

        stderr = io.StringIO()
        with mock.patch.dict(sys.modules, {"polars": None}), contextlib.redirect_stderr(stderr):
            self.assertIsInstance(read_input("p", spec, "/"), pandas.DataFrame)
            with mock.patch.dict(sys.modules, {"pandas": None}):
                self.assertEqual(type(read_input("p", spec, "/")).__name__, "Table")
        line = "svc: polars is not installed, so a polars.DataFrame is loaded as a pandas or Arrow table\n"
        self.assertEqual(stderr.getvalue(), line * 2)

    # [VA-2]
    def test_untagged_table_becomes_a_frame(self):
        reason = support.missing(["pandas", "pyarrow"])
        if reason:
            self.skipTest(reason)
        import pyarrow as pa

        path = os.path.join(self.bench.root, "r.arrow")
        with pa.OSFile(path, "wb") as file, pa.ipc.new_stream(file, pa.schema([("a", pa.int32())])) as writer:
            writer.write_table(pa.table({"a": pa.array([1], pa.int32())}))
        from svc_harness.decode import read_input

        frame = read_input("a", {"content_type": "arrow/ipc", "file": path}, "/")
        self.assertEqual((type(frame).__name__, frame["a"].tolist()), ("DataFrame", [1]))

    def test_values_read_are_writable(self):
        reason = support.missing(["pandas", "pyarrow", "numpy"])
        if reason:
            self.skipTest(reason)
        first = self.bench.run(
            "import pandas as pd, numpy as np\none = pd.DataFrame({'a': [1.0, 2.0]})\nser = pd.Series([1, 2])\n"
            "two = pd.DataFrame({'a': [1, 2], 'b': [1, 2], 'c': [0.5, 1]})\narr = np.arange(3)"
        )
        inputs = {name: first.input(name) for name in ("one", "ser", "two", "arr")}
        source = (
            "one.iloc[0, 0] = 9; one['a'] += 1; ser.iloc[0] = 9; two.loc[0, 'c'] = 9; arr[0] = 9\n"
            "one['a'].to_numpy(copy=True)[0] = 1\n"
            "[one['a'].tolist(), ser.tolist(), two['c'].tolist(), arr.tolist()]"
        )
        ran = self.bench.run(source, manifest={"inputs": inputs})
        self.assertEqual(ran.code, 0, ran.result.get("traceback"))
        self.assertEqual(ran.result["displays"][0]["preview"], [[10, 3], [9, 2], [9, 1], [9, 1, 2]])

    @unittest.skipUnless(sys.platform == "linux", "Linux's default start method")
    def test_fork_stays_the_default_start_method(self):
        source = (
            "import multiprocessing.context as c, multiprocessing as mp\n"
            "from svc_harness.import_hooks import fork_by_default\n"
            "c._default_context._default_context = c._concrete_contexts['forkserver']\nfork_by_default(c)\n"
            "mp.get_start_method()"
        )
        ran = self.bench.run(source, manifest={"store": []})
        self.assertEqual(ran.result["displays"][0]["preview"], "fork")


if __name__ == "__main__":
    unittest.main()
