"""Modules that a process imports ahead of its runs."""

import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from svc_harness import preload  # noqa: E402


class Preload(unittest.TestCase):
    ROWS = (
        ("a module of the standard library", ("json",), 0, ["json"], []),
        ("a module that is not installed", ("no_such_module", "json"), 0, ["json"], ["no_such_module"]),
        ("a module that opens a browser", ("antigravity",), 0, [], ["antigravity"]),
        ("[EX-62] in a large process", ("json",), (1 << 30) + 1, [], ["json"]),
    )

    def test_rows(self):
        for name, names, size, loaded, skipped in self.ROWS:
            with self.subTest(name), mock.patch.object(preload, "_resident_bytes", lambda size=size: size):
                self.assertEqual(preload.preload(names), (loaded, skipped))

    def test_the_size_of_this_process_is_known_on_linux(self):
        self.assertEqual(preload._resident_bytes() > 1 << 20, sys.platform == "linux")


if __name__ == "__main__":
    unittest.main()
