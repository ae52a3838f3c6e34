"""Runs shared code of other cells as modules, in the cell that reads it.

All symbols of one slice come from one module, even if several inputs include it, so instances belong to the class that
the cell gets. The values a module's code needs are bound before it runs. A module stays in `sys.modules` under every
name it arrived with, so that pickle and forked workers find it.
"""

import linecache
import sys
import types

from . import forward_names
from . import plain_json as json
from .ambient import NAME, lend_client
from .changed_code import snapshot
from .displays import Markdown, display
from .staged import Stages


class Opened:
    """A slice in this process. `specs`: manifest entries of its injected values; `pinned`: the names injected for any
    of its symbols; `lent`: the names provided by the running cell (forward_names.py)."""

    __slots__ = ("module", "source", "cell_name", "specs", "base", "stages", "as_defined", "pinned", "lent")

    def __init__(self, module, source, cell_name, base, pinned):
        self.module, self.source, self.cell_name, self.base = module, source, cell_name, base
        self.pinned = pinned
        self.specs = {}
        self.lent = set()
        self.stages = None  # set while it runs in stages (staged.py)
        self.as_defined = {}  # attributes of its classes and functions (changed_code.py)

    def is_reading(self, name):
        """Whether a value the slice needs is being read and not yet available."""
        return name in self.specs and name not in vars(self.module)

    def accepts(self, injected):
        """Whether these values do not conflict with those already in the module."""
        if any(name in self.lent for name in injected):
            return False
        identity_of = forward_names.identity_of
        return all(
            identity_of(self.specs[name]) == identity_of(spec) for name, spec in injected.items() if name in self.specs
        )


_by_source = {}
_by_name = {}  # module name -> Opened


def read_symbol(path, injected, base):
    """The function, class or constant of a module/cell file."""
    with open(path, encoding="utf-8") as file:
        blob = json.load(file)
    # The name is set on publication; a result that is read before that has none.
    pinned = blob.get("pinned") or ()
    opened = open_slice(blob.get("module_name") or "nb_code", blob["source"], blob.get("cell_name"), injected, base, pinned=pinned)
    return getattr(opened.module, blob["symbol_name"])


class _Reading:
    """An unpickling in progress whose data may refer to slices. `injected`: their values, from the input's spec."""

    def __init__(self, injected, base):
        self.injected, self.base = injected, base
        self.waiting = []  # (Opened, name): slices that need the value being read


_readings = []


def read_with(reader, path, spec, base, part=None):
    """`part`: the key of the value in the result of `reader`."""
    reading = _Reading(forward_names.take_pins(spec.get("injected") or {}), base)
    _readings.append(reading)
    try:
        value = reader(path)
    finally:
        _readings.pop()
    if part is not None:
        value = value[part]
    for opened, name in reading.waiting:
        if name not in opened.specs and "uri" in spec:
            opened.specs[name] = spec
        vars(opened.module).setdefault(name, value)
    for opened, _ in reading.waiting:
        _execute(opened, set())
    return value


def resolve(about, qualname, injects):
    """In pickles: a class or function of a slice. `injects`: name in the module -> key in the input's `injected`.

    A key of None means the value being read, which contains objects of the code that needs it.
    """
    reading = _readings[-1] if _readings else _Reading({}, "")
    waiting = {name for name, key in injects.items() if key is None}
    opened = open_slice(
        about["module_name"],
        about["source"],
        about["cell_name"],
        {name: reading.injected[key] for name, key in injects.items() if key in reading.injected},
        reading.base,
        waiting,
        about.get("pinned") or (),
    )
    reading.waiting.extend((opened, name) for name in sorted(waiting) if (opened, name) not in reading.waiting)
    value = opened.module
    for part in qualname.split("."):
        value = getattr(value, part)
    return value


def open_slice(name, source, cell_name, injected, base, waiting=frozenset(), pinned=()):
    """Open a slice as a module. `waiting`: names without a value yet; code that needs them runs once they have one.

    `pinned`: names that are injected for other symbols of the slice."""
    injected = forward_names.take_pins(injected)
    pinned = frozenset(pinned).union(injected, waiting)
    caller = forward_names.caller
    open_names = caller.lendable(source, pinned) if caller is not None else ()
    for opened in _by_source.get(source, ()):
        if opened.accepts(injected):
            break
    else:
        opened = _new(name, source, cell_name, base, pinned)
        if caller is not None:
            caller.prepare(opened, open_names)
    for key, spec in injected.items():
        if key not in opened.specs:
            opened.specs[key] = spec  # before reading: the value may be an instance of the slice's own classes
            try:
                value = _read_injected(key, spec, base)
            except BaseException:
                del opened.specs[key]
                raise
            if opened.stages is not None:
                vars(opened.module)[key] = value
            else:
                vars(opened.module).setdefault(key, value)
    was_run = opened.stages is not None and opened.stages.is_done
    _execute(opened, waiting)
    if not was_run and caller is not None:
        caller.lend(opened, open_names)
    _by_name.setdefault(name, opened)
    sys.modules.setdefault(name, opened.module)
    return opened


def all_opened():
    """All slices opened in this process."""
    return [opened for same in _by_source.values() for opened in same]


def sources():
    """The sources of all slices opened in this process."""
    return list(_by_source)


def _new(name, source, cell_name, base, pinned):
    module = types.ModuleType(name)
    opened = Opened(module, source, cell_name or "shared", base, pinned)
    module.__file__ = _file_name(opened)
    module.display, module.Markdown = display, Markdown
    if NAME not in pinned:
        lend_client(module, source)
    _by_source.setdefault(source, []).append(opened)
    _by_name[name] = opened
    sys.modules[name] = module
    return opened


def _execute(opened, waiting):
    """Run the slice up to the first statement whose values are missing (code_sharing.py rules out circular needs)."""
    if opened.stages is not None and opened.stages.is_done:
        return
    if opened.stages is None:
        opened.stages = Stages(opened.source, opened.module.__file__)
    pending = {name for name in waiting if name not in vars(opened.module)}
    pending.update(name for name in opened.specs if opened.is_reading(name))
    try:
        opened.stages.run(vars(opened.module), pending)
    except BaseException:
        _by_source[opened.source].remove(opened)
        for name in [name for name, one in _by_name.items() if one is opened]:
            del _by_name[name]
            if sys.modules.get(name) is opened.module:
                del sys.modules[name]
        raise
    opened.as_defined = snapshot(opened.module)
    for library in ("cloudpickle", "joblib.externals.cloudpickle"):
        loaded = sys.modules.get(library)
        if loaded is not None:
            loaded.register_pickle_by_value(opened.module)


def send_by_value(library):
    """Make cloudpickle include code of slices, since the processes it sends to do not have it."""
    for opened in _by_name.values():
        library.register_pickle_by_value(opened.module)


def _file_name(opened):
    """`<cell NAME>`, registered for tracebacks and inspect; a different source under the same name gets a number."""
    lines = [line + "\n" for line in opened.source.splitlines()]
    number = 1
    while True:
        name = "<cell %s>" % (opened.cell_name if number == 1 else "%s, %d" % (opened.cell_name, number))
        entry = linecache.cache.get(name)
        if entry is None or entry[2] == lines:
            linecache.cache[name] = (len(opened.source), None, lines, name)
            return name
        number += 1


def _read_injected(name, spec, base):
    if forward_names.caller is not None:
        return forward_names.caller.read_injected(name, spec, base)
    from .decode import read_input

    return read_input(name, spec, base)


# Code that arrived as source, for a cell that stores it again


def opened_of(value):
    """(Opened, dotted name) of a class or function that arrived as source, or None."""
    module_name, dotted = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if type(module_name) is not str or type(dotted) is not str:
        return None
    opened = _by_name.get(module_name)
    return (opened, dotted) if opened is not None and holds(vars(opened.module), dotted, value) else None


def holds(namespace, dotted, value):
    """Whether `dotted`, looked up in a namespace, is this object."""
    first, *rest = dotted.split(".")
    at = namespace.get(first)
    for part in rest:
        at = getattr(at, part, None)
    return at is value


# Referenced by results of earlier releases; newer results refer to typing_parts


def make_type_variable(kind, name, constraints, options):
    from . import typing_parts

    return typing_parts.make_type_variable("", kind, name, constraints, options)


def make_new_type(name, base):
    from . import typing_parts

    return typing_parts.make_new_type("", name, base)
