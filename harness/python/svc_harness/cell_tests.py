"""Runs a cell's tests with the user's own pytest (harness/CONTRACT.md, "Tests of a cell").

Events are appended to the report file as they happen, so a test that kills the process or hangs does not lose the
results of earlier tests. pytest is imported only here.
"""

import os
import re

from . import plain_json as json

REPORT_FILE = "test-report.jsonl"

# Limits for messages: the failure matters more than the output before it.
_MESSAGE = 20_000
_PRINTED = 4_000


class PytestMissing(Exception):
    """pytest is not installed in the interpreter; the server may install it and try again."""

    code = "PYTEST_MISSING"


class CellNamespace:
    """The `cell` fixture: the names the cell defined, as attributes and as items."""

    __slots__ = ("_names", "_given")

    def __init__(self, names, given):
        self._names = names
        self._given = given

    def __getattr__(self, name):
        try:
            return self._names[name]
        except KeyError:
            raise AttributeError(self._without(name)) from None

    def __getitem__(self, name):
        try:
            return self._names[name]
        except KeyError:
            raise KeyError(self._without(name)) from None

    def __contains__(self, name):
        return name in self._names

    def __iter__(self):
        names = self._names.items()
        return iter([n for n, value in names if not n.startswith("__") and self._given.get(n) is not value])

    def __dir__(self):
        return list(self)

    def __repr__(self):
        return "<cell: %s>" % (", ".join(self) or "nothing")

    def _without(self, name):
        return "the cell leaves no `%s`; it leaves: %s" % (name, ", ".join(self) or "nothing")


def run_tests(tests, output_dir, run_cell):
    """Run the test source.

    `run_cell()` executes the cell once and returns its namespace and the names in it that every cell has.
    """
    pytest = _pytest()
    folder = os.path.join(os.path.realpath(output_dir), "tests")
    os.mkdir(folder)
    path = os.path.join(folder, "test_%s.py" % re.sub(r"\W", "_", tests["name"]))
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(tests["source"])
    # Stops pytest's search for a configuration file here: the notebook's own is for its own test suite.
    with open(os.path.join(folder, "pytest.ini"), "w", encoding="utf-8") as file:
        file.write("[pytest]\n")
    with _Report(os.path.join(output_dir, REPORT_FILE), path, tests["file"]) as report:
        plugin = _plugin_of(pytest, report, run_cell)
        options = ["-q", "--no-header", "--no-summary", "--color=no", "--import-mode=importlib"]
        options += ["-p", "no:cacheprovider", "-p", "no:debugging"]
        options += ["--rootdir", folder, "--confcutdir", folder, "--basetemp", os.path.join(folder, "tmp")]
        code = pytest.main([*options, path], plugins=[plugin])
        report.write("done", exit=int(code))


def _pytest():
    from importlib.util import find_spec

    try:
        if find_spec("pytest") is None:
            raise PytestMissing("pytest is not installed")
        import pytest
    except ImportError as error:
        raise PytestMissing("pytest cannot be imported: %s" % error) from error
    return pytest


class _Report:
    """Writes the events the server reads. A process forked by a test writes none."""

    def __init__(self, path, test_path, shown):
        self._file = open(path, "ab", buffering=0)
        self._pid = os.getpid()
        self.test_path = test_path
        self.shown = shown
        self._relative = os.path.relpath(test_path)

    def write(self, event, **fields):
        if os.getpid() == self._pid:
            self._file.write(json.dumps({"event": event, **fields}).encode("ascii") + b"\n")

    def named(self, text):
        """Replace the path of the test file in `text` by the name it has in the notebook."""
        base = os.path.basename(self.test_path)
        for name in (self.test_path, self._relative):
            text = text.replace(name, self.shown)
        return self.shown + text[len(base) :] if text.startswith(base) else text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()


def _plugin_of(pytest, report, run_cell):
    class CellTests:
        """pytest plugin that provides the `cell` fixture and reports each test."""

        def __init__(self):
            self.names = {}
            self.lines = {}
            self.parts = {}

        @pytest.fixture(scope="session")
        def cell(self):
            """The names defined by the cell, which runs once."""
            try:
                return CellNamespace(*run_cell())
            except Exception as error:
                from .failures import describe

                # Without the frames between the test and the cell, which belong to the harness.
                words = "The cell itself failed, so its tests could not run.\n\n" + describe(error)[1]
            pytest.fail(words, pytrace=False)

        def pytest_collection_finish(self, session):
            self.names = {item.nodeid: item.name for item in session.items}
            report.write("collected", count=len(session.items))

        def pytest_collectreport(self, report):
            if report.failed:
                _write_collection_error(_text_of(report))

        def pytest_internalerror(self, excrepr):
            report.write("broken", message=report.named(_bounded(str(excrepr), _MESSAGE)))

        def pytest_runtest_logstart(self, nodeid):
            self.parts[nodeid] = []
            report.write("begin", name=self.names.get(nodeid, nodeid), nodeid=report.named(nodeid))

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item, call):
            if call.excinfo is not None:
                self.lines[item.nodeid] = _line_in(call.excinfo.tb, report.test_path)
            yield

        def pytest_runtest_logreport(self, report):
            self.parts.setdefault(report.nodeid, []).append(report)

        def pytest_runtest_logfinish(self, nodeid):
            parts = self.parts.pop(nodeid, [])
            outcome, message = _verdict(parts)
            report.write(
                "end",
                name=self.names.get(nodeid, nodeid),
                nodeid=report.named(nodeid),
                outcome=outcome,
                message=report.named(_bounded(message, _MESSAGE)),
                line=None if outcome == "passed" else self.lines.get(nodeid),
                duration_ms=round(1000 * sum(part.duration for part in parts), 3),
            )

    def _write_collection_error(text):
        message_text = report.named(text)
        line = re.search(re.escape(report.shown) + r'(?:", line |:)(\d+)', message_text)
        message = _bounded(message_text, _MESSAGE)
        report.write("collection_error", message=message, line=int(line.group(1)) if line else None)

    return CellTests()


def _verdict(parts):
    """(outcome, message) from a test's setup, call and teardown; a failed setup or teardown is an `error`."""
    failed = [part for part in parts if part.failed]
    if failed:
        is_call = any(part.when == "call" for part in failed)
        words = "\n\n".join(_text_of(part) for part in failed)
        return ("failed" if is_call else "error"), words + _printed(failed[-1])
    for part in parts:
        if part.skipped:
            reason = getattr(part, "wasxfail", None)
            if reason is not None:
                return "skipped", ("expected to fail: %s" % reason if reason else "expected to fail")
            reason = part.longrepr[2] if isinstance(part.longrepr, tuple) else _text_of(part)
            return "skipped", re.sub(r"^Skipped: ", "", reason)
    return "passed", ""


def _text_of(report):
    text = getattr(report, "longreprtext", None)
    return str(report.longrepr or "") if text is None else text


def _printed(report):
    texts = []
    for title, text in report.sections:
        if text.strip():
            texts.append("\n\n--- %s ---\n%s" % (title, _bounded(text.rstrip(), _PRINTED)))
    return "".join(texts)


def _bounded(text, limit):
    surplus = len(text) - limit
    if surplus <= 0:
        return text
    half = limit // 2
    return "%s\n[… %d characters left out …]\n%s" % (text[:half], surplus, text[-half:])


def _line_in(trace, path):
    """The last line of the test file in a traceback, or None."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
