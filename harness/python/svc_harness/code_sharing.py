"""Shares functions and classes of the running cell with other cells, as source.

Each run has one `Sharing`, created for the first value that needs it. It analyses the cell's slice once, determines
which values each symbol needs, and stores those values under the cell's own names.
"""

import re
import types

from . import execute, forward_names
from .changed_code import changed_attributes, warnings_of_own
from .code_slice import CODE, CodeSlice, signature_text
from .json_values import dumps
from .previews import json_preview
from .real_types import is_definition
from .reprs import repr_text
from .shared_modules import holds, opened_of, resolve
from .typing_parts import reduce_typing_part

_PREVIEW_TEXT = 200


_NO_WORD = re.compile(r"[^\w.-]")


def _module_word(text):
    """Part of a module name, with characters replaced that are not allowed or have a meaning there."""
    return _NO_WORD.sub("_", text)


class Blocked(Exception):
    """A function or class that cannot be shared. `reasons`: code, name, within (see code_slice)."""

    def __init__(self, name, reasons):
        super().__init__("%s cannot be shared with other cells (%s)" % (name, reasons[0]["code"].replace("_", " ")))
        self.reasons = reasons


_current = None


def current():
    """The Sharing of the running cell."""
    global _current
    if _current is None or _current.cell is not execute.running:
        _current = Sharing(execute.running)
    return _current


class Sharing:
    def __init__(self, cell):
        self.cell = cell
        self.namespace = cell.namespace
        self.inputs = cell.manifest.get("inputs") or {}
        # name -> meta of values stored because code needs them. `write` is set during export.
        self.code_values = {}
        self.write = None
        self._own = None
        # variable -> classes and functions of the slice that its stored form refers to
        self._slice_roots = {}
        self._open = []

    # The cell's own slice

    @property
    def verdict(self):
        if self._own is None:
            self._own = CodeSlice(self.cell.source).judge(self.inputs, self.cell.manifest.get("below") or ())
            self._text = self._own.code.text()
        return self._own

    def about(self):
        """The slice as referenced in pickles. Always the same object, so that a pickle contains its source once."""
        if not hasattr(self, "_about"):
            self._about = {
                "module_name": "_".join(("nb", *map(_module_word, self._ids()), "code", self.source_hash()[:12])),
                "source": self._text,
                "cell_name": self.cell.cell_name,
            }
            _note_pinned(self._about, self.verdict)
        return self._about

    def _ids(self):
        manifest = self.cell.manifest
        return (manifest.get("svc_notebook_id") or "notebook", manifest.get("svc_cell_id") or "cell")

    def source_hash(self):
        return _source_hash(self.verdict.code)

    def symbol_of(self, value):
        """The dotted name of a class or function in the cell's slice, or None."""
        if getattr(value, "__module__", None) != "__main__":
            return None
        dotted = getattr(value, "__qualname__", None)
        if type(dotted) is not str or not holds(self.namespace, dotted, value):
            return None
        root = dotted.partition(".")[0]
        return dotted if self.verdict.code.symbols.get(root) in CODE else None

    # Values that code needs

    def injected(self, symbol):
        """{name: uri, or None for a value stored by this run} needed by one symbol. @raises Blocked"""
        verdict = self.verdict
        needs = {}
        for name in sorted(verdict.injects[symbol]):
            if name == execute.writing:
                continue  # bound by `resolve` when it is read
            uri = None if name in verdict.given else self.inputs.get(name, {}).get("uri")
            if uri is None:
                self._keep(name, symbol)
            needs[name] = uri
        return needs

    def _keep(self, name, symbol):
        if self.write is None or name in self.code_values:
            return
        if name not in self.namespace or name == "_":
            raise Blocked(symbol, [{"code": "missing", "name": name, "within": symbol}])
        if name in self._open:
            return  # a value that indirectly needs itself
        self._open.append(name)
        try:
            meta = self.write(name)
        finally:
            self._open.pop()
        if "error" in meta:
            reason = {"code": "unstorable", "name": name, "within": symbol, "detail": meta["error"]}
            raise Blocked(symbol, [reason, *meta.get("reasons", ())])
        late = self._defined_too_late(name)
        if late:
            raise Blocked(symbol, [{"code": "circular", "name": name, "within": late[0]}])
        self.code_values[name] = meta

    def _defined_too_late(self, name):
        """Sorted names that the value depends on, but that the slice defines only after it already needs the value."""
        statements = [one for one in self.verdict.code.statements if one.in_slice]
        uses = [at for at, one in enumerate(statements) if name in one.names.eager]
        if not uses:
            return []
        before = set().union(*(one.names.bound for one in statements[: uses[0]]))
        return sorted(self._roots_of(name) - before)

    def _roots_of(self, name):
        """The classes and functions a value refers to, and those that their injected values refer to."""
        roots, names = set(), [name]
        for at in names:
            for root in self._slice_roots.get(at, ()):
                roots.add(root)
                names.extend(sorted(self.verdict.injects[root] - set(names)))
        return roots

    # Values stored as source

    def encode(self, value, name):
        """A function, class or instance of a shared class as an Encoded; None for other values."""
        from .encode import MODULE_CELL, Encoded

        origin = opened_of(value) if is_definition(value) else None
        if origin is not None:
            opened, dotted = origin
            return None if "." in dotted else self._store_unchanged(opened, dotted, value)
        symbol = self._own_symbol(value, name)
        if symbol is None:
            return self._instance(value)
        verdict = self.verdict
        if symbol in verdict.reasons:
            raise Blocked(name or symbol, verdict.reasons[symbol])
        return self._source(MODULE_CELL, Encoded, symbol, value)

    def _own_symbol(self, value, name):
        """The name under which the cell's source defines this value, or None. @raises Blocked for unnamed code"""
        code = self.verdict.code
        if name is not None and code.symbols.get(name) in CODE:
            return name
        if name is not None and name in code.lambdas and type(value) is types.FunctionType:
            return name
        dotted = self.symbol_of(value) if is_definition(value) else None
        if dotted is not None:
            return dotted if "." not in dotted else None
        if type(value) is types.FunctionType and value.__module__ == "__main__":
            if value.__name__ == "<lambda>":
                raise Blocked(name, [{"code": "lambda", "name": name, "within": name}])
            if "<locals>" in value.__qualname__:
                raise Blocked(name, [{"code": "closure", "name": name, "within": value.__qualname__.partition(".")[0]}])
        return None

    def _source(self, form, Encoded, symbol, value):
        kind = self.verdict.code.symbols[symbol]
        meta = {"preview": _preview(self.verdict.code, symbol, value)}
        if kind == "constant":
            json_preview(value, meta)

        def write(sink):
            needs = self.injected(symbol)
            meta["injected"] = needs
            meta["source_hash"] = self.source_hash()
            body = {
                "symbol_name": symbol,
                "kind": kind,
                "source": self.about()["source"],
                "injected": needs,
                "cell_name": self.cell.cell_name,
            }
            _note_pinned(body, self.verdict)
            sink.write(_json(body))

        return Encoded(form, meta, write, exact=False)

    def _store_unchanged(self, opened, symbol, value):
        """Store code of another cell unchanged."""
        from .encode import MODULE_CELL, Encoded

        verdict = _verdict_of(opened)
        code = verdict.code
        if symbol not in code.symbols:
            return None
        changes = [attribute for root, attribute in changed_attributes(opened) if root == symbol]
        if changes:
            raise Blocked(symbol, [{"code": "changed_attribute", "name": name, "within": symbol} for name in changes])
        needs = {name: opened.specs[name].get("uri") for name in sorted(verdict.injects[symbol])}
        if None in needs.values():
            return None
        needs.update(forward_names.pins())
        meta = {"preview": _preview(code, symbol, value), "injected": needs, "source_hash": _source_hash(code)}

        def write(sink):
            body = {
                "module_name": opened.module.__name__,
                "symbol_name": symbol,
                "kind": code.symbols[symbol],
                "source": opened.source,
                "injected": needs,
                "cell_name": opened.cell_name,
            }
            _note_pinned(body, verdict, opened.pinned)
            sink.write(_json(body))

        return Encoded(MODULE_CELL, meta, write, exact=False)

    def _instance(self, value):
        from .encode import INSTANCE, Encoded

        kind = type(value)
        reference = self.reference(kind, {})
        if reference is None:
            return None
        about, dotted, _ = reference[1]
        meta = {"preview": instance_text(value), "type": kind.__name__}

        def write(sink):
            from .pickles import write_pickle

            body = {"class_name": dotted, "module_name": about["module_name"], "value": value}
            meta["codec"] = write_pickle(body, sink, meta)

        return Encoded(INSTANCE, meta, write)

    def constants(self, names):
        """Constants of the slice to store with its code: unchanged by the cell, and not blocked."""
        code = self.verdict.code
        candidates = [
            name for name in names if code.symbols.get(name) == "constant" and name not in self.verdict.reasons
        ]
        source_values = _written_constants(code) if candidates else {}
        return {name for name in candidates if _alike(source_values.get(name), self.namespace.get(name))}

    def encode_constant(self, name):
        from .encode import MODULE_CELL, Encoded

        return self._source(MODULE_CELL, Encoded, name, self.namespace[name])

    def warnings(self, symbols):
        """Warn about constants and class attributes that shared code reads and that differ from the source."""
        code = self.verdict.code
        reached = {name for symbol in symbols for name in self.verdict.reached(symbol)}
        yield from warnings_of_own(code, self.namespace, reached)
        names = sorted(name for name in reached if code.symbols.get(name) == "constant")
        source_values = _written_constants(code) if names else {}
        for name in names:
            if name in self.namespace and not _alike(source_values.get(name), self.namespace[name]):
                yield {
                    "var_name": name,
                    "message": "%s changed while the cell ran; the cells that use its code start from the value "
                    "written in the source" % name,
                    "suggestion": "To pass on the current value, create %s with a call such as list(...) or dict(...)."
                    % name,
                }

    # Pickles

    def reference(self, value, needs):
        """How a pickle refers to a class or function of a slice, or None; adds values that readers need to `needs`."""
        origin = opened_of(value)
        if origin is not None:
            opened, dotted = origin
            return (resolve, (_about_opened(opened), dotted, _needs_of_opened(opened, dotted, needs)))
        dotted = self.symbol_of(value)
        if dotted is None:
            return None
        root = dotted.partition(".")[0]
        if root in self.verdict.reasons:
            return None
        try:
            injected = self.injected(root)
        except Blocked:
            return None
        self._slice_roots.setdefault(execute.writing, set()).add(root)
        if root in self._defined_too_late(execute.writing):
            raise Blocked(execute.writing, [{"code": "circular", "name": execute.writing, "within": root}])
        needs.update(injected)
        keys = {name: name for name in injected}
        if execute.writing in self.verdict.injects[root]:
            keys[execute.writing] = None
        return (resolve, (self.about(), dotted, keys))


# Slices of other cells

_verdicts, _abouts = {}, {}


def _note_pinned(body, verdict, more=()):
    """Record all names injected for any symbol of the slice: readers must not bind them to values of their own."""
    pinned = set(more).union(*verdict.injects.values())
    if pinned - set(body.get("injected", ())):
        body["pinned"] = sorted(pinned)


def _verdict_of(opened):
    if id(opened) not in _verdicts:
        _verdicts[id(opened)] = CodeSlice(opened.source).judge(opened.specs)
    return _verdicts[id(opened)]


def _about_opened(opened):
    if id(opened) not in _abouts:
        _abouts[id(opened)] = {
            "module_name": opened.module.__name__,
            "source": opened.source,
            "cell_name": opened.cell_name,
        }
        _note_pinned(_abouts[id(opened)], _verdict_of(opened), opened.pinned)
    return _abouts[id(opened)]


def _needs_of_opened(opened, dotted, needs):
    """{name in the module: key in `injected`}: values of one name may come from several cells."""
    import hashlib

    injects = _verdict_of(opened).injects.get(dotted.partition(".")[0], ())
    keys = {}
    for name in sorted(injects):
        uri = opened.specs[name].get("uri")
        if uri is not None:
            keys[name] = "%s#%s" % (name, hashlib.sha256(uri.encode("utf-8")).hexdigest()[:8])
            needs[keys[name]] = uri
    return keys


def _source_hash(code):
    """SHA-256 of the unparsed slice, so that comments and whitespace do not matter."""
    import ast
    import hashlib

    return hashlib.sha256(ast.unparse(code.tree()).encode("utf-8", "surrogatepass")).hexdigest()


def _preview(code, symbol, value):
    kind = code.symbols[symbol]
    if kind not in CODE:
        return repr_text(value)
    node = [one.node for one in code.statements if symbol in one.symbols][-1]
    text = "<%s %s>" % (kind, signature_text(node))
    return text if len(text) <= _PREVIEW_TEXT else "<%s %s(…)>" % (kind, symbol)


def reduce(item, needs):
    """For picklers: reduces classes, functions and typing objects defined in cells to references; None for others."""
    part = reduce_typing_part(item)
    if part is not None:
        return part
    if not is_definition(item):
        return None
    reference = current().reference(item, needs)
    if reference is not None:
        needs.update(forward_names.pins())
    return reference


def instance_text(value):
    """`<P object>`, or its own repr: `<P(x=4)>`."""
    kind = type(value)
    if kind.__repr__ is object.__repr__:
        return "<%s object>" % kind.__name__
    text = repr_text(value)
    if " at 0x" in text or len(text) > _PREVIEW_TEXT or "\n" in text:
        return "<%s object>" % kind.__name__
    return text if text.startswith("<") and text.endswith(">") else "<%s>" % text


def _json(body):
    return dumps(body).encode("ascii")


def _alike(one, two):
    return type(one) is type(two) and repr(one) == repr(two)


def _written_constants(code):
    """The values of the slice's constants as written, evaluated from their assignments."""
    import ast

    body = []
    for one in code.statements:
        if one.kind == "constant":
            node = one.node
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            body.append(ast.copy_location(ast.Assign(targets, node.value), node))
    values = {}
    tree = ast.fix_missing_locations(ast.Module(body, []))
    exec(compile(tree, "<constants>", "exec", 0, dont_inherit=True), {"__builtins__": {}}, values)
    return values
