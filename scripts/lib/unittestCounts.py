"""Runs the unittest files of a folder and writes the counts of passed, failed and skipped tests as JSON.

Usage: unittestCounts.py FOLDER JSON_FILE CLAIMS [FILE_WITHOUT_PY …]

Several of these run at the same time, each in a process of its own, because the tests fork. Each takes the next file
that no other one has: it creates a file of that name in the folder CLAIMS, which only one can do.
"""

import json
import os
import sys
import unittest

# Those that take longest come first, so that the last file is a short one.
LONGEST = ["test_cells", "test_in_place", "test_shared_code", "test_displays", "test_process_watch", "test_round_trips"]


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.passed += 1


def modules(folder):
    names = sorted(name[:-3] for name in os.listdir(folder) if name.startswith("test_") and name.endswith(".py"))
    return [name for name in LONGEST if name in names] + [name for name in names if name not in LONGEST]


def claimed(claims, name):
    try:
        os.close(os.open(os.path.join(claims, name), os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def last_line(trace):
    return trace.strip().split("\n")[-1]


def main(folder, report, claims, *only):
    sys.path.insert(0, folder)
    counts = {"passed": 0, "failed": [], "skipped": []}
    for name in only or modules(folder):
        if not claimed(claims, name):
            continue
        # A file that cannot be imported becomes one failed test.
        suite = unittest.TestLoader().loadTestsFromName(name)
        result = unittest.TextTestRunner(resultclass=Result, verbosity=0).run(suite)
        counts["passed"] += result.passed
        counts["failed"] += [[str(test), name, last_line(trace)] for test, trace in result.failures + result.errors]
        counts["failed"] += [[str(test), name, "it should fail, and passed"] for test in result.unexpectedSuccesses]
        counts["skipped"] += [[str(test), reason] for test, reason in result.skipped]
    with open(report, "w", encoding="utf-8") as file:
        json.dump(counts, file)
    return 1 if counts["failed"] else 0


sys.exit(main(*sys.argv[1:]))
