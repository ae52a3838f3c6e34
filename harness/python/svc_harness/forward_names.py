"""Forward names: names that code of another cell reads and that only a cell below its own defines.

As in a kernel they are looked up where the code is called: the cell that runs lends its code of other cells what it
was given under these names, and what it binds itself. The server gives a cell every such name that a cell above it
defines (src-shared/notebook/forwardNames.ts).
"""

import builtins
import sys

from .ambient import is_ambient

# The names the cell that runs can lend; None before its inputs are read.
caller = None


def start(source, specs, base, namespace, uris=None):
    """Begins the run of a cell: its inputs are read, each once, as they or code that needs them come up.

    `uris`: where the notebook's server stores inputs whose specs do not say it.
    """
    global caller
    caller = Caller(source, specs, base, namespace, uris or {})
    return caller


# Marks the key of an injected value that is no name of the code it comes with: a forward name as the cell that made a
# value had it. Its readers get it where they have no value of their own for it.
_PIN = "forward."


def take_pins(injected):
    """`injected` without pinned forward names, which the cell that runs can lend from now on."""
    pins = {key: spec for key, spec in injected.items() if key.startswith(_PIN)}
    if not pins:
        return injected
    if caller is not None:
        for key, spec in pins.items():
            caller.pins.setdefault(key[len(_PIN) :], spec)
    return {key: spec for key, spec in injected.items() if key not in pins}


def pins():
    """{key: uri} of every name lent in this run: what a value that holds code is stored with."""
    return {_PIN + name: uri for name, uri in sorted(caller.lent.items()) if uri} if caller is not None else {}


def identity_of(spec):
    """What tells stored values apart: the address of a value, else its file."""
    return spec.get("uri") or spec.get("file")


class Caller:
    """`pins`: forward names that came with values. `lent`: where each lent value is stored."""

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
        """The value of an input or pin. @raises what reading it raised, each time"""
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
        """A value that code of another cell needs: the very object this cell has of the same stored value, if any."""
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
        """Names the cell itself binds: known when the code is called, not before."""
        if self._own is None:
            self._own = _global_names(self.source)[1]
        return self._own

    def lendable(self, source, pinned):
        """Names a slice reads that neither it nor what is injected into it gives, and this cell does or will."""
        reads, bound = _global_names(source)
        return {
            name
            for name in reads
            if name not in bound and name not in pinned and (name in self.own or self.spec(name) is not None)
        }

    def prepare(self, opened, names):
        """Before a slice is run: names the cell binds itself are looked up at each call, behind the module's own."""
        late = {name for name in names if name in self.own}
        for name in names:
            # The notebook's own `svc` takes the place of the client.
            if is_ambient(vars(opened.module).get(name)):
                del vars(opened.module)[name]
        if late:
            opened.lent |= late
            opened.module.__builtins__ = _CallersNames(self, late)

    def lend(self, opened, names):
        """After a slice was run: what the cell was given is bound for good."""
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
            return  # remembered: reported when the cell's inputs are read, or by the NameError of a call
        vars(opened.module)[name] = value
        self.lent[name] = self.spec(name).get("uri") or self.uris.get(name)


class _CallersNames(dict):
    """Builtins of a slice, with names of the cell that runs as they are when they are read."""

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
    """(names the functions of a module read as globals, names the module binds)."""
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
        return None  # running it reports the error


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
