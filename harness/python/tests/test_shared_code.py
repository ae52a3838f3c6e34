"""Code shared as source: what can be shared, how it behaves in other cells, and the reasons for refusals."""

import json
import os
import sys
import unittest

import support

from svc_harness.code_slice import CODE, CodeSlice

with open(os.path.join(support.FIXTURES, "shared_code.json"), encoding="utf-8") as _file:
    ROWS = json.load(_file)


# [GR-30]
class Slices(unittest.TestCase):
    """The rows that the server's tests read too (src-main/language/python/sharedCode.test.ts)."""

    def check(self, row):
        code = CodeSlice(row["source"])
        if not any(one.kind in CODE or one.kind == "lambda" for one in code.statements):
            self.assertIsNone(row["exports"])
            return
        judged = code.judge(row["wired"], row.get("below", ()))
        text = code.text()
        got = {
            "exports": {name: kind for name, kind in code.symbols.items() if not name.startswith("_")},
            "blocked": {name: [_words(one, name) for one in found] for name, found in judged.reasons.items()},
            "injects": {name: sorted(needs) for name, needs in judged.injects.items() if needs},
            "is_module": judged.is_module(),
            "slice": "verbatim" if text == row["source"] else text,
        }
        self.assertEqual(got, {key: row[key] for key in got})


def _words(reason, symbol):
    within = reason["within"]
    return "%s %s%s" % (reason["code"], reason["name"], " in " + within if within not in ("", symbol) else "")


def _add(case, name, *arguments):
    method = "test_" + "".join(c if c.isalnum() else "_" for c in name)
    assert not hasattr(case, method), "two rows are called " + name
    setattr(case, method, lambda self: self.check(*arguments))


for _row in ROWS:
    _add(Slices, _row["name"], _row)


class Chain:
    """Runs cells in order as the server does: every name that a later cell may read is stored and pinned."""

    def __init__(self, bench):
        self.bench = bench
        self.inputs = {}
        self.ran = None

    def cell(self, name, source, store=(), below=(), changed=()):
        """`changed`: inputs that the cell changes in place and exports."""
        manifest = {"inputs": self.inputs, "store": list(store), "cell_name": name, "svc_cell_id": name, "svc_notebook_id": "n"}
        manifest["mutation_defines"] = list(changed)
        manifest["below"] = {one: "the cell below" for one in below}
        self.ran = ran = self.bench.run(source, manifest=manifest)
        if ran.result is None or not ran.result["success"]:
            raise AssertionError("%s failed: %s%s" % (name, ran.stderr, (ran.result or {}).get("traceback", "")))
        for one in store:
            meta = ran.result["variables"][one]
            if "error" not in meta:
                self.inputs[one] = self.spec(name, one, meta)
        return ran

    def spec(self, cell, name, meta, above=()):
        spec = {
            "content_type": meta["content_type"],
            "file": os.path.join(self.ran.folder, meta["file"]),
            "uri": "svc://artifact/%s_%s@v=1" % (cell, name),
        }
        injected = {}
        for key, uri in (meta.get("injected") or {}).items():
            if uri is None:
                if key not in above:
                    injected[key] = self.spec(cell, key, self.ran.result["variables"][key], (*above, key))
            else:
                injected[key] = self.by_uri(uri)
        if injected:
            spec["injected"] = injected
        return spec

    def by_uri(self, uri):
        open_specs = list(self.inputs.values())
        while open_specs:
            spec = open_specs.pop()
            if spec.get("uri") == uri:
                return spec
            open_specs.extend(spec.get("injected", {}).values())
        raise AssertionError("nothing has " + uri)


AREA = (
    "import math\nK = 2\nbase = len('abc')\ndef area(r): return math.pi * r * factor * base\n"
    "class P:\n    def __init__(self, x): self.x = x\n    def grown(self): return area(self.x)"
)
POINT = (
    "from dataclasses import dataclass\nfrom enum import Enum\nfrom functools import lru_cache\n"
    "class Color(Enum):\n    RED = 1\n    BLUE = 2\n"
    "@dataclass(frozen=True)\nclass Point:\n    x: int\n    color: Color = Color.RED\n"
    "    def moved(self, by): return Point(self.x + by, self.color)\n"
    "@lru_cache\ndef fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
    "def even(n): return n == 0 or odd(n - 1)\ndef odd(n): return n != 0 and even(n - 1)\n"
    "async def later(n): return n"
)

# name, cells (name, source, stored names), value of the last cell's trailing expression
BEHAVIOURS = [
    ("the worked example", [("m0", "factor = 3", ["factor"]), ("m1", AREA, ["area", "P"])], "[round(area(1), 3), round(P(2).grown(), 3), P.__module__.startswith('nb_n_')]", [28.274, 56.549, False]),
    ("instances belong to the class that another cell imports", [("m1", POINT + "\np = Point(1, Color.BLUE)\nps = [p, Point(2)]\nd = {'c': Color.BLUE, 'k': Point}", ["Point", "Color", "p", "ps", "d"])], "[isinstance(p, Point), ps[0] == p, ps[1].color is Color.RED, d['c'] is Color.BLUE, d['k'] is Point, p.moved(1) == Point(2, Color.BLUE)]", [True] * 6),
    ("an instance alone includes its class", [("m1", POINT + "\np = Point(1)", ["p"])], "[p.x, type(p).__name__, p.color.name]", [1, "Point", "RED"]),
    ("created two cells later", [("m1", POINT, ["Point"]), ("m2", "q = Point(5)\nqs = (q,)", ["q", "qs"])], "[isinstance(q, Point), qs[0] == q]", [True, True]),
    ("passed on under another name", [("m1", POINT, ["fib", "Point"]), ("m2", "fibonacci = fib\nQ = Point", ["fibonacci", "Q"])], "[fibonacci(10), Q is Point, fibonacci is fib]", [55, True, True]),
    ("decorated, recursive, mutually recursive", [("m1", POINT, ["fib", "even", "odd"])], "[fib(30), even(10), odd(10), fib.cache_info().hits > 0]", [832040, True, False, True]),
    ("async", [("m1", POINT, ["later"])], "import asyncio\nasyncio.run(later(4))", 4),
    ("a hierarchy over two cells", [("m0", "class Base:\n    def who(self): return 'base'", ["Base"]), ("m1", "class Child(Base):\n    def who(self): return 'child of ' + super().who()\nc = Child()", ["Child", "c"])], "[isinstance(c, Base), issubclass(Child, Base), Child().who(), isinstance(Child(), Base)]", [True, True, "child of base", True]),
    ("code that uses code of another cell", [("m0", "factor = 3\ndef times(n): return n * factor", ["factor", "times"]), ("m1", "def twice(n): return times(n) * 2", ["twice"])], "[twice(2), times(2)]", [12, 6]),
    ("pickled in another cell", [("m1", POINT + "\np = Point(7)", ["Point", "p", "fib"])], "import pickle, copy\n[pickle.loads(pickle.dumps(p)) == p, copy.deepcopy(p) == p, pickle.loads(pickle.dumps(fib)) is fib, pickle.loads(pickle.dumps(Point)) is Point]", [True] * 4),
    ("a constant that a function names is shared, one alone stays a value", [("m1", "K = [1]\ndef f(): return K", ["K", "f"]), ("m2", "L = [2]", ["L"])], "K.append(2)\n[f(), L]", [[1, 2], [2]]),
    ("a constant that changed stays a value", [("m1", "K = [1]\nK.append(2)\ndef f(): return len(K)", ["K", "f"])], "[K, f()]", [[1, 2], 1]),
    ("global state starts from its initial value", [("m1", "_n = 0\ndef count():\n    global _n\n    _n += 1\n    return _n\ncount()", ["count"])], "[count(), count()]", [1, 2]),
    ("values of its own, private ones too", [("m1", "_table = {n: n * n for n in range(4)}\ndef square(n): return _table[n]", ["square"])], "square(3)", 9),
    ("a value made of its own class", [("m1", "class P:\n    def __init__(self): self.x = 4\ndefault = P()\ndef get(p=None): return [(p or default).x, isinstance(default, P)]", ["get", "P"])], "[get(), get(P())]", [[4, True], [4, True]]),
    ("a value that refers back to its class", [("m1", "class P:\n    def other(self): return default\ndefault = P()", ["P"])], "isinstance(P().other(), P)", True),
    ("generics", [("m1", "from typing import Generic, TypeVar\nT = TypeVar('T', bound=int)\nclass Box(Generic[T]):\n    def __init__(self, v): self.v = v\nb = Box[int](3)", ["Box", "b", "T"])], "[b.v, isinstance(b, Box), Box[int](4).v, T.__bound__ is int]", [3, True, 4, True]),
    ("exceptions and subclasses of builtins", [("m1", "class Wrong(ValueError):\n    pass\nclass D(dict):\n    pass\nd = D(a=1)\ne = Wrong('no')", ["Wrong", "D", "d", "e"])], "[isinstance(d, D), dict(d), isinstance(e, Wrong), e.args[0]]", [True, {"a": 1}, True, "no"]),
    ("slots and state of their own", [("m1", "class S:\n    __slots__ = ('a',)\n    def __init__(self, a): self.a = a\nclass G:\n    def __init__(self, n): self.n = n\n    def __getstate__(self): return {'half': self.n / 2}\n    def __setstate__(self, s): self.n = s['half'] * 2\ns = S(1)\ng = G(6)", ["s", "g"])], "[s.a, g.n]", [1, 6]),
    ("classes inside classes", [("m1", "class Outer:\n    class Inner:\n        def __init__(self): self.y = 2\ni = Outer.Inner()", ["Outer", "i"])], "[isinstance(i, Outer.Inner), i.y]", [True, 2]),
    ("partials and bound methods", [("m1", "from functools import partial\nclass P:\n    def __init__(self, x): self.x = x\n    def get(self, n=0): return self.x + n\ndef add(a, b): return a + b\ninc = partial(add, 1)\nbound = P(3).get", ["inc", "bound", "P"])], "[inc(2), bound(1), isinstance(bound.__self__, P)]", [3, 4, True]),
    ("code after a docstring and a comment", [("m1", "'''What it is.'''\n# @name x\ndef f(): return __doc__", ["f"])], "f()", "What it is."),
    ("code that displays a value", [("m1", "def show(v): display(v)", ["show"])], "show(1)\n2", 2),
    ("an import it needs", [("m1", "import json as j\nfrom os import path as p\ndef f(): return j.dumps([p.basename('/a/b')])", ["f"])], "f()", '["b"]'),
    ("the location of its source", [("m1", "x = 1\n\ndef f(n):\n    return n\n\nclass C:\n    pass", ["f", "C"])], "import inspect\n[inspect.getsource(f), inspect.getsource(C), f.__code__.co_firstlineno, inspect.getsourcefile(f)]", ["def f(n):\n    return n\n", "class C:\n    pass\n", 3, "<cell m1>"]),
]


class Behaviours(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = support.Bench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    # [EX-40]
    def check(self, cells, source, expected):
        chain = Chain(self.bench)
        for name, text, store in cells:
            ran = chain.cell(name, text, store)
            self.assertEqual(ran.stderr, "")
            self.assertEqual([v for v in ran.result["variables"].values() if "error" in v], [])
        last = chain.cell("last", source)
        self.assertEqual((last.stderr, last.result["displays"][-1]["preview"]), ("", expected))

    # [EX-41]
    def test_tracebacks_show_the_lines_of_the_cell_that_wrote_the_code(self):
        chain = Chain(self.bench)
        chain.cell("maker", "x = [1]\n\ndef broken(n):\n    return n / 0\n", ["broken"])
        result = self.bench.run("broken(1)", manifest={"inputs": chain.inputs, "cell_name": "user"}).result
        text = "\n".join(line for line in result["traceback"].splitlines() if set(line.strip()) - set("~^"))
        self.assertEqual(
            text,
            'Traceback (most recent call last):\n  File "<cell user>", line 1, in <module>\n    broken(1)\n'
            '  File "<cell maker>", line 4, in broken\n    return n / 0\nZeroDivisionError: division by zero',
        )

    def test_two_cells_of_one_name_have_separate_lines(self):
        chain = Chain(self.bench)
        chain.cell("same", "def one():\n    return 1 / 0", ["one"])
        result = self.bench.run("\n\none()", manifest={"inputs": chain.inputs, "cell_name": "same"}).result
        self.assertIn('File "<cell same, 2>", line 2, in one\n    return 1 / 0', result["traceback"])

    # [EX-9]
    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_forked_workers_can_call_it(self):
        chain = Chain(self.bench)
        chain.cell("m", POINT, ["Point", "fib"])
        last = chain.cell("last", "import multiprocessing as mp\nwith mp.get_context('fork').Pool(2) as pool: out = [pool.map(fib, [5, 6]), [p.x for p in pool.map(Point, [1, 2])]]\nout")
        self.assertEqual(last.result["displays"][0]["preview"], [[5, 8], [1, 2]])

    # [EX-9]
    @unittest.skipUnless(support.has("joblib"), "not installed: joblib")
    def test_workers_in_new_processes_can_call_it_too(self):
        chain = Chain(self.bench)
        chain.cell("m", POINT + "\nfactor = int('3')\ndef times(n): return n * factor if even(n) else n", ["times", "Point"])
        source = "from joblib import Parallel, delayed\nParallel(n_jobs=2)(delayed(times)(n) for n in [5, 6]) + [p.x for p in Parallel(n_jobs=2)(delayed(Point)(n) for n in [1, 2])]"
        last = chain.cell("last", source)
        self.assertEqual(last.result["displays"][0]["preview"], [5, 18, 1, 2])

    # [SO-130]
    @unittest.skipUnless(support.has("joblib"), "not installed: joblib")
    def test_workers_in_new_processes_get_names_of_later_cells(self):
        chain = Chain(self.bench)
        chain.cell("m1", "class A:\n    def run(self, n): return f(n)\ndef f(n): return g(n) + 1", ["f", "A"], ["g"])
        chain.cell("m2", "def g(n): return h(n) * 2", ["g"], ["h"])
        chain.cell("m3", "def h(n): return n * 10", ["h"])
        source = "from joblib import Parallel, delayed\nParallel(n_jobs=2)([delayed(f)(1), delayed(A().run)(2)])"
        last = chain.cell("last", source)
        self.assertEqual(last.result["displays"][0]["preview"], [21, 41])

    # [SO-132]
    def test_a_missing_name_of_a_later_cell_is_named(self):
        chain = Chain(self.bench)
        chain.cell("m1", "def f(): return g()", ["f"], ["g"])
        manifest = {"inputs": chain.inputs, "below": {"g": "tools"}}
        result = self.bench.run("f()", manifest=manifest).result
        self.assertIn("g is defined further down, in the cell tools. Move that cell above this one.", result["error"])
        self.assertIn("g is defined further down", result["traceback"])

    @unittest.skipUnless(support.has("cloudpickle"), "not installed: cloudpickle")
    def test_values_of_an_older_version_are_still_read(self):
        import cloudpickle

        source = "class P:\n    x = 1\ndef f(): return P.x"
        space = {"__name__": "__main__"}
        exec(source, space)
        path = os.path.join(self.bench.root, "old.pickle")
        main = sys.modules["__main__"]
        with open(path, "wb") as file:
            vars(main).update(P=space["P"], f=space["f"])
            cloudpickle.dump(space["f"], file)
            del main.P, main.f
        ran = self.bench.run("f()", manifest={"inputs": {"f": {"content_type": "pickle/object", "file": path}}})
        self.assertEqual(ran.result["displays"][0]["preview"], 1)


for _behaviour in BEHAVIOURS:
    _add(Behaviours, *_behaviour)


# name, source, stored name, reason codes
BLOCKED = [
    ("lambda", "f = lambda q: q", "f", ["lambda f"]),
    ("lambda through another", "g = lambda q: q\ndef f(): return g(1)", "f", ["lambda g"]),
    ("closure", "def make(n):\n    def add(x): return x + n\n    return add\nf = make(3)", "f", ["closure f in make"]),
    ("uses a closure", "def make(n):\n    def add(x): return x + n\n    return add\nadd = make(3)\ndef f(): return add(1)", "f", ["unstorable add", "closure add in make"]),
    ("unknown", "def f(): return later", "f", ["unknown later"]),
    ("star import", "from math import *\ndef f(): return 1", "f", ["star_import math"]),
    ("rebound", "def f(): return 1\nf.extra = 2", "f", ["rebound f"]),
    ("missing", "for x in []: pass\ndef f(): return x", "f", ["missing x"]),
    ("unstorable", "g = (n for n in [1])\ndef f(): return next(g)", "f", ["unstorable g"]),
    ("circular", "default = list()\nclass P:\n    d = default\ndefault.append(P())\ndef f(p=default): return p", "f", ["unstorable default", "circular default in P"]),
]


# [EX-42]
class Blocked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = support.Bench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def check(self, source, name, expected):
        ran = self.bench.run(source, manifest={"store": [name]})
        meta = ran.result["variables"][name]
        self.assertEqual([_words(one, "f") for one in meta["reasons"]], expected)
        self.assertEqual((ran.code, "file" in meta), (0, False))

    def test_code_that_cannot_be_shared_is_shown(self):
        ran = self.bench.run("f = lambda q: q\nf")
        self.assertEqual(ran.result["displays"][0]["content_type"], "text/plain")

    def test_code_that_is_not_stored_is_not_analyzed(self):
        ran = self.bench.run("f = lambda q: q\nimport sys\nlooked = 'svc_harness.code_sharing' in sys.modules", manifest={"store": ["looked"]})
        self.assertEqual(ran.result["variables"]["looked"]["preview"], False)

    # [EX-43]
    def test_a_constant_that_changed_is_warned_about(self):
        ran = self.bench.run("K = [1]\nK.append(2)\ndef f(): return K\ndef g(): return 1", manifest={"store": ["f", "g"]})
        self.assertEqual([one["var_name"] for one in ran.result["mutation_warnings"]], ["K"])


for _blocked in BLOCKED:
    _add(Blocked, *_blocked)

if __name__ == "__main__":
    unittest.main()
