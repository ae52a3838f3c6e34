"""Runs the unittest suites below a folder; leaves the counts as JSON. Usage: unittestCounts.py FOLDER JSON_FILE"""

import json
import sys
import unittest


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.passed += 1


def main(folder, report):
    suite = unittest.TestLoader().discover(folder, top_level_dir=folder)
    result = unittest.TextTestRunner(resultclass=Result, verbosity=0).run(suite)
    failures = [str(test) for test, _ in result.failures + result.errors]
    counts = {
        "passed": result.passed,
        "failed": [*failures, *(str(test) for test in result.unexpectedSuccesses)],
        "skipped": [[str(test), reason] for test, reason in result.skipped],
    }
    with open(report, "w", encoding="utf-8") as file:
        json.dump(counts, file)
    return 0 if result.wasSuccessful() else 1


sys.exit(main(sys.argv[1], sys.argv[2]))
