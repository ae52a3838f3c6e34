"""Determines which part of a cell is shared with other cells as source, and what prevents sharing.

The slice consists of the docstring, imports, definitions and assignments of literals at the top level of the cell.
Everything else is dropped; names bound by dropped code are shared as values. The server's counterpart is
src-main/language/python/sharedCode.ts; the rows of fixtures/shared_code.json test both.
"""

import ast
import builtins

from .source_names import names_of

CODE = ("function", "async function", "class")

# Names every module has; every cell also has the last two.
_ALWAYS = {"__name__", "__doc__", "__package__", "__loader__", "__spec__", "__builtins__", "display", "Markdown"}
# `site` adds builtins that an isolated interpreter lacks.
_BUILTINS = set(dir(builtins)) | {"copyright", "credits", "exit", "quit", "license", "help"} | _ALWAYS
# Every cell has this name unless the notebook defines it; then it is an ordinary name.
_AMBIENT = {"svc"}


class Statement:
    __slots__ = ("node", "kind", "symbols", "names")

    def __init__(self, node, postponed):
        self.node = node
        self.kind, self.symbols = _kind_of(node)
        self.names = names_of(node, postponed)

    @property
    def in_slice(self):
        return self.kind in _KEPT


_KEPT = frozenset(("docstring", "import", "constant", *CODE))


class CodeSlice:
    """A cell's statements by kind. `judge` decides what can be shared, given the names other cells provide."""

    def __init__(self, source):
        tree = ast.parse(source)
        postponed = any(
            isinstance(node, ast.ImportFrom)
            and node.module == "__future__"
            and any(alias.name == "annotations" for alias in node.names)
            for node in tree.body
        )
        self.source = source
        self.statements = [Statement(node, postponed) for node in tree.body]
        if self.statements and _is_docstring(tree.body[0]):
            self.statements[0].kind = "docstring"
        self.stars = sorted(
            {
                "." * node.level + (node.module or "")
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
            }
        )
        # name -> kind of its last definition
        self.symbols = {name: one.kind for one in self._statements_of_slice() for name in one.symbols}
        self.lambdas = {name for one in self.statements if one.kind == "lambda" for name in one.symbols}
        self.has_code = any(kind in CODE for kind in self.symbols.values())

    def _statements_of_slice(self):
        return [one for one in self.statements if one.in_slice]

    def tree(self):
        return ast.Module([one.node for one in self._statements_of_slice()], [])

    def text(self):
        """The slice as source: verbatim when nothing was dropped; otherwise each statement keeps its line number, so
        that tracebacks match the cell."""
        if all(one.in_slice for one in self.statements):
            return self.source
        try:
            text = _blanked(self.source, [one.node for one in self._statements_of_slice()])
            if ast.dump(ast.parse(text)) == ast.dump(self.tree()):
                return text
        except (SyntaxError, ValueError):
            pass  # statements inside and outside the slice share a line that blanks cannot separate
        return ast.unparse(self.tree())

    def judge(self, wired, below=()):
        """`below`: names that only later cells define. Code may read them; the calling cell provides them."""
        return Judged(self, frozenset(wired), frozenset(below))


class Judged:
    """`reasons`: why symbols cannot be shared, by name. `injects`: the names of values each symbol needs."""

    def __init__(self, code, wired, below=frozenset()):
        self.code = code
        self.wired = wired
        self.below = below
        self.is_open = False  # some symbol reads a name of a later cell
        slice_statements = [one for one in code.statements if one.in_slice]
        dropped = [one for one in code.statements if not one.in_slice]
        self.slice_names = set().union(*(one.names.bound for one in slice_statements)) if slice_statements else set()
        self.given = set()  # bound by dropped statements: shared as values
        for one in dropped:
            self.given |= one.names.bound | one.names.changed | one.names.written
        self.rebound = self.slice_names & self.given
        self.written = set().union(*(one.names.written for one in slice_statements)) if slice_statements else set()
        self.at_definition = []  # reasons that affect every symbol
        self.eager = set()
        self._definitions()
        self.reasons, self.injects = {}, {}
        for name in sorted(set(code.symbols) | (code.lambdas - set(code.symbols))):
            self._symbol(name)

    def _definitions(self):
        for module in self.code.stars:
            self.at_definition.append(_reason("star_import", module, ""))
        before = set()
        given_before = set()
        for at, one in enumerate(self.code.statements):
            if one.in_slice:
                within = one.symbols[0] if one.symbols else ""
                for name in sorted(one.names.eager):
                    self._read_at_definition(at, name, within, before, given_before)
                before |= one.names.bound
            else:
                given_before |= one.names.bound | one.names.changed | one.names.written

    def _read_at_definition(self, at, name, within, before, given_before):
        if name in before:
            return  # its own problems, if any, are reported for the symbols that reach it
        if name in self.given:
            later = any(
                name in (one.names.bound | one.names.changed | one.names.written)
                for one in self.code.statements[at + 1 :]
                if not one.in_slice
            )
            if name in given_before and not later:
                self.eager.add(name)
            else:
                self.at_definition.append(_reason("changed_after", name, within))
        elif name in self.wired:
            self.eager.add(name)
        elif name not in _BUILTINS and name not in _AMBIENT:
            self.at_definition.append(_reason("unknown_at_definition", name, within))

    def _symbol(self, name):
        reasons = list(self.at_definition)
        injects = set(self.eager)
        if name not in self.code.symbols:
            reasons.append(_reason("lambda", name, name))
        else:
            for reached in self.reached(name):
                if reached in self.rebound:
                    reasons.append(_reason("rebound", reached, reached))
                for one in self._definitions_of(reached):
                    for read in one.names.late:
                        self._read_late(read, reached, reasons, injects)
        for read in sorted(injects & self.code.lambdas):
            reasons.append(_reason("lambda", read, name))
        self.injects[name] = injects
        if reasons:
            self.reasons[name] = _in_order(reasons)

    def _read_late(self, read, reached, reasons, injects):
        if read in self.slice_names:
            return
        if read in self.given or read in self.wired:
            injects.add(read)
        elif read in self.below and read not in self.written and read not in _BUILTINS:
            self.is_open = True
        elif read not in self.written and read not in _BUILTINS and read not in _AMBIENT:
            reasons.append(_reason("unknown", read, reached))

    def _definitions_of(self, name):
        return [one for one in self.code.statements if one.in_slice and name in one.names.bound]

    def reached(self, name):
        """`name` and all names of the slice that its definitions depend on, transitively, sorted."""
        names, open_names = [], [name]
        while open_names:
            at = open_names.pop()
            if at in names:
                continue
            names.append(at)
            for one in self._definitions_of(at):
                open_names.extend(sorted((one.names.eager | one.names.late) & self.slice_names))
        return sorted(names)

    def is_module(self):
        """Whether the code is self-contained: nothing is blocked, and no injected value or later name is needed."""
        names = self.code.symbols
        return (
            self.code.has_code
            and not self.at_definition
            and not self.is_open
            and not self.reasons
            and not any(self.injects[name] for name in names)
        )


_ORDER = ("star_import", "unknown_at_definition", "changed_after", "unknown", "rebound", "lambda")


def _reason(code, name, within):
    return {"code": code, "name": name, "within": within}


def _in_order(reasons):
    """Remove duplicates and sort, with reasons that affect every symbol first."""
    unique = {(_ORDER.index(one["code"]), one["within"], one["name"]): one for one in reasons}
    return [unique[key] for key in sorted(unique)]


# Classifying statements


def _kind_of(node):
    if isinstance(node, ast.FunctionDef):
        return "function", [node.name]
    if isinstance(node, ast.AsyncFunctionDef):
        return "async function", [node.name]
    if isinstance(node, ast.ClassDef):
        return "class", [node.name]
    if isinstance(node, ast.Import):
        return "import", []
    if isinstance(node, ast.ImportFrom):
        return ("dropped" if any(alias.name == "*" for alias in node.names) else "import"), []
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = _target_names(targets)
        if names is not None and is_literal(node.value):
            return "constant", names
        if isinstance(node.value, ast.Lambda) and names is not None:
            return "lambda", names
    return "dropped", []


def _target_names(targets):
    names = []
    for target in targets:
        if isinstance(target, ast.Name):
            names.append(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            inner = _target_names(target.elts)
            if inner is None:
                return None
            names.extend(inner)
        elif isinstance(target, ast.Starred):
            inner = _target_names([target.value])
            if inner is None:
                return None
            names.extend(inner)
        else:
            return None
    return names


def is_literal(node):
    """Whether a node is a literal: numbers, strings, constants, unary operators on them, and containers of them."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return all(is_literal(item) for item in node.elts)
    if isinstance(node, ast.Dict):
        return all(key is not None and is_literal(key) for key in node.keys) and all(map(is_literal, node.values))
    return isinstance(node, ast.UnaryOp) and is_literal(node.operand)


def _is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and type(node.value.value) is str


# Rendering the slice


def _blanked(source, nodes):
    """`source` with all but the statements `nodes` replaced by blanks."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8").split(b"\n")
    out = [b""] * len(lines)
    for node in nodes:
        first = min([node.lineno] + [mark.lineno for mark in getattr(node, "decorator_list", ())]) - 1
        last = node.end_lineno - 1
        for at in range(first, last + 1):
            line = lines[at]
            start = node.col_offset if at == first and first == node.lineno - 1 else 0
            end = node.end_col_offset if at == last else len(line)
            part = line[start:end]
            out[at] = out[at] + b"; " + part if out[at] else part
    return b"\n".join(out).decode("utf-8").rstrip("\n") + "\n"


def signature_text(node):
    """The signature as written in the definition: `area(r, *, exact=False)` or `P(Base)`."""
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(part) for part in node.bases)
        return "%s(%s)" % (node.name, bases) if bases else node.name
    return "%s(%s)" % (node.name, ast.unparse(node.args))
