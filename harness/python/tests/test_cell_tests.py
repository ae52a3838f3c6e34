"""Tests of a cell: source of a test file and the expected report lines. Rows go through one `check`."""

import json
import os
import unittest

import support

CELL = "import os\nn = 2\ndef double(x):\n    return 2 * x\n"


def case(outcome, name, line=None, says=()):
    return {"outcome": outcome, "name": name, "line": line, "says": says}


# name, test source, expected tests
ROWS = [
    (
        "names as attributes and items",
        "def test_a(cell):\n    assert cell.double(cell['n']) == 4 and 'n' in cell\n",
        [case("passed", "test_a")],
    ),
    (
        "a failed assertion says where and what",
        "def test_a(cell):\n    x = cell.n\n    assert x == 3\n",
        [case("failed", "test_a", 3, ["cells/a1.test.py:3: AssertionError", "assert 2 == 3"])],
    ),
    (
        "an error before or after a test is an error of that test",
        "import pytest\n@pytest.fixture\ndef early():\n    raise ValueError('early')\n"
        "@pytest.fixture\ndef late():\n    yield\n    raise ValueError('late')\n"
        "def test_a(early): pass\ndef test_b(late): pass\n",
        [case("error", "test_a", 4, ["early"]), case("error", "test_b", 8, ["late"])],
    ),
    (
        "skipped and expected failures",
        "import pytest\n@pytest.mark.skip(reason='not now')\ndef test_a(): pass\n"
        "@pytest.mark.xfail(reason='known')\ndef test_b(): assert 0\n",
        [case("skipped", "test_a", None, ["not now"]), case("skipped", "test_b", 5, ["known"])],
    ),
    (
        "classes and parameters",
        "import pytest\nclass TestA:\n    @pytest.mark.parametrize('x', [1, 2])\n"
        "    def test_b(self, x): pass\n",
        [case("passed", "test_b[1]"), case("passed", "test_b[2]")],
    ),
    (
        "a name that the cell does not leave",
        "def test_a(cell):\n    cell.m\n",
        [case("failed", "test_a", 2, ["the cell leaves no `m`; it leaves: os, n, double"])],
    ),
    (
        "the output of a failing test is included, truncated",
        "def test_a():\n    print('x' * 10_000_000)\n    assert 0\n",
        [case("failed", "test_a", 3, ["Captured stdout call", "characters left out"])],
    ),
    (
        "breakpoint() is refused",
        "def test_a():\n    breakpoint()\n",
        [case("failed", "test_a", 2, ["a cell cannot stop in a debugger"])],
    ),
    ("no test", "x = 1\n", []),
]


@unittest.skipIf(support.missing(["pytest"]), support.missing(["pytest"]))
class CellTests(unittest.TestCase):
    def setUp(self):
        self.bench = support.Bench()
        self.addCleanup(self.bench.close)

    def report_of(self, test_source, cell=CELL, manifest=None):
        tests = {"source": test_source, "file": "cells/a1.test.py", "name": "a1"}
        ran = self.bench.run(cell, manifest={"tests": tests, **(manifest or {})})
        return ran, self.lines(ran)

    def lines(self, ran):
        with open(os.path.join(ran.folder, "test-report.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def check(self, test_source, expected, **options):
        ran, lines = self.report_of(test_source, **options)
        ends = [line for line in lines if line["event"] == "end"]
        shown = [{key: end[key] for key in ("outcome", "name", "line")} for end in ends]
        self.assertEqual(shown, [{key: one[key] for key in ("outcome", "name", "line")} for one in expected])
        for end, one in zip(ends, expected):
            for text in one["says"]:
                self.assertIn(text, end["message"])
            self.assertLess(len(end["message"]), 30_000)
            self.assertNotIn(ran.folder, end["message"])
            self.assertTrue(end["nodeid"].startswith("cells/a1.test.py::"), end["nodeid"])
        self.assertEqual((ran.code, ran.result["success"], ran.result["variables"]), (0, True, {}))

    # [CT-1] [CT-2]
    def test_rows(self):
        for name, test_source, expected in ROWS:
            with self.subTest(name):
                self.check(test_source, expected)

    # [CT-2]
    def test_files_that_cannot_be_collected(self):
        for source, line, words in [
            ("def test_a(:\n", 1, "SyntaxError"),
            ("x = 1\nimport nowhere_to_be_found\n", 2, "nowhere_to_be_found"),
        ]:
            with self.subTest(source):
                _, lines = self.report_of(source)
                found = [entry for entry in lines if entry["event"] == "collection_error"]
                self.assertEqual([entry["line"] for entry in found], [line])
                self.assertIn(words, found[0]["message"])
                self.assertIn("cells/a1.test.py", found[0]["message"])

    # [CT-1]
    def test_the_cell_runs_once_and_its_failure_is_the_error_of_each_test(self):
        count = "with open('count', 'a') as f: f.write('x')\n"
        tests = "def test_a(cell): pass\ndef test_b(cell): pass\n"
        self.check(tests, [case("passed", "test_a"), case("passed", "test_b")], cell=count)
        with open(os.path.join(self.bench.cwd, "count"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "x")
        says = ["The cell itself failed", '<cell test>", line 2']
        errors = [case("error", name, None, says) for name in ("test_a", "test_b")]
        self.check(tests, errors, cell="x = 1\n1 / 0\n")

    # [CT-3]
    def test_results_before_a_test_that_ends_the_process_remain(self):
        tests = "import os\ndef test_a(): pass\ndef test_b(): os._exit(3)\n"
        ran, lines = self.report_of(tests)
        self.assertEqual((ran.code, ran.result), (3, None))
        events = [(line["event"], line.get("name")) for line in lines]
        self.assertEqual(
            events, [("collected", None), ("begin", "test_a"), ("end", "test_a"), ("begin", "test_b")]
        )

    # [CT-3]
    def test_a_forked_child_reports_nothing(self):
        tests = "import os\ndef test_a():\n    if os.fork() == 0: assert 0\n    os.wait()\ndef test_b(): pass\n"
        self.check(tests, [case("passed", "test_a"), case("passed", "test_b")])

    def test_pytest_settings_of_the_notebook_are_ignored(self):
        with open(os.path.join(self.bench.cwd, "pyproject.toml"), "w", encoding="utf-8") as file:
            file.write('[tool.pytest.ini_options]\naddopts = "--no-such-option"\n')
        self.check("def test_a(): pass\n", [case("passed", "test_a")])


class WithoutPytest(unittest.TestCase):
    # [CT-4]
    def test_is_reported_with_a_code(self):
        bench = support.Bench()
        self.addCleanup(bench.close)
        with open(os.path.join(bench.cwd, "pytest.py"), "w", encoding="utf-8") as file:
            file.write("raise ImportError('broken')\n")
        tests = {"source": "def test_a(): pass\n", "file": "cells/a1.test.py", "name": "a1"}
        ran = bench.run(CELL, manifest={"tests": tests})
        self.assertEqual(ran.result["error_code"], "PYTEST_MISSING")
        self.assertEqual(ran.result["error"], "pytest cannot be imported: broken")


if __name__ == "__main__":
    unittest.main()
