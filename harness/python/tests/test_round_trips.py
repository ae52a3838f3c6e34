"""Every row of round_trips.py and pandas_round_trips.py round-trips, or the cell that stores it fails and says why."""

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import pandas_round_trips
import round_trips
import support
from facts import facts

from svc_harness.decode import read_input
from svc_harness.displays import failure, write_encoded
from svc_harness.encode import encode


@functools.cache
def _namespace(setup):
    namespace = {"__name__": "rows"}
    exec(setup, namespace)
    return namespace


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="svc-round-")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def value(self, setup, expression):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return eval(expression, dict(_namespace(setup)))

    def write(self, value):
        return write_encoded(encode(value, name="v"), "v", self.folder)


# [SO-190]
class RoundTrips(Folder):
    maxDiff = 2000

    def check(self, setup, expression):
        value = self.value(setup, expression)
        before = facts(value)
        meta = self.write(value)
        self.assertEqual(before, facts(value), "storing the value changed it")
        self.assertEqual(before, facts(read_input("v", meta, self.folder)), meta["content_type"])


# A reader must not depend on modules or state that the writer loaded in this process.
_READ = (
    "import json, sys; sys.path[:0] = sys.argv[1:3]\n"
    "from svc_harness.decode import read_input; from facts import facts\n"
    "value = read_input('v', {'content_type': sys.argv[4], 'file': 'v' + sys.argv[5]}, sys.argv[3])\n"
    "print(facts(value))"
)
FRESH = [
    ("frame with an index of periods", "pd.DataFrame({'v': [1, 2]}, index=pd.period_range('2024', periods=2, freq='M'))"),
    ("frame with an index of intervals", "pd.DataFrame({'v': [1, 2]}, index=pd.interval_range(0, 2))"),
    ("series with an index of periods", "pd.Series([1, 2], index=pd.period_range('2024', periods=2, freq='Q'))"),
    ("column of periods", "pd.DataFrame({'p': pd.period_range('2024', periods=2, freq='M')})"),
    ("column of intervals", "pd.DataFrame({'i': pd.interval_range(0, 2)})"),
    ("series of intervals", "pd.Series(pd.interval_range(0, 2))"),
    ("level of periods", "pd.Series([1, 2], pd.MultiIndex.from_arrays([['a', 'b'], pd.period_range('2024', periods=2, freq='M')]))"),
    ("arrow table of periods", "__import__('pyarrow').Table.from_pandas(pd.DataFrame({'p': pd.period_range('2024', periods=2, freq='M')}))"),
]


# [SO-191]
class FreshReaders(Folder):
    def check(self, expression):
        value = self.value("import pandas as pd", expression)
        meta = self.write(value)
        extension = os.path.splitext(meta["file"])[1]
        done = subprocess.run(
            [sys.executable, "-I", "-B", "-c", _READ, support.HARNESS, support.HERE, self.folder, meta["content_type"], extension],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((done.stderr, done.stdout.strip()), ("", str(facts(value))))


# [SO-192]
class Refusals(Folder):
    def setUp(self):
        warnings.simplefilter("ignore", ResourceWarning)  # files and sockets that only this row opens

    def check(self, setup, expression, advice):
        value = self.value(setup, expression)
        with self.assertRaises(Exception) as caught:
            self.write(value)
        refusal = failure(caught.exception, value)
        self.assertEqual(refusal["type"], type(value).__name__)
        self.assertIn(advice, refusal["error"])
        self.assertEqual(os.listdir(self.folder), [], "a file is left of what was refused")


def _add(case, name, needs, *arguments):
    def test(self):
        self.check(*arguments)

    reason = support.missing(needs)
    name = "test_" + re.sub(r"\W+", "_", name)
    assert not hasattr(case, name), "two rows are called " + name
    setattr(case, name, unittest.skip(reason)(test) if reason else test)


for _heading, (_needs, _setup, _rows) in {**round_trips.TABLE, **pandas_round_trips.TABLE}.items():
    for _at, (_name, _expression) in enumerate(_rows.items()):
        _add(RoundTrips, "%s %d %s" % (_heading, _at, _name), _needs, _setup, _expression)
for _name, _expression in FRESH:
    _add(FreshReaders, _name, ("pandas", "pyarrow"), _expression)
for _name, (_needs, *_rest) in round_trips.REFUSED.items():
    _add(Refusals, _name, _needs, *_rest)

if __name__ == "__main__":
    unittest.main()
