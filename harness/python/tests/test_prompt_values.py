"""Values rendered for prompts: sources that define `v`, steps, and the expected text. Rows go through one `check`."""

import json
import os
import unittest

import support

ROOM = 8000

# name, source of v, libraries, steps, expected text (str), parts of it (list), or None: the placeholder is unchanged
ROWS = [
    ("a dict", "v = {'a': [1, 2.0], 'é': None}", (), [], '{\n  "a": [\n    1,\n    2.0\n  ],\n  "é": null\n}'),
    ("a tuple is shown as a list", "v = (1, 'x')", (), [], '[\n  1,\n  "x"\n]'),
    ("values JSON does not have", "import datetime\nv = [datetime.date(2026, 1, 2)]", (), [], '[\n  "2026-01-02"\n]'),
    ("keys that are not text", "v = {(1, 2): 3}", (), [], "{(1, 2): 3}"),
    ("anything else as its str", "import decimal\nv = decimal.Decimal('1.50')", (), [], "1.50"),
    ("text unchanged", "v = 'a\\nb'", (), [], "a\nb"),
    (
        "a frame",
        "import pandas as pd\nv = pd.DataFrame({'n': [1, 2], 's': ['a', 'b\\nc']})",
        ("pandas",),
        [],
        "2 rows x 2 columns\ncolumns: n, s\nn | s\n1 | a\n2 | b c",
    ),
    (
        "a frame with a named index",
        "import pandas as pd\nv = pd.DataFrame({'n': [1]}, index=pd.Index(['x'], name='k'))",
        ("pandas",),
        [],
        "1 rows x 1 columns\ncolumns: k, n\nk | n\nx | 1",
    ),
    ("a frame without rows", "import pandas as pd\nv = pd.DataFrame({'n': []})", ("pandas",), [], "0 rows x 1 columns\ncolumns: n\nn"),
    (
        "the last rows of a long frame are left out and counted",
        "import pandas as pd\nv = pd.DataFrame({'n': range(100_000), 's': 'x' * 50})",
        ("pandas",),
        [],
        ["100000 rows x 2 columns", "\n0 | " + "x" * 50, "more rows)"],
    ),
    (
        "a frame whose rows do not fit at all",
        "import pandas as pd\nv = pd.DataFrame({'s': ['x' * 20_000] * 3})",
        ("pandas",),
        [],
        ["3 rows x 1 columns", "(3 more rows)"],
    ),
    ("a column", "import pandas as pd\nv = pd.DataFrame({'n': [1, 2]})", ("pandas",), ["n"], ["2 rows x 1 columns", "\n1\n2"]),
    ("a shape", "import pandas as pd\nv = pd.DataFrame({'n': [1, 2]})", ("pandas",), ["shape"], "[\n  2,\n  1\n]"),
    ("head", "import pandas as pd\nv = pd.DataFrame({'n': range(9)})", ("pandas",), ["head()"], ["5 rows", "\n4"]),
    ("describe of a column", "import pandas as pd\nv = pd.DataFrame({'n': [1, 3]})", ("pandas",), ["n", "describe()"], ["mean | 2.0"]),
    ("head with an argument stays", "import pandas as pd\nv = pd.DataFrame({'n': [1]})", ("pandas",), ["head(1)"], None),
    ("another method stays", "import pandas as pd\nv = pd.DataFrame({'n': [1]})", ("pandas",), ["sum()"], None),
    ("a method without a call stays", "import pandas as pd\nv = pd.DataFrame({'n': [1]})", ("pandas",), ["sum"], None),
    ("head of a list stays", "v = [1]", (), ["head()"], None),
    ("private names stay", "v = 1", (), ["__doc__"], None),
    ("missing names stay", "v = 1", (), ["nothing"], None),
    (
        "an array",
        "import numpy as np\nv = np.arange(20.0).reshape(4, 5)",
        ("numpy",),
        [],
        "numpy array, shape (4, 5), dtype float64\nfirst values: [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, ...]",
    ),
    ("an arrow table", "import pyarrow as pa\nv = pa.table({'a': [1, None], 'b': ['x', 'y']})", ("pyarrow",), [], "2 rows x 2 columns\ncolumns: a, b\na | b\n1 | x\n | y"),
    ("a polars frame", "import polars as pl\nv = pl.DataFrame({'a': [1]})", ("polars",), [], "1 rows x 1 columns\ncolumns: a\na\n1"),
    ("a long text is cut, with a note", "v = 'x' * 9_000", (), [], "x" * 8000 + "\n… (cut: 8,000 of 9,000 characters)"),
]


def step(written):
    name, _, call = written.partition("(")
    return {"name": name, "arguments": call[:-1] if call else None}


class PromptValues(unittest.TestCase):
    """[PR-3] [PR-4] Every row of ROWS."""

    @classmethod
    def setUpClass(cls):
        """All rows whose libraries are installed, in two processes: one creates the values, one renders them."""
        cls.bench = support.Bench()
        here = [at for at, row in enumerate(ROWS) if support.missing(row[2]) is None]
        source = "\n".join("%s\nv%d = v\ndel v" % (ROWS[at][1], at) for at in here)
        names = ["v%d" % at for at in here]
        made = cls.bench.run(source, timeout=600, manifest={"store": names})
        assert made.result["success"], made.result
        values = [{"root": "v%d" % at, "steps": [step(one) for one in ROWS[at][3]]} for at in here]
        wish = {"room": ROOM, "values": [*values, {"root": "gone", "steps": []}]}
        inputs = {name: made.input(name) for name in names}
        manifest = {"inputs": inputs, "prompt_values": wish}
        ran = cls.bench.run("raise ValueError('no cell runs')", timeout=600, manifest=manifest)
        assert ran.result["success"], ran.result
        with open(os.path.join(ran.folder, "prompt-values.json"), encoding="utf-8") as file:
            *written, cls.gone = json.load(file)
        cls.written = dict(zip(here, written))

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def check(self, at):
        _name, _source, libraries, _steps, wanted = ROWS[at]
        reason = support.missing(libraries)
        if reason:
            self.skipTest(reason)
        text = self.written[at]["text"]
        if wanted is None or isinstance(wanted, str):
            self.assertEqual(text, wanted)
        else:
            for part in wanted:
                self.assertIn(part, text)
            self.assertLessEqual(len(text), ROOM + 60)

    def test_a_missing_value_is_reported(self):
        self.assertIsNone(self.gone["text"])
        self.assertIn("could not be read", self.gone["note"])

    def test_an_attribute_that_raises_is_reported(self):
        from svc_harness.prompt_values import write_values

        class Odd:
            @property
            def bad(self):
                raise ValueError("never")

        write_values({"room": 10, "values": [{"root": "v", "steps": [step("bad")]}]}, {"v": Odd()}, self.bench.root)
        with open(os.path.join(self.bench.root, "prompt-values.json"), encoding="utf-8") as file:
            [written] = json.load(file)
        self.assertIsNone(written["text"])
        self.assertIn("ValueError: never", written["note"])


def _test_of(at):
    def test(self):
        self.check(at)

    test.__doc__ = ROWS[at][0]
    return test


for _at, _row in enumerate(ROWS):
    setattr(PromptValues, "test_%02d_%s" % (_at, "_".join(_row[0].split())), _test_of(_at))


if __name__ == "__main__":
    unittest.main()
