"""Whole runs: a manifest in its own process, and its results. Rows go through one `check`."""

import json
import os
import sys
import unittest

import support


class CellCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = support.Bench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()


_EXITED = (
    "A cell that exits counts as failed, so the cells that read it do not run. "
    "To skip code without a failure, put it under an `if`."
)

# name, source, expected error, expected traceback (None: not compared)
ERRORS = [
    (
        "plain error",
        "x = 1\ny = x / 0\n",
        "ZeroDivisionError: division by zero",
        'Traceback (most recent call last):\n  File "<cell test>", line 2, in <module>\n    y = x / 0\n'
        "ZeroDivisionError: division by zero\n",
    ),
    (
        "trailing expression",
        "def f():\n    return {}['k']\n\nf()",
        "KeyError: 'k'",
        'Traceback (most recent call last):\n  File "<cell test>", line 4, in <module>\n    f()\n'
        '  File "<cell test>", line 2, in f\n    return {}[\'k\']\nKeyError: \'k\'\n',
    ),
    (
        "chained",
        "try:\n    int('a')\nexcept ValueError as e:\n    raise RuntimeError('outer') from e",
        "RuntimeError: outer",
        'Traceback (most recent call last):\n  File "<cell test>", line 2, in <module>\n    int(\'a\')\n'
        "ValueError: invalid literal for int() with base 10: 'a'\n\n"
        "The above exception was the direct cause of the following exception:\n\n"
        'Traceback (most recent call last):\n  File "<cell test>", line 4, in <module>\n'
        "    raise RuntimeError('outer') from e\nRuntimeError: outer\n",
    ),
    ("no message", "raise ValueError", "ValueError", None),
    ("missing module", "import not_there_at_all.x", "ModuleNotFoundError: No module named 'not_there_at_all'", None),
    ("exit without a fault", "import sys\nsys.exit(0)", "SystemExit: 0\n" + _EXITED, None),
    ("exit without a code", "import sys\nsys.exit()", "SystemExit\n" + _EXITED, None),
    ("exit code", "import sys\nsys.exit(3)", "SystemExit: 3", None),
    ("exit text", "raise SystemExit('stop here')", "SystemExit: stop here", None),
    ("interrupt", "raise KeyboardInterrupt", "KeyboardInterrupt", None),
    ("real interrupt", "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nimport time\ntime.sleep(30)", "KeyboardInterrupt", None),
    ("memory", "raise MemoryError('none left')", "MemoryError: none left", None),
    ("str raises", "class E(Exception):\n    def __str__(self): raise ValueError\nraise E", "E: <exception str() failed>", None),
    ("base exception", "class Stop(BaseException): pass\nraise Stop('x')", "Stop: x", None),
    ("null byte", "x = 1\x00", "SyntaxError: source code string cannot contain null bytes", None),
    ("low recursion limit", "import sys\nsys.setrecursionlimit(60)\nraise ValueError('low')", "ValueError: low", None),
    ("tracing left on", "import sys\ndef t(*a): raise RuntimeError('tracer')\nsys.settrace(t)\nraise ValueError('x')", "ValueError: x", None),
]


# [EX-4]
class Errors(CellCase):
    def check(self, source, error, traceback):
        ran = self.bench.run(source)
        result = ran.result
        self.assertEqual(
            {"code": ran.code, "stdout": ran.stdout, "stderr": ran.stderr, "error": result["error"]},
            {"code": 1, "stdout": "", "stderr": "", "error": error},
        )
        self.assertEqual((result["success"], result["variables"], result["displays"]), (False, {}, []))
        self.assertNotIn("svc_harness", result["traceback"])
        if traceback is not None:
            # Carets under the failing expression require Python 3.11.
            lines = [line for line in result["traceback"].splitlines(True) if set(line.strip()) - set("~^")]
            spaced = [line for line in traceback.splitlines(True) if line.strip()]
            self.assertEqual([line for line in lines if line.strip()], spaced)

    def test_syntax_error(self):
        result = self.bench.run("x = 1\nif x\n    pass").result
        self.assertTrue(result["error"].startswith("SyntaxError: "), result["error"])
        self.assertIn("(<cell test>, line 2)", result["error"])
        self.assertIn('  File "<cell test>", line 2\n    if x\n', result["traceback"])
        self.assertNotIn("Traceback", result["traceback"])

    def test_sources_the_compiler_gives_up_on(self):
        for source in ("(" * 5000 + ")" * 5000, "-" * 100_000 + "1", "+".join(["1"] * 50_000), "x = '\ud800'"):
            ran = self.bench.run(source)
            self.assertEqual((ran.code, ran.result["success"]), (1, False), source[:20])

    def test_interrupt_while_results_are_written(self):
        source = "import os, signal, time\nclass S:\n    def __getstate__(self):\n        os.kill(os.getpid(), signal.SIGINT)\n        time.sleep(30)\ns = S()"
        self.assertEqual(self.bench.run(source).result["error"], "KeyboardInterrupt")

    def test_recursion_is_reported_in_few_lines(self):
        result = self.bench.run("def f(n):\n    return f(n + 1)\nf(0)").result
        self.assertTrue(result["error"].startswith("RecursionError: maximum recursion depth exceeded"))
        self.assertIn("more times]", result["traceback"])
        self.assertLess(len(result["traceback"]), 2000)

    def test_real_memory_limit(self):
        source = (
            "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))\n"
            "hold = []\nwhile True: hold.append(bytearray(1 << 22))"
        )
        result = self.bench.run(source).result
        self.assertEqual(result["error"], "MemoryError")
        self.assertIn("line 4", result["traceback"])

    def test_helper_module_frames_are_kept(self):
        with open(os.path.join(self.bench.cwd, "helper_mod.py"), "w") as file:
            file.write("def go():\n    raise ValueError('inside')\n")
        result = self.bench.run("import helper_mod\nhelper_mod.go()").result
        self.assertIn("helper_mod.py", result["traceback"])
        self.assertIn("raise ValueError('inside')", result["traceback"])

    # [EX-4]
    def test_displays_before_the_error_are_kept(self):
        result = self.bench.run("display(1)\ndisplay(Markdown('# a'))\n1 / 0").result
        self.assertEqual([d["preview"] for d in result["displays"]], [1, "# a"])

    def test_exception_group(self):
        if sys.version_info < (3, 11):
            self.skipTest("exception groups came with Python 3.11")
        result = self.bench.run("raise ExceptionGroup('many', [ValueError('a'), KeyError('b')])").result
        self.assertEqual(result["error"], "ExceptionGroup: many (2 sub-exceptions)")
        self.assertIn("ValueError: a", result["traceback"])

    # [EX-20]
    def test_input_and_breakpoint_are_refused(self):
        for source in ("input('name? ')", "breakpoint()"):
            result = self.bench.run(source).result
            self.assertRegex(result["error"], "^RuntimeError: a cell cannot (ask for input|stop in a debugger)")
            self.assertIn("line 1, in <module>", result["traceback"])


def _add_error(name, source, error, traceback):
    def test(self):
        if name == "null byte" and sys.version_info < (3, 12):
            self.skipTest("a ValueError before Python 3.12")
        self.check(source, error, traceback)

    setattr(Errors, "test_" + name.replace(" ", "_"), test)


for _row in ERRORS:
    _add_error(*_row)


# name, source, extra manifest keys, expected {variable: preview} without the trailing display
EXPORTS = [
    ("new names", "a = 1\n_b = 2\n__c = 3\nA = 4", {}, {"a": 1, "A": 4}),
    ("imports", "import math\nfrom json import dumps as d\na = 1", {"store": ["a"]}, {"math": "<module 'math'>", "d": "<function dumps>", "a": 1}),
    ("untouched injections", "x = display", {"store": []}, {"x": "<function display>"}),
    ("user names win", "display = 3\nMarkdown = 4", {}, {"display": 3, "Markdown": 4}),
    ("no identifiers", "globals()['../up'] = globals()[5] = globals()['a b'] = 1\na = 2", {}, {"a": 2}),
    ("patched builtins", "import builtins as _b\n_b.open = _b.print = None\na = [1]", {}, {"a": [1]}),
    ("false class", "class _B:\n    @property\n    def __class__(self): raise RuntimeError('x')\na = _B()", {"store": []}, {"a": "<_B object>"}),
    ("nothing", "", {}, {}),
    ("comment only", "# nothing", {}, {}),
    ("mounts and tables", "a = str(data / 'f')\nb = [t, t_snapshot, u_snapshot, v_snapshot - 7731075476314307000]", {"mounts": {"data": {"uri": "file:///d", "mode": "ro", "local_path": "/d"}}, "tables": {"t": {"uri": "w#n.t", "snapshot_id": 7}, "u": {"uri": "w#n.u", "snapshot_id": None}, "v": {"uri": "w#n.v", "snapshot_id": "7731075476314307514"}}}, {"a": "/d/f", "b": ["w#n.t", 7, None, 514]}),
    ("environment", "import os as _o\na = _o.environ['SVC_T']", {"env": {"SVC_T": "é"}}, {"a": "é"}),
    ("main module", "import sys as _s\na = __name__\nclass _C: pass\nb = _C.__module__\nc = _s.modules['__main__'].a", {}, {"a": "__main__", "b": "__main__", "c": "__main__"}),
    ("working folder", "import os as _o, sys as _s\na = _s.path[0] == _o.getcwd()\nb = _s.argv", {}, {"a": True, "b": [""]}),
    ("future import", "from __future__ import annotations as _a\ndef _f(x: Undefined): pass\na = _f.__annotations__", {}, {"a": {"x": "Undefined"}}),
    ("big integers stay strict", "a = 2**60\nb = [float('nan'), float('-inf')]", {}, {"a": str(2**60), "b": ["NaN", "-Infinity"]}),
    ("frames of the source", "import inspect as _i\ndef f():\n    return 1\na = _i.getsource(f)", {"store": ["a"]}, {"f": "<function f>", "a": "def f():\n    return 1\n"}),
]


# [EX-1] [EX-2]
class Exports(CellCase):
    def check(self, source, manifest, expected):
        ran = self.bench.run(source, manifest=manifest)
        self.assertEqual((ran.code, ran.stderr), (0, ""))
        got = {k: v.get("preview", v) for k, v in ran.result["variables"].items() if k != "_"}
        self.assertEqual(got, expected)

    # [EX-2]
    def test_store_decides_what_is_written(self):
        ran = self.bench.run("Small = [1]\nbig = [2]\nf = len", manifest={"store": ["Small", "absent"]})
        variables = ran.result["variables"]
        self.assertRegex(variables["Small"]["file"], r"^Small-[0-9a-f]{8}\.json$")
        self.assertEqual(ran.bytes_of(variables["Small"]), b"[1]")
        self.assertEqual(variables["big"], {"content_type": "json/object", "bytes": 0, "preview": [2]})
        left = sorted(os.listdir(ran.folder))
        self.assertEqual(left, sorted([variables["Small"]["file"], "harness-result.json", "manifest.json"]))

    def test_inputs_pass_through(self):
        first = self.bench.run("a = {'k': [1]}\nb = 5\nt = True")
        inputs = {name: first.input(name) for name in ("a", "b", "t")}
        second = self.bench.run("c = a['k'] + [b]\nt = True", manifest={"inputs": inputs, "store": ["c", "t"]})
        self.assertEqual(sorted(second.result["variables"]), ["c", "t"])
        third = self.bench.run("a['k'].append(2)", manifest={"inputs": inputs, "mutation_defines": ["a"]})
        self.assertEqual(third.result["variables"]["a"]["preview"], {"k": [1, 2]})
        self.assertEqual(third.result["mutation_warnings"], [])

    # [EX-5]
    def test_unreadable_input_is_left_out(self):
        path = os.path.join(self.bench.root, "torn.json")
        with open(path, "w") as file:
            file.write("[1,")
        spec = {"content_type": "json/object", "file": path}
        ran = self.bench.run("ok = 'a' not in globals()", manifest={"inputs": {"a": spec}})
        self.assertEqual(ran.result["variables"]["ok"]["preview"], True)
        self.assertRegex(ran.stderr, r"^svc: skipped input 'a' because it could not be read: JSONDecodeError: .*\n$")
        needs = self.bench.run("b = a", manifest={"inputs": {"a": spec}}).result
        why = r"NameError: name 'a' is not defined\na is stored, but could not be read back \(JSONDecodeError: .*\)\.\n?$"
        self.assertRegex(needs["error"], "^" + why)
        self.assertRegex(needs["traceback"], why)
        other = self.bench.run("b = c", manifest={"inputs": {"a": spec}}).result
        self.assertEqual(other["error"], "NameError: name 'c' is not defined")

    # [EX-5]
    def test_r_only_input_is_refused(self):
        spec = {"content_type": "application/x-r-rds", "file": "m.rds"}
        ran = self.bench.run("x = 1", manifest={"inputs": {"m": spec}})
        self.assertEqual((ran.code, ran.result["error_code"]), (1, "R_ONLY_ARTIFACT"))
        self.assertIn("'m'", ran.result["error"])

    def test_sweep_dict(self):
        first = self.bench.run("a = 1\nb = 2")
        variants = {"hi": first.input("b"), "lo": first.input("a")}
        inputs = {"score": {"kind": "sweep_dict", "variants": variants}}
        second = self.bench.run("score", manifest={"inputs": inputs})
        self.assertEqual(second.result["displays"][0]["preview"], {"hi": 2, "lo": 1})

    # [VA-43]
    def test_modules_below_an_imported_one(self):
        first = self.bench.run("import xml.dom.minidom, json\nimport concurrent.futures as cf\nif True:\n    import concurrent.futures")
        files = {name: first.bytes_of(first.result["variables"][name]) for name in ("xml", "json", "cf")}
        self.assertEqual(json.loads(files["xml"]), {"module_name": "xml", "submodules": ["xml.dom.minidom"]})
        self.assertEqual(json.loads(files["json"]), {"module_name": "json"})
        self.assertEqual(json.loads(files["cf"]), {"module_name": "concurrent.futures"})
        inputs = {name: first.input(name) for name in ("xml", "concurrent")}
        second = self.bench.run("xml.dom.minidom.__name__ + concurrent.futures.__name__", manifest={"inputs": inputs})
        self.assertEqual(second.result["displays"][0]["preview"], "xml.dom.minidomconcurrent.futures")

    # [VA-3]
    def test_value_that_cannot_be_stored(self):
        ran = self.bench.run("g = (i for i in [1])\nx = 1")
        self.assertEqual(ran.code, 0)
        self.assertEqual(ran.result["variables"]["g"]["type"], "generator")
        self.assertIn("generator", ran.result["variables"]["g"]["error"])
        self.assertEqual([f for f in os.listdir(ran.folder) if f.startswith("g")], [])

    def test_lambda_in_a_value_without_cloudpickle(self):
        source = "import sys as _s\n_s.modules['cloudpickle'] = None\nf = [lambda: 1]"
        failure = self.bench.run(source).result["variables"]["f"]
        self.assertEqual(failure["type"], "list")
        self.assertIn("add the package cloudpickle", failure["error"])

    def test_values_of_cell_classes_are_instances_of_the_loaded_class(self):
        first = self.bench.run("class P:\n    def __init__(self, x): self.x = x\np = P(3)\nq = {'p': p}")
        inputs = {name: first.input(name) for name in ("P", "p", "q")}
        second = self.bench.run("[isinstance(p, P), isinstance(q['p'], P), p.x]", manifest={"inputs": inputs})
        self.assertEqual(second.result["displays"][0]["preview"], [True, True, 3])

    def test_loop_until(self):
        first = self.bench.run("n = 3")
        rows = [("n > 3", {"until_reached": True}), ("n > 9", {"until_reached": False})]
        rows.append(("nope", {"until_reached": False, "error": "NameError: name 'nope' is not defined"}))
        for until, expected in rows:
            manifest = {"inputs": {"n": first.input("n")}, "loop": {"iteration": 1, "until_expr": until}}
            self.assertEqual(self.bench.run("n = n + 1", manifest=manifest).result["loop"], expected)


def _add_export(name, source, manifest, expected):
    def test(self):
        self.check(source, manifest, expected)

    setattr(Exports, "test_" + name.replace(" ", "_"), test)


for _row in EXPORTS:
    _add_export(*_row)


# name, producer, consumer, names with a warning
MUTATIONS = [
    ("list", "x = [1]", "x.append(2)", ["x"]),
    ("list deep", "x = [[1]]", "x[0].append(2)", ["x"]),
    ("dict", "x = {'a': 1}", "x['a'] = 2", ["x"]),
    ("set", "x = {1}", "x.add(2)", ["x"]),
    ("only read", "x = {'a': [1, 2]}", "y = sorted(x['a']); x['a'][0]", []),
    ("rebound", "x = [1]", "x = x + [2]", []),
    ("deleted", "x = [1]", "del x", ["x"]),
    ("shared outputs", "x = 1", "a = [1]; b = a", ["b"]),
    ("not shared", "x = 1", "a = (1,); b = a; c = len; d = c", []),
    ("attribute", "import types\nx = types.SimpleNamespace(k=1)", "x.k = 2", ["x"]),
]
PANDAS_MUTATIONS = [
    ("frame column", "x['n'] = 1", ["x"]),
    ("frame cell", "x.iloc[0, 0] = 99", ["x"]),
    ("frame column turned", "x.loc[:, 'a'] = x['a'].to_numpy()[::-1].copy()", ["x"]),
    ("frame only read", "y = x.groupby('s').sum(); z = x['a'] + 1; x.describe()", []),
    ("index only read", "y = (0 in idx, idx.is_unique, idx.get_loc(3))", []),
    ("array", "arr[0] = 9", ["arr"]),
    ("array only read", "w = arr.sum()", []),
]


# [EX-3]
class Mutations(CellCase):
    def check(self, producer, consumer, names):
        self.check_after(self.bench.run(producer), consumer, names, self.bench.run)

    def check_after(self, first, consumer, names, run):
        given = [name for name in ("x", "arr", "idx") if name in first.result["variables"]]
        inputs = {name: first.input(name) for name in given}
        second = run(consumer, manifest={"inputs": inputs})
        self.assertEqual((second.code, second.stderr), (0, ""))
        self.assertEqual([w["var_name"] for w in second.result["mutation_warnings"]], names)

    def test_pandas(self):
        """Forks with pandas loaded, as from a template; the first row also runs in a new interpreter."""
        reason = support.missing(["pandas", "pyarrow"])
        if reason:
            self.skipTest(reason)
        producer = (
            "import pandas as pd, numpy as np\n"
            "x = pd.DataFrame({'a': range(1000), 's': list('ab') * 500})\narr = np.arange(100.0)\nidx = pd.Index([1, 3])"
        )
        ways = [(row, self.bench.run) for row in PANDAS_MUTATIONS[:1 if hasattr(os, "fork") else None]]
        if hasattr(os, "fork"):
            import pandas  # noqa: F401

            ways += [(row, self.bench.run_forked) for row in PANDAS_MUTATIONS]
        first = self.bench.run(producer)
        for (name, consumer, names), run in ways:
            with self.subTest(name, way=run.__name__):
                self.check_after(first, consumer, names, run)


def _add_mutation(name, producer, consumer, names):
    def test(self):
        self.check(producer, consumer, names)

    setattr(Mutations, "test_" + name.replace(" ", "_"), test)


for _row in MUTATIONS:
    _add_mutation(*_row)


class Process(CellCase):
    # [EX-6]
    def test_streams_are_the_process_streams(self):
        source = "import os, sys\nprint('é one')\nos.system('echo two')\nprint('three', file=sys.stderr)\nos.write(1, b'four')"
        ran = self.bench.run(source, environ={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
        self.assertEqual((ran.code, ran.stdout, ran.stderr), (0, "é one\ntwo\nfour", "three\n"))

    # [EX-6]
    def test_streams_broken_by_the_cell(self):
        rows = {
            "closed": "import sys\nprint('a')\nsys.stdout.close()\nsys.stderr.close()\nx = 1",
            "closed by descriptor": "import os\nprint('a')\nos.close(1)\nos.close(2)\nx = 1",
            "replaced": "import io, sys\nprint('a')\nsys.stdout = io.StringIO()\nprint('b')\nx = 1",
            "replaced by nonsense": "import sys\nprint('a')\nsys.stdout = 5\nx = 1",
            "none": "import sys\nprint('a')\nsys.stdout = sys.stderr = None\nx = 1",
        }
        for name, source in rows.items():
            with self.subTest(name):
                ran = self.bench.run(source)
                self.assertEqual((ran.result["success"], ran.stdout), (True, "a\n"))
                self.assertEqual(ran.result["variables"]["x"]["preview"], 1)

    def test_unpaired_surrogates_do_not_stop_a_print(self):
        ran = self.bench.run("print('\\ud800')")
        self.assertEqual((ran.code, ran.stdout), (0, "\\ud800\n"))

    # [EX-11]
    def test_a_process_that_exits_leaves_no_result(self):
        ran = self.bench.run("x = 1\nimport os\nos._exit(7)")
        self.assertEqual((ran.code, ran.result), (7, None))

    # [EX-11]
    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_forked_child_writes_nothing(self):
        source = "import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\nx = 'parent' if pid else 'child'\ndisplay(x)\nx"
        ran = self.bench.run(source)
        self.assertEqual(ran.code, 0)
        self.assertEqual(ran.result["variables"]["x"]["preview"], "parent")
        self.assertEqual([d["preview"] for d in ran.result["displays"]], ["parent", "parent"])
        failing = self.bench.run("import os\npid = os.fork()\nif not pid: 1 / 0\n_, s = os.waitpid(pid, 0)\nx = s != 0")
        self.assertEqual((failing.code, failing.result["variables"]["x"]["preview"]), (0, True))
        self.assertIn("ZeroDivisionError", failing.stderr)

    # [EX-9]
    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_multiprocessing_finds_what_the_cell_defines(self):
        source = (
            "import multiprocessing as mp\ndef twice(n): return 2 * n\n"
            "with mp.get_context('fork').Pool(2) as pool: out = pool.map(twice, [1, 2, 3])\nout"
        )
        ran = self.bench.run(source)
        self.assertEqual(ran.result["displays"][0]["preview"], [2, 4, 6])

    # [EX-9]
    def test_pickle_and_dataclasses_see_main(self):
        source = (
            "import pickle, dataclasses, typing\n@dataclasses.dataclass\nclass D:\n    a: 'int' = 1\n"
            "ok = pickle.loads(pickle.dumps(D(2))) == D(2) and typing.get_type_hints(D) == {'a': int}\nok"
        )
        ran = self.bench.run(source, manifest={"store": []})
        self.assertEqual(ran.result["displays"][0]["preview"], True)

    def test_local_modules_do_not_collide_with_the_harness(self):
        with open(os.path.join(self.bench.cwd, "encode.py"), "w") as file:
            file.write("who = 'mine'\n")
        ran = self.bench.run("import encode, sys\n[encode.who, [p for p in sys.path if p.endswith('harness/python')]]")
        self.assertEqual(ran.result["displays"][0]["preview"], ["mine", []])

    def test_alarm_left_running(self):
        ran = self.bench.run("import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.001)\nsignal.signal(signal.SIGALRM, lambda *a: None)\nx = 1")
        self.assertEqual(ran.result["success"], True)

    def test_unusable_manifest(self):
        ran = self.bench.run("x = 1", manifest={"source": None})
        self.assertEqual((ran.code, ran.result), (1, None))
        self.assertTrue(ran.stderr.startswith("svc: unusable manifest "), ran.stderr)

    def test_trivial_cell_imports_nothing_heavy(self):
        source = "x = 1\nimport sys as _s\nloaded = sorted(m for m in ('ast', 'inspect', 'typing', 'pathlib', 'subprocess', 'logging', 'traceback', 'tempfile', 'random', 'asyncio', 'pickle', 'numpy', 'pyarrow', 'pandas') if m in _s.modules)"
        ran = self.bench.run(source)
        self.assertEqual(ran.result["variables"]["loaded"]["preview"], [])


if __name__ == "__main__":
    unittest.main()
