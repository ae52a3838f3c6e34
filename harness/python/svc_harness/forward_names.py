"""Forward names: names that code of another cell reads, and that only a cell below that one defines.

They are looked up at call time, as in a kernel: the running cell provides its inputs of these names and its own
variables to code of other cells. The server passes a cell every such name that a cell above it defines
(src-shared/notebook/forwardNames.ts).
"""

import builtins
import sys

from .ambient import is_ambient

# Provides names of the running cell; None before its inputs are read.
caller = None


def start(source, specs, base, namespace, uris=None):
    """Begin the run of a cell. Inputs are read once, when they or code that needs them are first used.

    `uris`: storage URIs, as used by the notebook's server, of inputs whose specs have no `uri`.
    """
    global caller
    caller = Caller(source, specs, base, namespace, uris or {})
    return caller


# Key prefix of injected values that are not names of the code itself: forward names and the value each had in the
# cell that stored the result. Readers use it if they have no value of their own for the name.
_PIN = "forward."


def take_pins(injected):
    """`injected` without pinned forward names, which become available to code in the running cell."""
    pins = {key: spec for key, spec in injected.items() if key.startswith(_PIN)}
    if not pins:
        return injected
    if caller is not None:
        for key, spec in pins.items():
            caller.pins.setdefault(key[len(_PIN) :], spec)
    return {key: spec for key, spec in injected.items() if key not in pins}


def pins():
    """{key: uri} of every name provided in this run; stored with values that contain code."""
    return {_PIN + name: uri for name, uri in sorted(caller.lent.items()) if uri} if caller is not None else {}


def identity_of(spec):
    """Identifies a stored value: its URI, otherwise its file."""
    return spec.get("uri") or spec.get("file")


class Caller:
    """`pins`: forward names that came with values. `lent`: the URI of each value provided to code."""

    def __init__(self, source, specs, base, namespace, uris):
        self.uris = uris
        self.source, self.specs, self.base, self.namespace = source, specs, base, namespace
        self.pins, self.lent = {}, {}
        self._values, self._errors = {}, {}
        self._injected = {}  # identity of a stored value -> the value, for code that needs it
        self._reading = set()
        self._waiting = {}  # name being read -> slices that need it
        self._own = None

    def spec(self, name):
        return self.specs.get(name) or self.pins.get(name)

    def read(self, name):
        """The value of an input or pin. @raises the error of the first attempt, on each call"""
        from .decode import read_input

        if name in self._errors:
            raise self._errors[name]
        if name not in self._values:
            self._reading.add(name)
            try:
                self._values[name] = read_input(name, self.spec(name), self.base)
            except Exception as error:
                self._errors[name] = error
                raise
            finally:
                self._reading.discard(name)
                waiting = self._waiting.pop(name, ())
            for opened in waiting:
                self._bind(opened, name)
        return self._values[name]

    def read_injected(self, name, spec, base):
        """A value that code of another cell needs: the cell's own input object if both have the same identity."""
        from .decode import read_input

        identity = identity_of(spec)
        if identity is None:
            return read_input(name, spec, base)
        for own, at in (*self.specs.items(), *self.pins.items()):
            if own not in self._reading and identity in (identity_of(at), self.uris.get(own)):
                return self.read(own)
        if identity not in self._injected:
            self._injected[identity] = read_input(name, spec, base)
        return self._injected[identity]

    @property
    def own(self):
        """Names the cell itself binds. Only needed at call time, so it is computed lazily."""
        if self._own is None:
            self._own = _global_names(self.source)[1]
        return self._own

    def lendable(self, source, pinned):
        """Names a slice reads that are neither bound in it nor injected, and that this cell has or may bind later."""
        reads, bound = _global_names(source)
        return {
            name
            for name in reads
            if name not in bound and name not in pinned and (name in self.own or self.spec(name) is not None)
        }

    def prepare(self, opened, names):
        """Before a slice runs: make names that the cell binds resolve at each call, after the module's own names."""
        late = {name for name in names if name in self.own}
        for name in names:
            # The notebook's own `svc` replaces the client.
            if is_ambient(vars(opened.module).get(name)):
                del vars(opened.module)[name]
        if late:
            opened.lent |= late
            opened.module.__builtins__ = _CallersNames(self, late)

    def lend(self, opened, names):
        """After a slice ran: bind the cell's inputs in the module."""
        for name in sorted(names - opened.lent):
            opened.lent.add(name)
            if name in self._reading:
                self._waiting.setdefault(name, []).append(opened)
            else:
                self._bind(opened, name)

    def _bind(self, opened, name):
        try:
            value = self.read(name)
        except Exception:
            return  # kept in _errors: reported when the cell's inputs are read, or by a NameError at the call
        vars(opened.module)[name] = value
        self.lent[name] = self.spec(name).get("uri") or self.uris.get(name)


class _CallersNames(dict):
    """Builtins of a slice, extended by names of the running cell, which are resolved on each access."""

    def __init__(self, caller, names):
        super().__init__(vars(builtins))
        self.caller, self.names = caller, names
        for name in names:
            self.pop(name, None)

    def __missing__(self, name):
        if name in self.names:
            if name in self.caller.namespace:
                return self.caller.namespace[name]
            if self.caller.spec(name) is not None:
                return self.caller.read(name)
        return vars(builtins)[name]


_names = {}


def _global_names(source):
    """(names that the functions of a module read as globals, names that the module binds)."""
    if source not in _names:
        table = _table(source)
        reads, bound = set(), set()
        if table is not None:
            _read_block(table, reads, bound, True)
        _names[source] = reads, bound
    return _names[source]


def _table(source):
    import _symtable

    try:
        return _symtable.symtable(source, "<names>", "exec")
    except (SyntaxError, ValueError, RecursionError, OverflowError):
        return None  # running the source reports the error


def _read_block(block, reads, bound, is_top):
    import _symtable as s

    globals_ = (s.GLOBAL_EXPLICIT, s.GLOBAL_IMPLICIT)
    for name, flags in block.symbols.items():
        scope = (flags >> s.SCOPE_OFF) & s.SCOPE_MASK
        is_global = is_top or scope in globals_
        if is_global and flags & (s.DEF_LOCAL | s.DEF_IMPORT):
            bound.add(sys.intern(name))
        if not is_top and scope in globals_ and flags & s.USE:
            reads.add(sys.intern(name))
    for child in block.children:
        _read_block(child, reads, bound, False)
