"""Cells that use `await` outside a function, and hints for what a notebook cannot do."""

import unittest

import support

_HEAD = "import asyncio\nasync def _g(i=3):\n    await asyncio.sleep(0)\n    return i\n"
_STREAM = "async def _agen():\n    for i in range(3): yield i\n"

# name, source, expected {variable: preview}
AWAITS = [
    ("await", _HEAD + "v = await _g()", {"v": 3}),
    ("gather", _HEAD + "v = await asyncio.gather(*[_g(i) for i in range(3)])", {"v": [0, 1, 2]}),
    ("async for", _STREAM + "v = []\nasync for _i in _agen(): v.append(_i)", {"v": [0, 1, 2]}),
    ("async comprehension", _STREAM + "v = [i async for i in _agen()]", {"v": [0, 1, 2]}),
    ("async with", "import contextlib as _c\n@_c.asynccontextmanager\nasync def _cm(): yield 5\nasync with _cm() as v: pass", {"v": 5}),
    ("task in the same loop", _HEAD + "_t = asyncio.create_task(_g(4))\nv = await _t", {"v": 4}),
    ("context variables", "import contextvars, asyncio\n_c = contextvars.ContextVar('c')\n_c.set(1)\nawait asyncio.sleep(0)\nv = _c.get()", {"v": 1}),
    ("asyncio.run without await", _HEAD + "v = asyncio.run(_g(7))", {"v": 7}),
    ("threads end first", _HEAD + "v = await asyncio.to_thread(sum, [1, 2])", {"v": 3}),
    ("future import", "from __future__ import annotations\nimport asyncio\nawait asyncio.sleep(0)\ndef _f(x: Undefined): pass\nv = _f.__annotations__", {"v": {"x": "Undefined"}}),
]

# name, source, text in the error, text in the hint
REFUSED = [
    ("asyncio.run beside await", _HEAD + "await _g()\nasyncio.run(_g())", "asyncio.run() cannot be called", "write `await main()`"),
    ("a task without await", _HEAD + "asyncio.create_task(_g())", "no running event loop", "await the task in this cell"),
    ("magic", "x = 1\n%timeit x", "SyntaxError", "Jupyter syntax, not Python"),
    ("cell magic", "%%bash\nls -l", "SyntaxError", "Jupyter syntax, not Python"),
    ("shell", "!ls", "SyntaxError", "subprocess.run"),
    ("shell output into a name", "x = !ls", "SyntaxError", "subprocess.run"),
    ("help", "len?", "SyntaxError", "help(name)"),
    ("private name", "print(_secret)", "NameError: name '_secret' is not defined", "rename it to `secret`"),
    ("leaving early", _HEAD + "import sys\nawait _g()\nsys.exit(0)", "SystemExit: 0", "put it under an `if`"),
    ("underscore", "print(_)", "NameError: name '_' is not defined", "give it a name that does not start with _"),
    ("getpass", "import getpass\ngetpass.getpass()", "RuntimeError: a cell cannot ask for a password", "environment variable"),
    ("getpass by name", "from getpass import getpass as ask\nask('Password: ')", "RuntimeError: a cell cannot ask for a password", "environment variable"),
]

# Errors without a hint.
PLAIN = ["x = = 1", "x = 5 % 0 %", "print(missing)", "raise RuntimeError('no')", "print(__missing__)"]


class Awaiting(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = support.Bench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    # [SO-102]
    def test_awaits(self):
        for name, source, expected in AWAITS:
            with self.subTest(name):
                ran = self.bench.run(source)
                self.assertEqual((ran.code, ran.stderr, ran.result.get("error")), (0, "", None))
                variables = ran.result["variables"]
                self.assertEqual({key: variables[key]["preview"] for key in expected}, expected)

    # [SO-102]
    def test_a_trailing_await_is_shown(self):
        ran = self.bench.run(_HEAD + "await _g(8)")
        self.assertEqual([entry["preview"] for entry in ran.result["displays"]], [8])

    # [SO-102]
    def test_an_error_has_only_the_frames_of_the_cell(self):
        result = self.bench.run(_HEAD + "async def f():\n    1 / 0\nawait f()").result
        self.assertEqual(result["error"], "ZeroDivisionError: division by zero")
        self.assertIn('File "<cell test>", line 7, in <module>', result["traceback"])
        self.assertNotIn("asyncio", result["traceback"])
        self.assertNotIn("async_cells", result["traceback"])

    # [SO-102]
    def test_tasks_left_running_are_cancelled_and_reported(self):
        ended = "async def tick():\n    try:\n        await asyncio.sleep(1000)\n    finally:\n        print('ended')\n"
        ran = self.bench.run("import asyncio\n" + ended + "t = asyncio.create_task(tick())\nawait asyncio.sleep(0)")
        self.assertEqual((ran.code, ran.stdout), (0, "ended\n"))
        self.assertIn("1 task was still running when the cell ended and was cancelled (tick)", ran.stderr)

    # [SO-102]
    def test_an_interrupt_ends_a_waiting_cell(self):
        source = "import asyncio, os, signal\nasyncio.get_running_loop().call_later(0.01, os.kill, os.getpid(), signal.SIGINT)\nawait asyncio.sleep(1000)"
        self.assertEqual(self.bench.run(source).result["error"], "KeyboardInterrupt")

    # [SO-103]
    def test_refused_with_a_hint(self):
        for name, source, error, hint in REFUSED:
            with self.subTest(name):
                result = self.bench.run(source).result
                self.assertIn(error, result["error"])
                self.assertIn(hint, result["error"])

    # [SO-103]
    def test_other_errors_get_no_hint(self):
        for source in PLAIN:
            with self.subTest(source):
                self.assertNotIn("\n", self.bench.run(source).result["error"])


if __name__ == "__main__":
    unittest.main()
