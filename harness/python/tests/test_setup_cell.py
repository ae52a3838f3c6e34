"""The set-up cell of a notebook, run in the process of another cell."""

import os
import sys
import unittest

import support

# source of the set-up cell, what the next cell displays, what a plain interpreter shows after both
STATE = {
    "seed": ("import random\nrandom.seed(42)", "import random\nrandom.random()", 0.6394267984578837),
    "environment": ("import os\nos.environ['FLAG'] = '1'", "import os\nos.environ['FLAG']", "1"),
    "folder": ("import os\nos.makedirs('sub', exist_ok=True)\nos.chdir('sub')", "import os\nos.path.basename(os.getcwd())", "sub"),
    "path": (
        "import os, sys\nos.makedirs('lib', exist_ok=True)\nopen('lib/inlib.py', 'w').write('K = 1')\nsys.path.insert(0, 'lib')",
        "import inlib\ninlib.K",
        1,
    ),
    "warnings": (
        "import warnings\nwarnings.simplefilter('error')",
        "import warnings\ntry:\n    warnings.warn('w')\n    said = 'warned'\nexcept UserWarning:\n    said = 'raised'\nsaid",
        "raised",
    ),
    "decimal": ("import decimal\ndecimal.getcontext().prec = 3", "import decimal\nstr(decimal.Decimal(1) / 3)", "0.333"),
    "logging": (
        "import logging\nlogging.basicConfig(level=logging.INFO)",
        "import logging\nlogging.getLogger().level",
        20,
    ),
    "module attribute": ("import math\nmath.tau2 = 7", "import math\nmath.tau2", 7),
    "replaced function": (
        "import json\nold = json.dumps\ndef ours(value):\n    return 'ours ' + old(value)\njson.dumps = ours",
        "import json\njson.dumps(1)",
        "ours 1",
    ),
    "function that the harness uses itself": (
        "import json\njson.dumps = lambda *a, **k: 'ours'",
        "import json\n[json.dumps(1), {'a': 1}]",
        ["ours", {"a": 1}],
    ),
    "recursion": ("import sys\nsys.setrecursionlimit(5000)", "import sys\nsys.getrecursionlimit()", 5000),
    "names stay in it": ("x = 1\nimport os as system", "['x' in globals(), 'system' in globals()]", [False, False]),
    "a later future import does not count": ("from __future__ import annotations", "def f(a: int): ...\nf.__annotations__['a'] is int", True),
    "numpy seed": ("import numpy as np\nnp.random.seed(0)", "import numpy as np\nround(float(np.random.rand()), 4)", 0.5488),
    "pandas option": (
        "import pandas as pd\npd.set_option('display.max_rows', 7)",
        "import pandas as pd\npd.get_option('display.max_rows')",
        7,
    ),
    "matplotlib style": (
        "import matplotlib.pyplot as plt\nplt.rcParams['figure.figsize'] = (16, 9)",
        "import matplotlib.pyplot as plt\nlist(plt.rcParams['figure.figsize'])",
        [16.0, 9.0],
    ),
}
NEEDS = {"numpy seed": ["numpy"], "pandas option": ["pandas"], "matplotlib style": ["matplotlib"]}


def with_setup(source, **more):
    return {"setup": {"source": source, "cell_name": "start"}, **more}


class SetupCell(unittest.TestCase):
    def setUp(self):
        self.bench = support.Bench()

    def tearDown(self):
        self.bench.close()

    # [SO-173]
    def test_the_cell_starts_with_its_state(self):
        runs = [self.bench.run] + ([self.bench.run_forked] if hasattr(os, "fork") else [])
        for what, (setup, source, expected) in STATE.items():
            if support.missing(NEEDS.get(what, [])):
                continue
            for run in runs:
                with self.subTest(what, run=run.__name__):
                    done = run(source, manifest=with_setup(setup))
                    self.assertTrue(done.result["success"], done.result.get("traceback"))
                    self.assertEqual(done.result["displays"][0]["preview"], expected)
                    self.assertEqual(done.stderr, "")

    # [SO-173] A value whose class is only importable from the path that the set-up cell adds.
    def test_it_runs_before_the_inputs_are_read(self):
        setup = "import sys\nsys.path.insert(0, 'lib')"
        os.makedirs(os.path.join(self.bench.cwd, "lib"))
        with open(os.path.join(self.bench.cwd, "lib", "shapes.py"), "w", encoding="utf-8") as file:
            file.write("class Point:\n    def __init__(self, x):\n        self.x = x\n")
        made = self.bench.run("import shapes\np = shapes.Point(3)", manifest=with_setup(setup))
        inputs = {"p": made.input("p")}
        read = self.bench.run("p.x", manifest=with_setup(setup, inputs=inputs))
        self.assertEqual(read.result["displays"][0]["preview"], 3)

    # [SO-173]
    def test_warnings_that_are_errors_do_not_prevent_reading_inputs(self):
        setup = "import warnings\nwarnings.simplefilter('error')"
        with open(os.path.join(self.bench.cwd, "old.py"), "w", encoding="utf-8") as file:
            file.write("import warnings\nwarnings.warn('old', DeprecationWarning)\nclass C:\n    x = 4\n")
        made = self.bench.run("import old\nc = old.C()")
        read = self.bench.run("c.x", manifest=with_setup(setup, inputs={"c": made.input("c")}))
        self.assertEqual(read.result["displays"][0]["preview"], 4)

    # [SO-178]
    def test_its_output_is_not_output_of_the_cell(self):
        setup = (
            "import os, subprocess, sys, warnings\nprint('out')\nprint('err', file=sys.stderr)\n"
            "os.write(1, b'raw')\nsubprocess.run([sys.executable, '-c', 'print(1)'])\nwarnings.warn('w')\n"
            "display(1)\n2"
        )
        done = self.bench.run("print('mine')\n3", manifest=with_setup(setup))
        self.assertEqual((done.stdout, done.stderr), ("mine\n", ""))
        self.assertEqual([one["preview"] for one in done.result["displays"]], [3])

    # [SO-178]
    def test_a_stream_it_passes_to_a_library_still_reaches_the_console(self):
        setup = "import logging, sys\nlogging.basicConfig(level=logging.INFO, stream=sys.stdout, format='%(message)s')"
        done = self.bench.run("import logging\nlogging.info('hello')", manifest=with_setup(setup))
        self.assertEqual(done.stdout, "hello\n")

    # [SO-178]
    def test_figures_it_leaves_open_are_not_shown_by_the_cell(self):
        if support.missing(["matplotlib"]):
            self.skipTest("not installed: matplotlib")
        setup = "import matplotlib.pyplot as plt\nplt.plot([1, 2])"
        source = "import matplotlib.pyplot as plt\nlen(plt.get_fignums())"
        done = self.bench.run(source, manifest=with_setup(setup))
        self.assertEqual([one["preview"] for one in done.result["displays"]], [0])

    # [SO-174]
    def test_its_failure_fails_the_cell_which_does_not_run(self):
        faults = {
            "x = 1\n1 / 0": ("ZeroDivisionError: division by zero", 'File "<set-up cell start>", line 2'),
            "def f(:": ("SyntaxError: ", 'File "<set-up cell start>", line 1'),
            "import sys\nsys.exit(3)": ("SystemExit: 3", "<set-up cell start>"),
            "import sys\nsys.exit()": ("SystemExit", "<set-up cell start>"),
            "import no_such_module": ("ModuleNotFoundError: No module named 'no_such_module'", "line 1"),
        }
        for setup, (error, trace) in faults.items():
            with self.subTest(setup):
                done = self.bench.run("print('ran')", manifest=with_setup(setup))
                self.assertFalse(done.result["success"])
                self.assertTrue(done.result["error"].startswith("The setup cell failed: " + error), done.result["error"])
                self.assertTrue(done.result["traceback"].startswith("The setup cell failed:\n"))
                self.assertIn(trace, done.result["traceback"])
                self.assertNotIn("svc_harness", done.result["traceback"])
                self.assertEqual((done.stdout, done.code), ("", 1))

    # [SO-173]
    def test_tests_of_a_cell_run_with_its_state(self):
        if support.missing(["pytest"]):
            self.skipTest("not installed: pytest")
        setup = "import os\nos.environ['FLAG'] = 'set'"
        tests = {"source": "def test_flag(cell):\n    assert cell.flag == 'set'", "file": "cells/a.test.py", "name": "a"}
        done = self.bench.run("import os\nflag = os.environ['FLAG']", manifest=with_setup(setup, tests=tests))
        with open(os.path.join(done.folder, "test-report.jsonl"), encoding="utf-8") as file:
            self.assertIn('"outcome": "passed"', file.read())

    # [SO-173]
    def test_values_of_a_prompt_are_read_with_its_state(self):
        with open(os.path.join(self.bench.cwd, "shown.py"), "w", encoding="utf-8") as file:
            file.write("import os\nclass Shown:\n    def __str__(self):\n        return os.environ.get('FLAG', 'not set')\n")
        made = self.bench.run("import shown\nv = shown.Shown()")
        values = {"room": 1000, "values": [{"root": "v", "steps": []}]}
        inputs = {"v": made.input("v")}
        manifest = with_setup("import os\nos.environ['FLAG'] = 'set'", inputs=inputs, prompt_values=values)
        done = self.bench.run("", manifest=manifest)
        self.assertTrue(done.result["success"], done.result)
        with open(os.path.join(done.folder, "prompt-values.json"), encoding="utf-8") as file:
            self.assertIn('"set"', file.read())

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    # [SO-173]
    def test_a_process_it_forks_is_not_the_run(self):
        done = self.bench.run("'once'", manifest=with_setup("import os\npid = os.fork()\nif pid:\n    os.waitpid(pid, 0)"))
        self.assertEqual([one["preview"] for one in done.result["displays"]], ["once"])
        self.assertEqual(done.code, 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
