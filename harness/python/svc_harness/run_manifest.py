"""Executes one run: reads a manifest, writes result files (harness/CONTRACT.md).

Steps, in order: prepare → set-up cell → inputs → cell → remaining displays → exports → result. A failure in any step
produces a result file; only a process that dies leaves none.
"""

import os
import sys
import types
from time import perf_counter

from . import ambient, execute
from . import plain_json as json
from .displays import Displays, Markdown, display
from .import_hooks import install_hooks
from .observation import Observation
from .outside import bind_outside
from .process_state import (
    flush_streams,
    ignore_interrupts,
    prepare_after_fork,
    prepare_process,
    restore_recursion,
)
from .setup_cell import SetupFailed, filters_before_setup, run_setup
from .usage import cpu_seconds, usage_since
from .value_file import write_result

__all__ = ["prepare_after_fork", "run_manifest"]


def run_manifest(manifest_path):
    """Run one manifest in this process. Returns the exit code: 0 if the cell succeeded, 1 if it failed."""
    manifest_path = os.path.abspath(manifest_path)
    try:
        with open(manifest_path, encoding="utf-8") as file:
            manifest = json.load(file)
        output_dir = os.path.join(os.path.dirname(manifest_path), manifest["output_dir"])
        run = _Run(manifest, output_dir)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print("svc: unusable manifest %s: %r" % (manifest_path, error), file=sys.stderr)
        return 1
    code = run.finish(run.attempt())
    if code == 0 and manifest.get("keep") and "svc_harness.comms" in sys.modules:
        from .widget_session import keep

        keep(manifest["keep"], run.displays.entries)
    return code


class _Run:
    def __init__(self, manifest, output_dir):
        self.manifest = manifest
        self.output_dir = output_dir
        self.pid = os.getpid()
        self.recursion_limit = sys.getrecursionlimit()
        self.displays = Displays(output_dir)
        self.cell_name = manifest.get("cell_name") or "cell"
        store = manifest.get("store", "all")
        self.store = "all" if store == "all" else frozenset(store)
        self.unread = manifest.get("unread")
        self.started = perf_counter()
        self.cpu_before = cpu_seconds()
        self.source = execute.Source(manifest["source"], self.cell_name)
        self.namespace = {}
        self.variables = {}
        self.warnings = []
        self.loop = None
        self.observation = None
        self.observed = None
        # Inputs that could not be read, and their errors.
        self.left_out = {}
        # Memory reserve for describing a MemoryError, released before anything else. Its zeroed pages are never
        # touched, so this costs address space only.
        self.reserve = bytes(1 << 20)

    def attempt(self):
        """Run all steps that may fail. Returns None or the exception."""
        try:
            self._cell()
            return None
        except BaseException as error:
            self.reserve = None
            self._leave_if_forked(error)
            restore_recursion(self.recursion_limit)
            return error

    def _cell(self):
        prepare_process(self.manifest)
        install_hooks()
        self._observe()
        run_setup(self.manifest)
        self.displays.install()
        namespace = self._open_namespace()
        with filters_before_setup():
            inputs = self._read_inputs()
        namespace.update(inputs)
        if inputs:
            self.observation.look_at(inputs, self._may_hold_code())
        if "matplotlib.pyplot" in sys.modules:
            from .figures import forget_inputs

            forget_inputs()
        if self.manifest.get("tests"):
            self._tests()
            return
        if self.manifest.get("prompt_values"):
            from .prompt_values import write_values

            write_values(self.manifest["prompt_values"], inputs, self.output_dir)
            self._leave_if_forked(None)
            return
        before = dict(namespace)
        mutable = set(self.manifest.get("mutation_defines") or ())
        watch = self._watch(inputs, mutable)
        settings = self._watch_process(inputs)
        self._execute(self._show_trailing)
        self._leave_if_forked(None)
        restore_recursion(self.recursion_limit)
        settings.stop()
        self._evaluate_until()
        self._show_left_open()
        self.displays.settle()
        self._export(before, inputs, mutable, watch, settings)
        self.observed = self.observation.stop(namespace)

    def _observe(self):
        """Observe what the run does beyond its own values; it becomes part of its result (observation.py)."""
        mounts = (self.manifest.get("mounts") or {}).values()
        ignored = [self.output_dir, *(mount["local_path"] for mount in mounts)]
        self.observation = Observation(os.getcwd(), ignored)
        self.observation.start()

    def _execute(self, show):
        execute.run(self.source, self.namespace, show)

    def _tests(self):
        from .cell_tests import run_tests

        def run_cell():
            self._execute(lambda _value: None)
            helpers = {"display": display, "Markdown": Markdown, ambient.NAME: ambient.current}
            return self.namespace, helpers

        run_tests(self.manifest["tests"], self.output_dir, run_cell)
        self._leave_if_forked(None)

    def _open_namespace(self):
        """Create a real `__main__`, so that pickle, dataclasses and multiprocessing find the cell's definitions."""
        main = types.ModuleType("__main__")
        namespace = main.__dict__
        namespace["__builtins__"] = __builtins__ if isinstance(__builtins__, types.ModuleType) else sys.modules["builtins"]
        namespace["display"] = display
        namespace["Markdown"] = Markdown
        ambient.bind_client(namespace, self.manifest)
        bind_outside(namespace, self.manifest)
        sys.modules["__main__"] = main
        self.namespace = namespace
        execute.running = execute.Running(self.source.text, self.cell_name, namespace, self.manifest)
        return namespace

    def _read_inputs(self):
        specs = self.manifest.get("inputs") or {}
        if not specs:
            return {}
        from . import forward_names
        from .decode import InputRefused

        caller = forward_names.start(
            self.source.text, specs, self.output_dir, self.namespace, self.manifest.get("input_uris")
        )
        inputs = {}
        for name in specs:
            try:
                inputs[name] = caller.read(name)
            except InputRefused:
                raise
            except Exception as error:
                why = "%s: %s" % (type(error).__name__, error)
                self.left_out[name] = why
                print("svc: skipped input %r because it could not be read: %s" % (name, why), file=sys.stderr)
        return inputs

    def _may_hold_code(self):
        """Whether an input may contain functions or modules that the cell does not name."""
        return any(_is_no_plain_data(spec) for spec in (self.manifest.get("inputs") or {}).values())

    def _why_failed(self, error):
        """Explain a failure caused by a name of another cell: why it is missing and what to do. Or None."""
        name = error.name if type(error) is NameError else None
        if name == ambient.NAME and self.manifest.get("svc_url") is None:
            return ambient.ON_A_WORKER
        below = (self.manifest.get("below") or {}).get(name)
        if below is not None:
            return "%s is defined further down, in the cell %s. Move that cell above this one." % (name, below)
        if name not in self.left_out:
            from .hints import hint

            return hint(error)
        return "%s is stored, but could not be read back (%s)." % (name, self.left_out[name])

    def _watch(self, inputs, mutable):
        if not inputs:
            return None
        from .mutations import MutationWatch

        return MutationWatch(inputs, self.manifest.get("inputs"), self.output_dir, mutable)

    def _watch_process(self, inputs):
        from .process_watch import ProcessWatch

        return ProcessWatch(self.source.text, inputs, os.path.abspath(self.manifest.get("cwd") or ""))

    def _show_trailing(self, value):
        self._leave_if_forked(None)
        if "matplotlib.figure" in sys.modules:
            from .figures import is_shown

            if is_shown(value):
                return
        self.displays.show_trailing(value)

    def _show_left_open(self):
        if "matplotlib.pyplot" in sys.modules:
            from .figures import show_left_open

            show_left_open()

    def _evaluate_until(self):
        loop = self.manifest.get("loop")
        if not loop:
            return
        self.loop = {"until_reached": False}
        if loop.get("until_expr"):
            try:
                reached = execute.until_reached(loop["until_expr"], self.namespace, self.cell_name)
                self.loop["until_reached"] = reached
            except Exception as error:
                from .failures import describe

                self.loop["error"] = describe(error)[0]

    def _export(self, before, inputs, mutable, watch, settings):
        from .exports import exported_names, write_exports
        from .mutations import MutationWatch
        from .process_watch import is_setup

        names = exported_names(self.namespace, before, mutable, self.store)
        watch = watch or MutationWatch({})
        self._warn(lambda: watch.warnings(inputs, self.namespace, names, self.source.text))
        if not is_setup(self.source.text):
            self._warn(lambda: settings.warnings(self.namespace, names))
        self.variables, more = write_exports(
            self.namespace, names, self.store, self.displays, self._allowance()
        )
        self.warnings += more
        if names:
            from .shared_values import shared_warnings

            used_names = names if self.store == "all" else self.store
            self._warn(lambda: shared_warnings(self.namespace, self.variables, used_names))

    def _warn(self, look):
        """Add warnings. If a value cannot be inspected, a line is written to stderr and the result is not affected."""
        try:
            self.warnings += look()
        except Exception as problem:
            print("svc: could not check for changed inputs: %s: %s" % (type(problem).__name__, problem), file=sys.stderr)

    def _allowance(self):
        if self.unread is None:
            return None
        from .unread import Allowance

        return Allowance(self.unread, perf_counter() - self.started)

    def _leave_if_forked(self, error):
        """End a process that the cell forked and that reached the end of the source: it is not this run."""
        if os.getpid() == self.pid:
            return
        if error is not None and not isinstance(error, SystemExit):
            from .failures import describe

            print(describe(error)[1], end="", file=sys.stderr)
        flush_streams()
        code = 1 if error is not None else 0
        if isinstance(error, SystemExit) and isinstance(error.code, int):
            code = error.code & 0xFF
        os._exit(code)

    def finish(self, error):
        """Write the result. Interrupts are ignored from here on: the outcome is known."""
        ignore_interrupts()
        self.displays.settle()
        result = {
            "success": error is None,
            "variables": {},
            "displays": self.displays.entries,
            "mutation_warnings": self.warnings,
            "build_env": _build_env(),
        }
        usage = usage_since(self.cpu_before)
        if usage is not None:
            result["usage"] = usage
        if self.loop is not None:
            result["loop"] = self.loop
        if self.observed is not None:
            result["observed"] = self.observed
        if error is None:
            result["variables"] = self.variables
        else:
            from .failures import describe

            if isinstance(error, MemoryError):
                self.namespace.clear()
            elif isinstance(error, Exception):
                self._show_after_failure()
            text, trace = describe(error)
            why = self._why_failed(error)
            if why is not None:
                text, trace = text + "\n" + why, trace + why + "\n"
            result["error"], result["traceback"] = text, trace
            if isinstance(error, SetupFailed):
                result["error"], result["traceback"] = str(error), error.traceback
            code = getattr(error, "code", None)
            if type(error).__name__ in ("InputRefused", "PytestMissing") and isinstance(code, str):
                result["error"], result["error_code"], result["traceback"] = str(error), code, ""
        flush_streams()
        try:
            write_result(self.output_dir, result)
        except OSError as problem:
            print("svc: the result could not be written: %s" % problem, file=sys.stderr)
            return 1
        except (ValueError, TypeError, MemoryError) as problem:
            self._write_minimal_result(result, problem)
            return 1
        return 0 if error is None else 1

    def _write_minimal_result(self, result, problem):
        """Write a minimal result if the complete one could not be converted to JSON or did not fit in memory."""
        line = "%s: the result could not be written: %s" % (type(problem).__name__, problem)
        bare = {"success": False, "variables": {}, "displays": [], "mutation_warnings": []}
        bare["build_env"] = result["build_env"]
        write_result(self.output_dir, {**bare, "error": result.get("error", line), "traceback": ""})

    def _show_after_failure(self):
        """Display figures drawn before the error: they help to understand it."""
        try:
            self._show_left_open()
        except Exception as problem:
            print("svc: a figure could not be shown: %s" % problem, file=sys.stderr)


def _is_no_plain_data(spec):
    variants = spec.get("variants")
    if variants is not None:
        return any(map(_is_no_plain_data, variants.values()))
    return spec["content_type"].startswith(("pickle/", "module/"))


def _build_env():
    """`cpython-3.13-linux-x86_64`."""
    version = "%d.%d" % sys.version_info[:2]
    machine = os.uname().machine if hasattr(os, "uname") else os.environ.get("PROCESSOR_ARCHITECTURE", "").lower()
    system = {"win32": "windows"}.get(sys.platform, sys.platform)
    return "-".join((sys.implementation.name, version, system, machine))
