"""The `svc` client: typed filters, requests, and which cells have it."""

import datetime
import decimal
import http.server
import importlib
import json
import os
import subprocess
import sys
import threading
import unittest
import uuid

import support

sys.path.insert(0, os.path.join(support.HARNESS, "svc-client", "src"))
svc_client = importlib.import_module("svc_client")
filters = importlib.import_module("svc_client.filters")
tables = importlib.import_module("svc_client.tables")
SvcError = svc_client.SvcError
CET = datetime.timezone(datetime.timedelta(hours=1))

TYPED = [
    ("a", "a"),
    (1, 1),
    (2**60, 2**60),
    (True, True),
    (1.5, 1.5),
    (datetime.date(2026, 1, 31), "__date__:2026-01-31"),
    (datetime.datetime(2026, 1, 31, 12, 0, 0, 5), "__datetime__:2026-01-31T12:00:00.000005"),
    (datetime.datetime(2026, 1, 31, 12, tzinfo=CET), "__datetime__:2026-01-31T12:00:00+01:00"),
    (datetime.time(1, 2, 3), "__time__:01:02:03"),
    (decimal.Decimal("1E+3"), "__decimal__:1000"),
    (decimal.Decimal("0.10"), "__decimal__:0.10"),
    (uuid.UUID(int=255), "__uuid__:00000000-0000-0000-0000-0000000000ff"),
    (b"\x00\xff", "__bytes__:00ff"),
]
REFUSED = [
    ("no list", 7, "A filter is"),
    ("two parts", [("a", 1)], "A filter is"),
    ("an operator", [("a", "~", 1)], "has the operator"),
    ("NaN", [("a", "=", float("nan"))], "Only finite numbers"),
    ("a decimal NaN", [("a", "=", decimal.Decimal("NaN"))], "Only finite numbers"),
    ("None", [("a", "=", None)], "compares with a NoneType"),
    ("a list", [("a", "=", [1])], "compares with a list"),
]


class Filters(unittest.TestCase):
    def test_typed(self):
        """[DP-80] values of filters are typed"""
        for value, expected in TYPED:
            with self.subTest(value=value):
                found = filters.filters_of([("a", ">", value)])
                self.assertEqual(found, [{"column": "a", "op": ">", "value": expected}])
                self.assertIs(type(found[0]["value"]), type(expected))

    def test_forms(self):
        expected = [{"column": "a", "op": "=", "value": 1}]
        for given in (("a", "==", 1), [["a", "=", 1]], {"column": "a", "op": "=", "value": 1}):
            with self.subTest(given=given):
                self.assertEqual(filters.filters_of(given), expected)
        self.assertIsNone(filters.filters_of(None))

    def test_refused(self):
        for what, given, says in REFUSED:
            with self.subTest(what), self.assertRaisesRegex(SvcError, says):
                filters.filters_of(given)

    @unittest.skipIf(support.missing(["numpy", "pandas"]), support.missing(["numpy", "pandas"]))
    def test_libraries(self):
        import numpy
        import pandas

        for value, expected in [
            (numpy.int64(3), 3),
            (numpy.float32(0.5), 0.5),
            (numpy.bool_(True), True),
            (numpy.datetime64("2026-01-31"), "__date__:2026-01-31"),
            (numpy.datetime64("2026-01-31T01:00:00.000000001"), "__datetime__:2026-01-31T01:00:00.000000001"),
            (pandas.Timestamp("2026-01-31 01:00:00.000000001"), "__datetime__:2026-01-31T01:00:00.000000001"),
        ]:
            with self.subTest(value=value):
                self.assertEqual(filters.typed(value, "a"), expected)


JSON_REFUSED = [
    ("a large number", {"a": [2**53]}, "does not keep"),
    ("NaN", [float("nan")], "JSON has no"),
    ("keys that are not text", {1: 2}, "keys of JSON"),
    ("a set", {"a": {1}}, "cannot be stored"),
]


class Data(unittest.TestCase):
    def test_json(self):
        self.assertEqual(tables.encoded({"a": [1, None], "b": ["x", True]}), ("json", b'{"a":[1,null],"b":["x",true]}'))
        for what, data, says in JSON_REFUSED:
            with self.subTest(what), self.assertRaisesRegex(SvcError, says):
                tables.encoded(data)

    @unittest.skipIf(support.missing(["pyarrow", "pandas", "polars"]), support.missing(["pyarrow", "pandas", "polars"]))
    def test_tables(self):
        # In its own process: polars starts threads, and processes forked by later tests would wait for them.
        source = os.path.dirname(os.path.dirname(svc_client.__file__))
        ended = subprocess.run([sys.executable, "-c", _TABLES, source], capture_output=True, text=True, timeout=300)
        self.assertEqual((ended.returncode, ended.stdout), (0, "DataFrame DataFrame LazyFrame Table "), ended.stderr)


_TABLES = """
import sys

sys.path.insert(0, sys.argv[1])
import pandas
import polars
import pyarrow
import svc_client
from svc_client import tables

columns = {"a": [1, 2], "b": ["x", None]}
for table in (pandas.DataFrame(columns), polars.DataFrame(columns), polars.LazyFrame(columns), pyarrow.table(columns)):
    form, stream = tables.encoded(table)
    assert form == "arrow", form
    result = svc_client.Result("svc://artifact/a@v=1", lambda: stream)
    assert result.arrow().to_pydict() == columns
    assert result.polars().to_dict(as_series=False) == columns
    assert list(result.pandas()["a"]) == [1, 2]
    assert pyarrow.table(result).num_rows == 2
    print(type(table).__name__, end=" ")
"""


class _Server(http.server.BaseHTTPRequestHandler):
    """Responds as the test's row says, and records requests."""

    def _answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append((self.path, self.headers.get("Authorization")))
        status, headers, body = self.server.rows.pop(0)
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = _answer

    def log_message(self, *_arguments):
        pass


ANSWERS = [
    ("a sentence", 404, {}, b'{"detail": "Table not found"}', "Table not found", None),
    ("a code", 403, {}, b'{"detail": {"error": "writes_disabled", "message": "Off."}}', "Off.", "writes_disabled"),
    ("plain text", 401, {}, b"Access denied.", "Access denied.", None),
    ("parts", 422, {}, b'{"detail": [{"loc": ["body", "name"], "msg": "too long"}]}', r"too long \(body.name\)", None),
    ("nothing", 500, {}, b"", "status 500", None),
    ("a redirect", 307, {"Location": "http://127.0.0.1:1/x"}, b"", "Redirects are not followed", None),
    ("a body that is cut off", 200, {"Content-Length": "100"}, b"{", "was cut off", None),
]


class Requests(unittest.TestCase):
    def setUp(self):
        self.server = http.server.HTTPServer(("127.0.0.1", 0), _Server)
        self.server.seen, self.server.rows = [], []
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(self.server.shutdown)
        self.client = svc_client.Client(self.url, {"Authorization": "Bearer secret-1"})

    def test_failures(self):
        """[DP-81] a failure has the status and the message of the server, and no credential"""
        for what, status, headers, body, says, code in ANSWERS:
            with self.subTest(what):
                self.server.rows.append((status, headers, body))
                with self.assertRaisesRegex(SvcError, says) as raised:
                    self.client.resolve("a/b c")
                self.assertEqual(raised.exception.status, None if status == 200 else status)
                self.assertEqual(raised.exception.code, code)
                self.assertNotIn("secret-1", repr(raised.exception))
        self.assertEqual(self.server.seen[0], ("/v1/names/a/b%20c", "Bearer secret-1"))
        self.assertEqual(len(self.server.seen), len(ANSWERS))

    def test_busy(self):
        """A request to a busy server is repeated after the time that the server states."""
        uri = b'{"artifact_uri": "svc://artifact/a@v=1", "state": "ready"}'
        self.server.rows += [(429, {"Retry-After": "0"}, b""), (200, {}, uri)]
        self.assertEqual(self.client.materialize("a.b").artifact_uri, "svc://artifact/a@v=1")

    def test_proxy(self):
        """Credentials for this machine are not sent through a proxy."""
        before = os.environ.get("http_proxy")
        os.environ["http_proxy"] = "http://127.0.0.1:1"
        self.addCleanup(lambda: os.environ.pop("http_proxy") if before is None else os.environ.update(http_proxy=before))
        self.server.rows.append((200, {}, b'{"artifact_uri": "svc://artifact/a@v=1"}'))
        self.assertEqual(svc_client.Client(self.url).resolve("a"), "svc://artifact/a@v=1")

    def test_no_server(self):
        self.server.shutdown()
        self.server.server_close()
        with self.assertRaisesRegex(SvcError, "No server answers at http://127.0.0.1:"):
            self.client.resolve("a")


class Cells(unittest.TestCase):
    def setUp(self):
        self.bench = support.Bench()
        self.addCleanup(self.bench.close)

    def test_names(self):
        """[DP-82] a cell has `svc`, and a notebook's own `svc` replaces it"""
        for what, source, manifest, expected in [
            ("the client", "repr(svc)", {}, "<client of http://127.0.0.1:9>"),
            ("no module is loaded for it", "import sys\n[n for n in ('urllib.request', 'svc_harness.svc_client') if n in sys.modules]", {}, []),
            ("the cell's own", "svc = 5\nsvc", {}, 5),
            ("imported", "import math as svc\nsvc.floor(2.5)", {}, 2),
            ("a mount", "svc.name", {"mounts": {"svc": {"uri": "file:///x/y", "mode": "ro", "local_path": "/x/y"}}}, "y"),
            ("on a worker", "'svc' in globals()", {"svc_url": None}, False),
        ]:
            with self.subTest(what):
                if manifest.get("svc_url", "") is None:
                    ran = self.bench.run(source)
                else:
                    ran = self.bench.run(source, manifest={"svc_url": "http://127.0.0.1:9", **manifest})
                self.assertTrue(ran.result["success"], ran.result.get("traceback"))
                self.assertEqual(ran.result["displays"][-1]["preview"], expected)

    def test_refusals(self):
        """[DP-83] without a server the client explains what to do; the client is never stored"""
        for what, source, manifest, says in [
            ("no server", "svc.materialize('a.b')", {"svc_url": ""}, "This run has no server"),
            ("no promotion", "svc.promote('svc://artifact/a@v=1')", {"svc_url": "http://127.0.0.1:9"}, "no server that could promote"),
            ("a worker", "svc.put(1)", {}, "A cell on a worker has no client svc"),
            ("pickled", "import pickle\npickle.dumps(svc)", {"svc_url": ""}, "cannot be stored"),
            ("an invalid name", "svc.nothing", {"svc_url": ""}, "nothing"),
        ]:
            with self.subTest(what):
                ran = self.bench.run(source, manifest=manifest)
                self.assertFalse(ran.result["success"])
                self.assertIn(says, ran.result["error"])
        ran = self.bench.run("c = svc", manifest={"svc_url": "http://x", "svc_headers": {"Authorization": "Bearer secret-2"}})
        self.assertIn("cannot be stored", ran.result["variables"]["c"]["error"])
        self.assertNotIn("secret-2", json.dumps(ran.result))


if __name__ == "__main__":
    unittest.main()
