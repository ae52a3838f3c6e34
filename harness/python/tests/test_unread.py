"""Values that no cell reads yet: which are stored, and which are skipped silently."""

import os
import signal
import unittest

import support

ROOM = {"bytes": 10_000, "bytes_per_second": 0}
# source, allowance, names that are stored
KEPT = [
    ("small values of any kind", "a = 1\nb = [2]\nc = {1, 2}\ndef f():\n    return a", ROOM, ["a", "b", "c", "f"]),
    ("a text too long", "a = 'x' * 20_000\nb = 1", ROOM, ["b"]),
    ("a list too long to check", "a = list(range(5_000_000))\nb = 1", ROOM, ["b"]),
    ("lists in lists", "a = [[0] * 100] * 1_000\nb = 1", ROOM, ["b"]),
    ("a value that does not report its size", "import fractions\na = fractions.Fraction(10 ** 50_000, 3)\nb = 1", ROOM, ["b", "fractions"]),
    ("no value that cannot be stored", "a = __import__('threading').Lock()\nb = (i for i in 'x')\nc = 1", ROOM, ["c"]),
    ("a size that a class claims is not trusted", "class A:\n    nbytes = 10 ** 9\na = A()\nb = 1", ROOM, ["A", "a", "b"]),
    (
        "more for a cell that took longer",
        "import time as _t\n_t.sleep(0.2)\na = 'x' * 20_000",
        {"bytes": 0, "bytes_per_second": 200_000},
        ["a"],
    ),
    ("code that needs a value too large", "W = 'x' * 20_000\ndef f():\n    return W\nb = 1", ROOM, ["b"]),
    ("code that needs a private value too large", "_w = 'x' * 20_000\ndef f():\n    return _w\nb = 1", ROOM, ["b"]),
    (
        "code that needs a value that does not report its size",
        "from fractions import Fraction as _F\nW = _F(10 ** 50_000, 3)\ndef f():\n    return W\nb = 1",
        ROOM,
        ["b"],
    ),
    (
        "an object of a class whose code needs a value too large",
        "W = 'x' * 20_000\nclass A:\n    def f(self):\n        return W\na = A()\nb = 1",
        ROOM,
        ["b"],
    ),
    ("code that needs a small value", "W = list('x')\ndef f():\n    return W", ROOM, ["W", "f"]),
    ("a value whose writing would end the process", "class A:\n    def __reduce__(self):\n        raise SystemExit(3)\na = A()\nb = 1", ROOM, ["A", "b"]),
    (
        "no second form of a value too large is tried",
        "class A:\n    def __init__(self):\n        self.data = ['y' * 500 + str(i) for i in range(100)]\na = A()\nb = 1",
        ROOM,
        ["A", "b"],
    ),
]
LIBRARIES = [
    (
        "frames and arrays by their size",
        ("pandas", "pyarrow"),
        "import numpy as np, pandas as pd\nbig = np.zeros(2_000)\nsmall = np.zeros(3)\n"
        "frame = pd.DataFrame({'a': range(3)})\nlong = pd.DataFrame({'a': range(5_000)})\n"
        "texts = pd.DataFrame({'a': ['x' * 9_000] * 3})",
        ["frame", "np", "pd", "small"],
    ),
    (
        "a figure is stored only as its picture",
        ("matplotlib",),
        "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nlines = ax.plot([1, 2])\nn = 1",
        ["n", "plt"],
    ),
]


class Unread(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = support.Bench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def check(self, source, allowance, kept, seconds=60):
        """`seconds`: time allowed for storing; the default of half a second may be too short on a busy machine."""
        names = source.replace("\n", " ").replace(",", " ").replace("(", " ").split()
        manifest = {"store": sorted(set(names)), "unread": allowance}
        longer = "import svc_harness.unread; svc_harness.unread._LEAST_SECONDS = %d" % seconds
        ran = self.bench.run(source, manifest=manifest, before=longer)
        self.assertEqual((ran.code, ran.stderr, ran.result["mutation_warnings"]), (0, "", []))
        variables = ran.result["variables"]
        files = sorted(meta["file"] for meta in variables.values() if "file" in meta and not meta["file"].startswith("__"))
        self.assertEqual(sorted(name for name, meta in variables.items() if "file" in meta and name != "_"), sorted(kept))
        left = [name for name in os.listdir(ran.folder) if not name.startswith(("__", "manifest", "harness"))]
        self.assertEqual(sorted(left), files)
        return ran

    # [EX-48]
    def test_which_values_are_stored(self):
        for name, source, allowance, kept in KEPT:
            with self.subTest(name):
                self.check(source, allowance, kept)

    # [EX-48]
    def test_libraries(self):
        for name, libraries, source, kept in LIBRARIES:
            reason = support.missing(libraries)
            with self.subTest(name):
                if reason is not None:
                    self.skipTest(reason)
                self.check(source, ROOM, kept)

    # [EX-48]
    def test_a_shown_value_is_stored_in_the_file_of_its_display(self):
        ran = self.bench.run("a = 'x' * 20_000\na", manifest={"store": ["a"], "unread": ROOM})
        self.assertEqual(ran.result["variables"]["a"]["file"], ran.result["displays"][0]["file"])

    # [EX-48]
    def test_a_value_that_takes_too_long_is_left_out(self):
        source = (
            "import time as _t\nclass A:\n    def __getstate__(self):\n        _t.sleep(0.7)\n        return 'x'\n"
            "a = A()\nb = 1"
        )
        ran = self.bench.run(source, manifest={"store": ["a", "b"], "unread": ROOM})
        self.assertNotIn("file", ran.result["variables"]["b"])

    # [EX-48]
    @unittest.skipUnless(hasattr(signal, "setitimer"), "no alarms on this system")
    def test_a_value_that_waits_for_something_is_left_out(self):
        """An alarm interrupts the wait: otherwise it would print its end, after minutes."""
        source = (
            "import time as _t\nclass A:\n    def __getstate__(self):\n        print('waits', flush=True)\n"
            "        _t.sleep(300)\n        print('waited', flush=True)\n        return 'x'\nb = 1\na = A()"
        )
        ran = self.check(source, ROOM, ["A", "b"], seconds=5)
        self.assertEqual(set(ran.stdout.split()), {"waits"})

    # [EX-48]
    @unittest.skipUnless(hasattr(signal, "setitimer"), "no alarms on this system")
    def test_an_import_for_the_check_of_a_value_is_completed(self):
        source = (
            "import builtins, time as _t\n_import = builtins.__import__\n"
            "def _slowly(name, *more, **named):\n    if name == 'pyarrow' and not _seen:\n"
            "        _seen.append(1)\n        _t.sleep(1)\n        _seen.append(2)\n"
            "    return _import(name, *more, **named)\n_seen = []\nbuiltins.__import__ = _slowly\n"
            "import atexit as _a\n_a.register(lambda: print(_seen))\n"
            "def f():\n    return n\nimport numpy as _np\nn = _np.float64(1)"
        )
        ran = self.bench.run(source, manifest={"store": ["f", "n"], "unread": ROOM})
        self.assertEqual(ran.stdout, "[1, 2]\n")

    # [EX-48]
    @unittest.skipUnless(hasattr(signal, "setitimer"), "no alarms on this system")
    def test_the_alarm_of_the_cell_is_not_changed(self):
        source = "import signal as _s\n_s.signal(_s.SIGALRM, print)\n_s.alarm(100)\nb = [1]\nc = 2"
        self.check(source, ROOM, ["b", "c"])


if __name__ == "__main__":
    unittest.main()
