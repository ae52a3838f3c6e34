"""The result contains the CPU time and memory of a run."""

import unittest

import support

BURN = """
import time
until = time.process_time() + 0.2
while time.process_time() < until:
    pass
"""
CHILD = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', %r], check=True)" % BURN
FILL = "block = b'x' * (96 << 20)\nsize = len(block)\ndel block"
# source, minimum CPU seconds, minimum bytes, success
ROWS = [
    ("x = 1", 0.0, 1 << 20, True),
    (BURN, 0.2, 1 << 20, True),
    (CHILD, 0.2, 1 << 20, True),
    (FILL, 0.0, 96 << 20, True),
    (BURN + "1 / 0", 0.2, 1 << 20, False),
]


class Usage(unittest.TestCase):
    # [EX-80]
    def test_rows(self):
        bench = support.Bench()
        self.addCleanup(bench.close)
        for source, cpu_seconds, peak_bytes, success in ROWS:
            with self.subTest(source):
                result = bench.run(source).result
                self.assertEqual(result["success"], success)
                self.assertGreaterEqual(result["usage"]["cpu_seconds"], cpu_seconds)
                self.assertGreaterEqual(result["usage"]["peak_bytes"], peak_bytes)


if __name__ == "__main__":
    unittest.main()
