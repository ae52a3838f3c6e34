"""fixtures/cells.json: whole manifests and their whole results; tests of the server parse the same rows."""

import json
import os
import re
import unittest

import support

with open(os.path.join(support.FIXTURES, "cells.json"), encoding="utf-8") as _file:
    ROWS = json.load(_file)


class Contract(unittest.TestCase):
    # [EX-7]
    def test_rows(self):
        bench = support.Bench()
        self.addCleanup(bench.close)
        for row in ROWS:
            with self.subTest(row["name"]):
                ran = bench.run(row["manifest"]["source"], manifest=row["manifest"])
                result = ran.result
                # Observed facts have their own rows in test_observed.py.
                result.pop("observed", None)
                # test_usage.py
                result.pop("usage", None)
                self.assertRegex(result.pop("build_env"), r"^[a-z]+-3\.\d+-\w+-\w+$")
                if "traceback" in result:  # carets under the failing expression require Python 3.11
                    result["traceback"] = re.sub(r"(?m)^ *[~^]+\n", "", result["traceback"])
                self.assertEqual((ran.code, result), (0 if row["result"]["success"] else 1, row["result"]))
                for meta in list(result["variables"].values()) + result["displays"]:
                    if "file" in meta:
                        self.assertEqual(len(ran.bytes_of(meta)), meta["bytes"])


if __name__ == "__main__":
    unittest.main()
