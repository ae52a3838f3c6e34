"""Python's own analysis of a program, which the tests of the analyser compare with.

Reads one JSON request per line and writes one JSON answer per line. Function scopes come from `symtable`,
the order in which module-level names are bound and read comes from a walk over `ast`.
"""

import ast
import builtins
import hashlib
import io
import json
import pathlib
import random
import sys
import symtable
import sysconfig
import tokenize
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)

COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}
SITE = {"copyright", "credits", "exit", "quit", "license", "help"}
BUILTINS = {name for name in dir(builtins) if not name.startswith("_")} | SITE


class Late:
    """Global names that function bodies read and write."""

    def __init__(self, table):
        self.reads, self.writes = set(), set()
        for child in table.get_children():
            self.walk(child, False)

    def walk(self, table, inside):
        kind = str(table.get_type())
        if table.get_name() == "_annotation" or "annotation" in kind:
            return
        runs_late = inside or (kind == "function" and table.get_name() not in COMPREHENSIONS)
        for symbol in table.get_symbols():
            # `symtable` mistakes a function named `top` for the module, whose locals are all global.
            outside = symbol.is_declared_global() or (symbol.is_global() and not symbol.is_local())
            if outside and symbol.is_referenced() and runs_late:
                self.reads.add(symbol.get_name())
            if symbol.is_declared_global() and (symbol.is_assigned() or symbol.is_imported()):
                self.writes.add(symbol.get_name())
        for child in table.get_children():
            self.walk(child, runs_late)


class Flow(ast.NodeVisitor):
    """Module-level names in the order they are read and bound."""

    def __init__(self, tree):
        self.bound, self.declared, self.in_place = set(), set(), set()
        self.early, self.reads = set(), set()
        self.locals = []  # one set per open comprehension; a class body is ("class", set, globals)
        self.lazy = any(
            isinstance(node, ast.ImportFrom)
            and node.module == "__future__"
            and any(alias.name == "annotations" for alias in node.names)
            for node in tree.body
        )
        self.visit(tree)

    def read(self, name):
        skips_class = False
        for scope in reversed(self.locals):
            if isinstance(scope, tuple):
                if not skips_class and name in scope[1]:
                    return
                skips_class = True
            else:
                if name in scope:
                    return
                skips_class = True
        self.reads.add(name)
        if name not in self.bound:
            self.early.add(name)

    def bind(self, name):
        for scope in reversed(self.locals):
            if isinstance(scope, tuple):
                if name not in scope[2]:
                    scope[1].add(name)
                return
        self.bound.add(name)

    def annotation(self, node):
        if node is not None and not self.lazy:
            self.visit(node)

    def target(self, node):
        if isinstance(node, ast.Name):
            self.bind(node.id)
        elif isinstance(node, (ast.Tuple, ast.List)):
            for item in node.elts:
                self.target(item)
        elif isinstance(node, ast.Starred):
            self.target(node.value)
        else:
            self.change(node)
            self.visit(node)

    def change(self, node):
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        if isinstance(node, ast.Name) and not self.locals:
            self.in_place.add(node.id)

    def visit_Name(self, node):
        self.read(node.id)

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            self.target(target)

    def visit_AugAssign(self, node):
        self.visit(node.target)
        self.visit(node.value)
        self.target(node.target)

    def visit_AnnAssign(self, node):
        self.annotation(node.annotation)
        if node.value is not None:
            self.visit(node.value)
            self.target(node.target)
        elif not isinstance(node.target, ast.Name):
            self.visit(node.target.value)
        elif not self.locals:
            self.declared.add(node.target.id)

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        self.bind(node.target.id)

    def visit_IfExp(self, node):
        for part in (node.test, node.body, node.orelse):
            self.visit(part)

    def visit_Call(self, node):
        changes = any(
            word.arg == "inplace" and isinstance(word.value, ast.Constant) and word.value.value is True
            for word in node.keywords
        )
        if changes and isinstance(node.func, ast.Attribute):
            self.change(node.func)
        self.generic_visit(node)

    def loop(self, node):
        self.visit(node.iter)
        self.target(node.target)
        for part in node.body + node.orelse:
            self.visit(part)

    visit_For = visit_AsyncFor = loop

    def visit_withitem(self, node):
        self.visit(node.context_expr)
        if node.optional_vars is not None:
            self.target(node.optional_vars)

    def visit_ExceptHandler(self, node):
        if node.type is not None:
            self.visit(node.type)
        if node.name is not None:
            self.bind(node.name)
        for part in node.body:
            self.visit(part)

    def imports(self, node):
        if getattr(node, "module", None) == "__future__":
            return
        for alias in node.names:
            if alias.name != "*":
                self.bind(alias.asname or alias.name.split(".")[0])

    visit_Import = visit_ImportFrom = imports

    def function(self, node):
        for part in node.decorator_list:
            self.visit(part)
        self.arguments(node.args)
        self.annotation(node.returns)
        self.bind(node.name)

    visit_FunctionDef = visit_AsyncFunctionDef = function

    def arguments(self, args):
        for part in args.defaults + args.kw_defaults:
            if part is not None:
                self.visit(part)
        for arg in args.posonlyargs + args.args + args.kwonlyargs + [args.vararg, args.kwarg]:
            if arg is not None:
                self.annotation(arg.annotation)

    def visit_Lambda(self, node):
        self.arguments(node.args)

    def visit_ClassDef(self, node):
        for part in node.decorator_list + node.bases + node.keywords:
            self.visit(part)
        declared = set()
        for part in ast.walk(ast.Module(node.body, [])):
            if isinstance(part, (ast.Global, ast.Nonlocal)):
                declared.update(part.names)
        self.locals.append(("class", set(), declared))
        for part in node.body:
            self.visit(part)
        self.locals.pop()
        self.bind(node.name)

    def visit_Global(self, node):
        pass

    visit_Nonlocal = visit_Global

    def comprehension(self, node):
        first = node.generators[0]
        self.visit(first.iter)
        names = set()
        for part in node.generators:
            names.update(n.id for n in ast.walk(part.target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        self.locals.append(names)
        for part in node.generators:
            if part is not first:
                self.visit(part.iter)
            for read in ast.walk(part.target):
                if isinstance(read, ast.Name) and isinstance(read.ctx, ast.Load):
                    self.visit(read)
            for test in part.ifs:
                self.visit(test)
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                self.visit(getattr(node, name))
        self.locals.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def visit_Dict(self, node):
        for key, value in zip(node.keys, node.values):
            if key is not None:
                self.visit(key)
            self.visit(value)

    def capture(self, node):
        for name in (getattr(node, "name", None), getattr(node, "rest", None)):
            if name is not None:
                self.bind(name)

    def visit_MatchAs(self, node):
        if node.pattern is not None:
            self.visit(node.pattern)
        self.capture(node)

    def visit_MatchMapping(self, node):
        self.generic_visit(node)
        self.capture(node)

    visit_MatchStar = capture


class ExplicitReads(ast.NodeTransformer):
    """Adds explicit reads where `symtable` reports none: for `x += 1` and `del x`."""

    def reads(self, node, targets):
        loads = [ast.Expr(ast.Name(n.id, ast.Load())) for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
        self.generic_visit(node)
        return [*loads, node]

    def visit_AugAssign(self, node):
        return self.reads(node, [node.target])

    def visit_Delete(self, node):
        return self.reads(node, node.targets)


class Classes(ast.NodeVisitor):
    """Names that classes inside functions read before they bind them, which are looked up as globals."""

    def __init__(self, tree):
        self.early, self.depth = set(), 0
        self.visit(tree)

    def function(self, node):
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = function

    def visit_ClassDef(self, node):
        if self.depth:
            flow = Flow(ast.Module(node.body, []))
            elsewhere = {
                name
                for part in ast.walk(ast.Module(node.body, []))
                if isinstance(part, (ast.Global, ast.Nonlocal))
                for name in part.names
            }
            self.early |= (flow.early & (flow.bound | flow.declared)) - elsewhere
        self.generic_visit(node)


def names(source):
    tree = ast.parse(source)
    try:
        symtable.symtable(source, "<cell>", "exec")
    except SyntaxError:
        return None  # the parser accepts it, the compiler does not: it has no scopes
    explicit = ast.unparse(ast.fix_missing_locations(ExplicitReads().visit(ast.parse(source))))
    late = Late(symtable.symtable(explicit, "<cell>", "exec"))
    late.reads |= Classes(tree).early
    flow = Flow(tree)
    read = late.reads | flow.reads
    mutated = flow.in_place - flow.bound
    references = flow.early | (late.reads - flow.bound)
    for name in late.writes - flow.bound:
        (mutated.add if name in read else references.discard)(name)

    def public(names):
        return sorted(name for name in names if not name.startswith("_"))

    return {
        "defines": public(flow.bound | late.writes | flow.in_place),
        "references": public(references - BUILTINS),
        "mutationDefines": public(mutated),
        "builtinReferences": public(references & BUILTINS),
    }


def parse(source):
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def digest(tree):
    return hashlib.sha256(ast.dump(tree).encode("utf-8", "surrogatepass")).hexdigest()


def judge(source):
    source = source.removeprefix("\ufeff")
    tree = parse(source)
    if tree is None:
        return {"parsed": False}
    return {"parsed": True, "names": names(source), "dump": digest(tree)}


def unparse(source):
    tree = parse(source)
    return None if tree is None else ast.unparse(tree)


def reformat(request):
    """The same program with other spacing, comments, blank lines, indentation and quotes; or None."""
    source, rng = request["source"], random.Random(request["seed"])
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    if any(tokenize.tok_name[token.type].startswith(("FSTRING", "TSTRING")) for token in tokens):
        return None
    step, out, depth, brackets, start = rng.choice([1, 2, 3, 8]), [], 0, 0, True
    for token in tokens:
        kind, text = token.type, token.string
        if kind in (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER):
            continue
        if kind == tokenize.INDENT:
            depth += 1
        elif kind == tokenize.DEDENT:
            depth -= 1
        elif kind == tokenize.NEWLINE:
            out.append(rng.choice(["\n", "  # note\n", "\n\n", "\n# note\n", " \n   \n"]))
            start = True
        else:
            if start:
                out.append(" " * (depth * step))
            elif brackets:
                out.append(rng.choice([" ", "  ", "\n", " # note\n\t", "\t"]))
            else:
                out.append(rng.choice([" ", "   ", "\t", " \\\n "]))
            start = False
            if kind == tokenize.STRING and text[0] in "'\"" and "\\" not in text:
                value = ast.literal_eval(text)
                if "'" not in value and '"' not in value and "\n" not in value:
                    text = rng.choice(["'%s'", '"%s"', "'''%s'''", '"""%s"""', "r'%s'"]) % value
            out.append(text)
            brackets += (text in "([{") - (text in ")]}")
    text = "".join(out)
    tree = parse(text)
    return text if tree is not None and digest(tree) == digest(ast.parse(source)) else None


def library(request):
    """The source of every n-th module of the standard library."""
    root = pathlib.Path(sysconfig.get_paths()["stdlib"])
    files = sorted(path for path in root.rglob("*.py") if "site-packages" not in path.parts)
    modules = []
    for path in files[request["from"] :: request["every"]]:
        data = path.read_bytes()
        if len(data) > request["limit"] or b"coding" in data[:200]:
            continue
        try:
            modules.append({"name": str(path.relative_to(root)), "source": data.decode("utf-8")})
        except UnicodeDecodeError:
            continue
    return modules


class Names(dict):
    """The namespace of a cell: `a`, `b` and `c` have the value of an earlier cell until the cell binds them."""

    def __init__(self, earlier):
        super().__init__(earlier)
        self.earlier, self.read = earlier, set()

    def __getitem__(self, name):
        value = super().__getitem__(name)
        if name in self.earlier and value is self.earlier[name]:
            self.read.add(name)
        return value


class Failed(Exception):
    pass


class Enough(BaseException):
    """Raised when a run takes too many steps."""


class Quiet:
    """Ends its block early, as contextlib.suppress does."""

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        return kind is Failed


def run(source, times):
    """Runs a program whose conditions are random."""
    code = compile(source, "<cell>", "exec")
    rng, read, left = random.Random(source), set(), set()
    for _ in range(times):
        steps = [0]

        def coin():
            steps[0] += 1
            if steps[0] > 60:
                raise Enough
            return rng.random() < 0.5

        def risk():
            if rng.random() < 0.3:
                raise Failed

        def leave():
            if rng.random() < 0.2:
                raise SystemExit

        names = Names({name: object() for name in "abc"})
        helpers = {
            "coin": coin,
            "risk": risk,
            "exit": leave,
            "new": object,
            "use": lambda _value: None,
            "some": lambda _value: [object() for _ in range(rng.randrange(3))],
            "Failed": Failed,
            "Quiet": Quiet,
            "SystemExit": SystemExit,
        }
        names.update(helpers)
        try:
            exec(code, names)
        except (Failed, Enough, NameError, KeyError):
            read |= names.read  # an error ends the cell, which then shares nothing
            continue
        except SystemExit:
            pass
        read |= names.read
        left |= {name for name in "abc" if dict.get(names, name) is names.earlier[name]}
    return {"read": sorted(read), "left": sorted(left)}


COMMANDS = {
    "run": lambda request: [run(source, request["times"]) for source in request["sources"]],
    "judge": lambda request: [judge(source) for source in request["sources"]],
    "unparse": lambda request: [unparse(source) for source in request["sources"]],
    "reformat": lambda request: [reformat(item) for item in request["items"]],
    "library": library,
}

for line in sys.stdin:
    request = json.loads(line)
    sys.stdout.write(json.dumps(COMMANDS[request["command"]](request)) + "\n")
    sys.stdout.flush()
