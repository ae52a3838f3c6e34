"""Code of cells round-trips to later cells and worker processes, or the defining cell refuses to share it."""

import os
import sys
import unittest

import code_trips
import support
from test_shared_code import Chain


class Trips(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = support.Bench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def run_all(self, cells):
        """The result of the last cell."""
        chain = Chain(self.bench)
        for at, (source, names) in enumerate(cells):
            changed = [name for name in names.split() if name in chain.inputs]
            ran = chain.cell("c%d" % at, source, names.split(), changed)
        return ran


# [SO-194] [SO-198]
class Arrivals(Trips):
    def check(self, cells, printed):
        ran = self.run_all(cells)
        self.assertEqual((ran.stderr, ran.stdout.strip()), ("", printed))


# [SO-195] [SO-198]
class Refusals(Trips):
    def check(self, cells, name, words):
        meta = self.run_all(cells).result["variables"][name]
        self.assertNotIn("file", meta)
        self.assertIn(words, meta["error"])


# [SO-196]
class Warnings(Trips):
    def check(self, cells, changed):
        warned = self.run_all(cells).result["mutation_warnings"]
        self.assertEqual([one["message"].partition(" ")[0] for one in warned], changed)


# [SO-197]
@unittest.skipUnless(hasattr(os, "fork") and support.has("cloudpickle"), "needs fork and cloudpickle")
class Pools(Trips):
    def check(self, cells, words):
        chain = Chain(self.bench)
        for at, (source, names) in enumerate(cells[:-1]):
            chain.cell("c%d" % at, source, names.split())
        ran = self.bench.run(cells[-1][0], manifest={"inputs": chain.inputs, "cell_name": "last"})
        said = ran.stdout.strip() if ran.result["success"] else ran.result["error"]
        self.assertIn(words, said)


def _add(case, rows, reason=None):
    for name, arguments in rows.items():
        test = lambda self, arguments=arguments: self.check(*arguments)  # noqa: E731
        method = "test_" + "".join(c if c.isalnum() else "_" for c in name)
        assert not hasattr(case, method), "two rows are called " + name
        setattr(case, method, unittest.skip(reason)(test) if reason else test)


_OLD = None if sys.version_info >= (3, 12) else "`type` statements came with Python 3.12"
_add(Arrivals, code_trips.TRIPS)
_add(Arrivals, code_trips.TYPE_STATEMENTS, _OLD)
_add(Refusals, {name: row for name, row in code_trips.REFUSED.items() if "type alias" not in name})
_add(Refusals, {name: row for name, row in code_trips.REFUSED.items() if "type alias" in name}, _OLD)
_add(Warnings, code_trips.WARNED)
_add(Pools, code_trips.POOLS)

if __name__ == "__main__":
    unittest.main()
