"""Displays of cells: their formats and order."""

import json
import os
import unittest

import support


class DisplayCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = support.Bench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def shown(self, source, **options):
        ran = self.bench.run(source, **options)
        self.assertEqual(ran.code, 0, ran.result and ran.result.get("traceback"))
        return ran, ran.result["displays"]


def _rich(**methods):
    body = "\n".join("    def %s(self, *a, **k): return %s" % item for item in methods.items())
    return "class R:\n    def __repr__(self): return 'an R'\n%s\nR()" % body


_PNG = "base64.b64encode(PNG).decode()"
_MAKE_PNG = (
    "import base64, struct, zlib\ndef _c(t, d): return struct.pack('>I', len(d)) + t + d + struct.pack('>I', zlib.crc32(t + d))\n"
    "PNG = b'\\x89PNG\\r\\n\\x1a\\n' + _c(b'IHDR', struct.pack('>IIBBBBB', 3, 2, 8, 0, 0, 0, 0)) + _c(b'IDAT', zlib.compress(b'\\0' * 8)) + _c(b'IEND', b'')\n"
)

# name, source, [(content type, preview)] in order
ROWS = [
    ("trailing none", "None", []),
    ("assignment", "x = 1", []),
    ("semicolon does not hide a value", "1;", [("json/object", 1)]),
    ("order", "display(1)\nprint('p')\ndisplay('two')\n3", [("json/object", 1), ("json/object", "two"), ("json/object", 3)]),
    ("several", "display(1, 2)", [("json/object", 1), ("json/object", 2)]),
    ("state when displayed", "x = [1]\ndisplay(x)\nx.append(2)\nx", [("json/object", [1]), ("json/object", [1, 2])]),
    ("docstring cell", "'just text'", [("json/object", "just text")]),
    ("markdown", "Markdown('# Hi\\n*x*')", [("text/markdown", "# Hi\n*x*")]),
    ("repr markdown", _rich(_repr_markdown_="'m'", _repr_html_="'h'"), [("text/markdown", "m")]),
    ("repr html", _rich(_repr_html_="'<b>h</b>'"), [("text/html", "<b>h</b>")]),
    ("repr svg", _rich(_repr_svg_="'<svg/>'"), [("image/svg+xml", "<svg/>")]),
    ("repr latex", _rich(_repr_latex_="'$x$'"), [("text/latex", "$x$")]),
    ("repr json", _rich(_repr_json_="{'a': 1}"), [("json/object", {"a": 1})]),
    ("bundle", _rich(_repr_mimebundle_="{'text/plain': 'p', 'text/html': 'h'}", _repr_html_="'other'"), [("text/html", "h")]),
    ("bundle with metadata", _rich(_repr_mimebundle_="({'image/svg+xml': '<svg/>'}, {})"), [("image/svg+xml", "<svg/>")]),
    ("bundle vendor", _rich(_repr_mimebundle_="{'application/vnd.vegalite.v5+json': {'a': 1}, 'text/plain': 'chart'}"), [("application/vnd.vegalite.v5+json", "chart")]),
    # [VA-44]
    ("bundle of Altair", _rich(_repr_mimebundle_="{'application/vnd.vegalite.v6.json': {'mark': {'type': 'bar'}}, 'text/plain': 'see this message: the renderer', 'text/html': 'h'}"), [("application/vnd.vegalite.v6.json", "Vega chart: bar")]),
    ("bundle of Plotly", _rich(_repr_mimebundle_="{'text/html': 'h', 'application/vnd.plotly.v1+json': {'data': [{'type': 'bar'}, {}]}}"), [("application/vnd.plotly.v1+json", "Plotly figure: bar, scatter")]),
    ("bundle text", _rich(_repr_mimebundle_="{'text/plain': 'p'}"), [("text/plain", "p")]),
    # The protocol passes both arguments by name; rich's renderables require them.
    ("bundle requires arguments", "class R:\n    def _repr_mimebundle_(self, include, exclude, **k): return {'text/plain': 'a table', 'text/html': '<pre>a table</pre>'}\nR()", [("text/html", "<pre>a table</pre>")]),
    ("bundle with keyword arguments", "class R:\n    def _repr_mimebundle_(self, *, include, exclude): return {'text/plain': str((include, exclude))}\nR()", [("text/plain", "(None, None)")]),
    ("bundle takes no arguments", "class R:\n    def _repr_mimebundle_(self): return {'text/plain': 'p'}\nR()", [("text/plain", "p")]),
    ("bundle not implemented", "class R:\n    def _repr_mimebundle_(self, include=None, exclude=None): raise NotImplementedError\n    def _repr_html_(self): return 'h'\nR()", [("text/html", "h")]),
    ("displays itself", "class R:\n    def _ipython_display_(self): display('own')\nR()", [("json/object", "own")]),
    ("displays nothing", "class R:\n    def _ipython_display_(self): pass\nR()", []),
    ("own display raises NotImplementedError", "class R:\n    def _ipython_display_(self): raise NotImplementedError\n    def _repr_latex_(self): return '$x$'\nR()", [("text/latex", "$x$")]),
    ("bundle none", _rich(_repr_mimebundle_="None", _repr_html_="'h'"), [("text/html", "h")]),
    ("a class is not an instance", "class R:\n    def _repr_html_(self): return 'h'\nimport json\njson.JSONEncoder", [("pickle/object", "<class JSONEncoder>")]),
    ("a set", "{1}", [("pickle/object", "<set object>")]),
    ("a generator", "x = (i for i in ())\ndisplay(x)\ndel x", [("text/plain", None)]),
    ("a lock", "import threading as _t\n_t.Lock()", [("text/plain", None)]),
    ("raises for any attribute", "class B:\n    def __getattr__(self, n): raise RuntimeError(n)\n    def __reduce__(self): return (int, ())\nB()", [("module/cell-instance", "<B object>")]),
    ("class raises for any attribute", "class M(type):\n    def __getattr__(c, n): raise RuntimeError(n)\nclass B(metaclass=M): pass\nx = [B]\nB()", [("text/plain", None)]),
    ("false class", "class B:\n    @property\n    def __class__(self): raise RuntimeError\nx = B()\ndel x\n1", [("json/object", 1)]),
    ("odd module", "class B:\n    __module__ = 5\nx = B()\nx", [("pickle/object", "<B object>")]),
    ("contains itself", "x = []\nx.append(x)\nx", [("pickle/object", "<list object>")]),
    ("module", "import math\nmath", [("module/import", "<module 'math'>")]),
]


_PERIODS = "import pandas as pd\np = pd.period_range('2024-01', periods=2, freq='M')\n"
# name, source, rows as displayed
PERIODS = [
    ("index", "f = pd.DataFrame({'v': [1, 2]}, index=p)\nf", [["2024-01", 1], ["2024-02", 2]]),
    ("column", "f = pd.DataFrame({'p': p})\nf", [["2024-01"], ["2024-02"]]),
    ("intervals", "f = pd.DataFrame({'v': [1, 2]}, index=pd.interval_range(0, 2))\nf", [["(0, 1]", 1], ["(1, 2]", 2]]),
    ("missing", "f = pd.Series(pd.PeriodIndex(['2024-01', None], freq='M'))\nf", [["2024-01"], [None]]),
]


# [SO-193]
@unittest.skipUnless(support.has("pandas", "pyarrow"), "not installed: pandas, pyarrow")
class Periods(DisplayCase):
    def test_periods_and_intervals_are_shown_as_text(self):
        for name, source, expected in PERIODS:
            with self.subTest(name):
                ran, displays = self.shown(_PERIODS + source)
                variable = ran.result["variables"]["f"]
                self.assertEqual([one["preview"] for one in (displays[0], variable)], [expected, expected])


# [VA-4] [SO-193]
class Rows(DisplayCase):
    def check(self, source, expected):
        if "class B" in source and not support.has("cloudpickle"):
            self.skipTest("not installed: cloudpickle")
        ran, displays = self.shown(source)
        self.assertEqual(ran.stderr, "")
        got = [(d["content_type"], d["preview"]) for d in displays]
        got = [(t, None if e[1] is None else p) for (t, p), e in zip(got, expected + [(0, 0)] * len(got))]
        self.assertEqual(got, expected)
        self.assertEqual(ran.result["variables"].get("_"), displays[-1] if displays else None)

    def test_text_of_other_objects(self):
        _, displays = self.shown("class B:\n    def __repr__(self): raise ValueError\n    def __reduce__(self): raise TypeError\nx = 1\ndisplay(B())")
        self.assertEqual(displays[0]["preview"], "<B: repr() failed: ValueError>")

    def test_png_method(self):
        for data in ("PNG", _PNG, "(PNG, {})"):
            _, displays = self.shown(_MAKE_PNG + _rich(_repr_png_=data), manifest={"store": []})
            got = [(d["content_type"], d["width"], d["height"]) for d in displays]
            self.assertEqual(got, [("image/png", 3, 2)])

    # [VA-4]
    def test_after_a_failing_method_the_next_is_used_and_a_line_printed(self):
        ran, displays = self.shown(_rich(_repr_html_="1 / 0", _repr_latex_="'$x$'"), manifest={"store": []})
        self.assertEqual(displays[0]["content_type"], "text/latex")
        self.assertEqual(ran.stderr, "svc: R._repr_html_ failed: ZeroDivisionError: division by zero\n")

    def test_trailing_variable_shares_its_file(self):
        ran, displays = self.shown("x = {'a': 1}\nx")
        self.assertEqual(ran.result["variables"]["x"], displays[0])

    # [VA-6]
    def test_long_values_are_previewed_in_part(self):
        ran, displays = self.shown("{'k': ['x' * 100] * 10000}")
        self.assertIs(displays[0]["preview_truncated"], True)
        self.assertLess(len(json.dumps(displays[0]["preview"])), 60_000)
        self.assertEqual(displays[0]["bytes"], len(ran.bytes_of(displays[0])))


def _add(case, name, source, expected):
    def test(self):
        self.check(source, expected)

    setattr(case, "test_" + name.replace(" ", "_"), test)


for _row in ROWS:
    _add(Rows, *_row)

# name, source, the text in addition to the preview (None: the preview is sufficient)
TEXTS = [
    ("tuple", "(1, 'a')", "(1, 'a')"),
    ("tuple of one", "(1,)", "(1,)"),
    ("no items", "((), set(), frozenset(), [], {})", "((), set(), frozenset(), [], {})"),
    ("nested", "({'k': [(1, b'x')]}, {2}, frozenset({3}), 1.5, None, ...)", "({'k': [(1, b'x')]}, {2}, frozenset({3}), 1.5, None, Ellipsis)"),
    ("contains itself", "x = [1]\nx.append(x)\nx", "[1, [...]]"),
    ("range", "range(5)", "range(0, 5)"),
    ("path", "from pathlib import PurePosixPath\nPurePosixPath('x/y')", "PurePosixPath('x/y')"),
    ("counter", "from collections import Counter\nCounter('hello')", "Counter({'l': 2, 'h': 1, 'e': 1, 'o': 1})"),
    ("own repr", "class B:\n    def __repr__(self): return 'a B\\nof two lines'\nB()", "a B\nof two lines"),
    ("no repr of its own", "class B: pass\nB()", None),
    ("function", "from json import dumps\ndumps", None),
    ("class", "from json import JSONDecoder\nJSONDecoder", None),
    ("very long", "tuple(range(3_000_000))", str(tuple(range(1000)))[:3999] + "…"),
    ("very long inside", "((('x' * 50_000_000,) * 3,),)", "((('" + "x" * 3995 + "…"),
    ("very deep", "x = ()\nfor _ in range(100): x = (x,)\nx", "(" * 101 + ")" + ",)" * 100),
    ("raises", "class B:\n    def __repr__(self): raise ValueError\nB()", "<B: repr() failed: ValueError>"),
    ("raises inside", "class B:\n    def __repr__(self): raise ValueError\n(1, B())", "<tuple: repr() failed: ValueError>"),
    ("ends the process", "class B:\n    def __repr__(self): raise SystemExit(3)\n(B(),)", "<tuple: repr() failed: SystemExit>"),
    ("no text", "class B:\n    def __repr__(self): return 5\n(B(),)", "<tuple: repr() failed: TypeError>"),
    ("never ends", "class B:\n    def __repr__(self):\n        while True:\n            try: 1 / 0\n            except Exception: pass\n(B(),)", "<tuple: repr() took longer than 2 s>"),
    ("text of a class of its own", "class S(str):\n    def __len__(self): return 0\n    def __getitem__(self, i): raise KeyError\nclass B:\n    def __repr__(self): return S('fine')\n(B(),)", "(fine,)"),
]


# [VA-40]
class Texts(DisplayCase):
    def check(self, source, expected):
        if "class B" in source and not support.has("cloudpickle"):
            self.skipTest("not installed: cloudpickle")
        ran, displays = self.shown(source, manifest={"store": []})
        self.assertEqual(displays[-1].get("text"), expected)
        self.assertEqual(displays[-1]["preview"][0] + displays[-1]["preview"][-1], "<>")
        self.assertEqual(ran.result["variables"]["_"], displays[-1])

    def test_a_repr_that_changes_its_value_changes_only_what_is_shown(self):
        source = "class B:\n    n = 0\n    def __repr__(self):\n        self.n += 1\n        return 'n=%d' % self.n\nx = {B(): 1}\nx"
        if not support.has("cloudpickle"):
            self.skipTest("not installed: cloudpickle")
        ran, displays = self.shown(source)
        self.assertEqual(displays[0]["text"], "{n=1: 1}")
        self.assertNotIn(b"\x8c\x01n", ran.bytes_of(displays[0]))

    def test_a_variable_has_a_text_if_only_builtin_code_runs_for_it(self):
        ran, _ = self.shown("class B: pass\na = (1, 2)\nb = (1, B())\nc = tuple(range(1000))\nd = {1: {2}}", manifest={"store": ["a"]})
        texts = {name: meta.get("text") for name, meta in ran.result["variables"].items()}
        del texts["B"]
        self.assertEqual(texts, {"a": "(1, 2)", "b": None, "c": str(tuple(range(100)))[:199] + "…", "d": "{1: {2}}"})


for _row in TEXTS:
    _add(Texts, *_row)


@unittest.skipIf(support.missing(["pandas", "pyarrow"]), support.missing(["pandas", "pyarrow"]))
class Tables(DisplayCase):
    # [VA-6]
    def test_frames(self):
        source = (
            "import pandas as pd, numpy as np, pyarrow as pa\n"
            "display(pd.DataFrame({'a': range(30), 'b': [0.5, np.nan, None] * 10}))\n"
            "display(pd.DataFrame({'a': [1]}, index=pd.Index(['r'], name='k')))\n"
            "display(pd.DataFrame({'a': [1, 'x', {2}], 'b': [[1], [2], None]}))\n"
            "display(pd.DataFrame([[1, 2]], columns=['c', 'c']))\n"
            "display(pd.Series(['u', None], name='s'))\n"
            "display(type('Styled', (), {'_repr_html_': lambda self: 'h'})())\n"
            "display(pa.table({'t': [2**60]}))\n"
            "display(np.arange(3))\ndisplay(np.float64(0.5))\n"
            "pd.DataFrame({'a': [1]}).groupby('a').agg({'a': ['sum']})"
        )
        _, displays = self.shown(source, manifest={"store": []})
        got = [(d["content_type"], d.get("rows"), d.get("columns"), d["preview"] if d.get("rows", 30) < 30 else None) for d in displays]
        self.assertEqual(
            got[:5] + got[6:9],
            [
                ("arrow/ipc", 30, ["a", "b"], None),
                ("arrow/ipc", 1, ["k", "a"], [["r", 1]]),
                ("arrow/ipc", 3, ["a", "b"], [["1", [1]], ["x", [2]], ["{2}", None]]),
                ("arrow/ipc", 1, ["c", "c"], [[1, 2]]),
                ("arrow/ipc", 2, ["s"], [["u"], [None]]),
                ("arrow/ipc", 1, ["t"], [[str(2**60)]]),
                ("arrow/ipc", None, None, None),
                ("arrow/ipc", None, None, None),
            ],
        )
        self.assertEqual(displays[1]["schema"][0]["index"], True)
        self.assertEqual((len(displays[0]["preview"]), displays[0]["preview"][:2]), (20, [[0, 0.5], [1, None]]))
        self.assertTrue(displays[7]["preview"].startswith("ndarray shape=(3,) dtype=int64\n"))
        self.assertEqual(displays[8]["preview"], 0.5)
        self.assertEqual(displays[9]["rows"], 1)

    # [VA-41]
    def test_only_tables_report_that_pyarrow_is_missing(self):
        source = "import pandas as pd, sys, datetime\nsys.modules['pyarrow'] = None\nf = pd.DataFrame({'a': [1]})\nfor v in (f, f.a, f.columns, datetime.date(2026, 1, 2)): display(v)"
        _, displays = self.shown(source, manifest={"store": []})
        self.assertEqual([d.get("lacks") for d in displays], ["pyarrow", "pyarrow", None, None])

    def test_frame_without_pyarrow(self):
        source = "import pandas as pd, sys\nsys.modules['pyarrow'] = None\npd.DataFrame({'a': [1]})"
        _, displays = self.shown(source, manifest={"store": []})
        self.assertEqual(displays[0]["content_type"], "text/html")


_PLOT = "import matplotlib.pyplot as plt\n"

# name, source, number of PNG displays, other content types
FIGURES = [
    ("left open", _PLOT + "plt.plot([1, 2]);\nx = 1", 1),
    ("shown", _PLOT + "plt.plot([1, 2])\nplt.show()", 1),
    ("two shown in turn", _PLOT + "plt.plot([1])\nplt.show()\nplt.plot([2])\nplt.show()", 2),
    ("two figures one show", _PLOT + "plt.figure(); plt.figure()\nplt.show()", 2),
    ("figure show", _PLOT + "fig, ax = plt.subplots()\nfig.show()\nx = 1", 1),
    ("changed after its show", _PLOT + "fig, ax = plt.subplots()\nfig.show()\nax.plot([1])\nx = 1", 2),
    ("trailing figure", _PLOT + "fig, ax = plt.subplots()\nfig", 1),
    ("trailing axes", _PLOT + "fig, ax = plt.subplots()\nax", 1),
    ("trailing axes array", _PLOT + "fig, ax = plt.subplots(2, 2)\nax", 1),
    ("trailing subplots", _PLOT + "plt.subplots()", 1),
    ("trailing lines", _PLOT + "plt.plot([1, 2])", 1),
    ("trailing text", _PLOT + "plt.plot([1, 2])\nplt.title('t')", 1),
    ("trailing hist", _PLOT + "plt.hist([1, 2, 2])", 1),
    ("trailing bar", _PLOT + "plt.bar([1, 2], [2, 3])", 1),
    ("trailing boxplot", _PLOT + "plt.boxplot([1, 2, 3])", 1),
    ("shown then trailing", _PLOT + "fig, ax = plt.subplots()\nplt.show()\nfig", 1),
    ("shown then title again", _PLOT + "fig, ax = plt.subplots()\nplt.show()\nax.set_title('later')", 2),
    ("closed", _PLOT + "plt.plot([1])\nplt.close()", 0),
    ("no pyplot", "from matplotlib.figure import Figure\nf = Figure()\nf.subplots().plot([1])\nf", 1),
    ("user selects Agg", "import matplotlib\nmatplotlib.use('Agg')\n" + _PLOT + "plt.plot([1])\nplt.show()", 1),
    ("from import", "from matplotlib.pyplot import plot, show\nplot([1])\nshow()", 1),
    ("error after plot", _PLOT + "plt.plot([1])\n1 / 0", 1),
]


@unittest.skipIf(support.missing(["matplotlib"]), support.missing(["matplotlib"]))
class Figures(DisplayCase):
    # [VA-5]
    def test_figures(self):
        """Forks with pyplot loaded, as from a template; the first rows also run in a new interpreter (in a long run, four)."""
        import matplotlib.pyplot  # noqa: F401

        fresh = FIGURES[:4] if support.IS_LONG or not hasattr(os, "fork") else FIGURES[:2]
        ways = [(row, self.bench.run) for row in fresh]
        if hasattr(os, "fork"):
            ways += [(row, self.bench.run_forked) for row in FIGURES]
        for (name, source, count), run in ways:
            with self.subTest(name, way=run.__name__):
                ran = run(source, manifest={"store": []})
                got = [d["content_type"] for d in ran.result["displays"]]
                self.assertEqual((got, ran.stderr), (["image/png"] * count, ""))
                for display in ran.result["displays"]:
                    self.assertGreater(display["width"], 100)

    # [VA-5]
    def test_figure_variable_is_pickled_and_not_shown_again_downstream(self):
        first = self.bench.run(_PLOT + "fig, ax = plt.subplots()\nax.plot([1])")
        self.assertEqual(first.result["variables"]["fig"]["content_type"], "pickle/object")
        inputs = {"fig": first.input("fig")}
        import matplotlib.pyplot  # noqa: F401

        rows = [("x = 1", 0), ("fig", 1), ("fig.axes[0].plot([2])\nx = 1", 1)]
        ways = [(row, self.bench.run) for row in rows[:1]]
        ways += [(row, self.bench.run_forked if hasattr(os, "fork") else self.bench.run) for row in rows[1:]]
        for (source, count), run in ways:
            with self.subTest(source):
                second = run(source, manifest={"inputs": inputs, "store": []})
                self.assertEqual((len(second.result["displays"]), second.code), (count, 0))

    def test_pillow(self):
        reason = support.missing(["PIL"])
        if reason:
            self.skipTest(reason)
        source = "from PIL import Image\nim = Image.new('CMYK', (4, 3))\nim.show()\nImage.new('RGB', (5, 2))"
        _, displays = self.shown(source, manifest={"store": []})
        self.assertEqual([(d["width"], d["height"]) for d in displays], [(4, 3), (5, 2)])

    def test_pandas_plots(self):
        reason = support.missing(["pandas"])
        if reason:
            self.skipTest(reason)
        source = "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2], 'b': [2, 1]})\ndf.plot()\ndf.hist()"
        _, displays = self.shown(source, manifest={"store": []})
        self.assertEqual([d["content_type"] for d in displays], ["image/png"] * 2)


if __name__ == "__main__":
    unittest.main()
