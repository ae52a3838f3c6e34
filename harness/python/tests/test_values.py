"""Every row of fixtures/values.json is stored by one cell, read by the next, and must round-trip.

Both writing and reading happen in this process; `test_cells.py` covers the path through two processes.
"""

import hashlib
import json
import os
import shutil
import sys
import tempfile
import types
import unittest
import warnings

import support
from same import same

from svc_harness.decode import read_input
from svc_harness.displays import write_encoded
from svc_harness.encode import encode

with open(os.path.join(support.FIXTURES, "values.json"), encoding="utf-8") as _file:
    ROWS = json.load(_file)


# [VA-1]
class Values(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="svc-values-")
        self.main = sys.modules["__main__"]
        self.limit = sys.getrecursionlimit()

    def tearDown(self):
        sys.modules["__main__"] = self.main
        sys.setrecursionlimit(self.limit)
        shutil.rmtree(self.folder)

    def check(self, row):
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(row["source"], main.__dict__)
            value = main.__dict__["v"]
            meta = write_encoded(encode(value), "v", self.folder)
            json.dumps(meta, allow_nan=False)
            back = read_input("v", meta, self.folder)
            head = encode(value, head=True)
        sys.setrecursionlimit(5000)  # for comparing deeply nested values
        json.dumps(head.meta, allow_nan=False)
        with open(os.path.join(self.folder, meta["file"]), "rb") as file:
            data = file.read()
        got = {
            "content_type": meta["content_type"],
            "preview_only": head.content_type if row["content_type"] != "pickle/object" else "pickle/object",
            "bytes": meta["bytes"],
            "sha256": meta["sha256"],
            "same": same(value, back) or (value, back),
        }
        self.assertEqual(
            got,
            {
                "content_type": row["content_type"],
                "preview_only": row["content_type"],
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
                "same": True,
            },
        )


# Whether a value's preview is that of JSON; large values are judged by their first parts.
PREVIEWS = [
    ("plain", [1, {"a": [None, 1.5]}], True),
    ("a tuple inside", [1, {"a": (1,)}], False),
    ("keys that are not text", {1: 2}, False),
    ("half a surrogate pair", ["\ud800"], False),
    ("large and plain", [{"a": i} for i in range(9_000)], True),
    ("large, and its first part is not plain", [(1,)] + [[i] for i in range(9_000)], False),
    ("large, and only a later part is not plain", [[i] for i in range(9_000)] + [(1,)], True),
    ("many small ones", {str(i): [[[i]]] for i in range(1_900)}, True),
    ("a long text", "x" * 2_000_000, True),
]


# [VA-42]
class Previews(unittest.TestCase):
    def test_large_values_are_judged_by_their_first_parts(self):
        for name, value, is_json in PREVIEWS:
            with self.subTest(name):
                self.assertEqual(encode(value, head=True).content_type == "json/object", is_json)

    def test_a_cycle_is_not_json(self):
        value = []
        value.append(value)
        self.assertEqual(encode(value, head=True).content_type, "pickle/object")


def _add(row):
    def test(self):
        self.check(row)

    reason = support.missing(row["needs"])
    name = "test_" + "".join(c if c.isalnum() else "_" for c in row["name"])
    assert not hasattr(Values, name), "two rows are called " + row["name"]
    setattr(Values, name, unittest.skip(reason)(test) if reason else test)


for _row in ROWS:
    _add(_row)

if __name__ == "__main__":
    unittest.main()
