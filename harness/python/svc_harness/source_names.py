"""Determines the names a top-level statement binds and reads; the counterpart of src-main/language/python/scope.ts.

Names at module level, in class bodies and in comprehensions are resolved immediately, in execution order; those of a
function only when its body is closed, because a name bound anywhere in it is local to all of it. The rows of
fixtures/shared_code.json test both implementations.
"""

import ast


class Names:
    """The effect of one statement on the module's names."""

    __slots__ = ("bound", "written", "changed", "eager", "late")

    def __init__(self):
        self.bound = set()  # bound by the statement itself when it runs
        self.written = set()  # bound under `global`, in a function or class
        self.changed = set()  # roots of `df["a"] = ..`, `o.x = ..`, `o.m(inplace=True)`
        self.eager = set()  # read while it runs, before it bound the name itself
        self.late = set()  # read in function bodies, that is, at a later time


def names_of(statement, postponed):
    """The names of one top-level statement. `postponed`: annotations are never evaluated."""
    walk = _Walk(postponed)
    walk.visit(statement, _Scope("module", None))
    return walk.names


class _Scope:
    __slots__ = ("kind", "parent", "bound", "globals", "nonlocals", "declared", "pending", "sees_class")

    def __init__(self, kind, parent, sees_class=False):
        self.kind, self.parent, self.sees_class = kind, parent, sees_class
        self.bound, self.globals, self.nonlocals = set(), set(), set()
        self.declared, self.pending = set(), set()

    def outside(self):
        """The enclosing scope. Functions and comprehensions in a class body do not see the class's names."""
        outer = self.parent
        if self.kind == "inner" and self.sees_class:
            return outer
        while outer is not None and outer.kind == "class":
            outer = outer.parent
        return outer

    def inside_function(self):
        at = self
        while at is not None:
            if at.kind == "function":
                return True
            at = at.parent
        return False


class _Walk:
    def __init__(self, postponed):
        self.postponed = postponed
        self.names = Names()

    def visit(self, node, scope):
        special = getattr(self, "visit_" + type(node).__name__, None)
        if special is not None:
            special(node, scope)
        else:
            for child in ast.iter_child_nodes(node):
                self.visit(child, scope)

    def each(self, nodes, scope):
        for node in nodes:
            if node is not None:
                self.visit(node, scope)

    # Resolving

    def read_module(self, name, late):
        if late:
            self.names.late.add(name)
        elif name not in self.names.bound:
            self.names.eager.add(name)

    def read(self, scope, name, late=False):
        at = scope
        while at is not None and at.kind != "module":
            if at.kind == "inner" and name not in at.bound:
                at = at.outside()
                continue
            if at.kind == "function" or (at.kind == "class" and name not in at.bound):
                at.pending.add(name)
            return
        self.read_module(name, late or scope.inside_function())

    def bind(self, scope, name):
        at = scope
        while at.kind == "inner" and at.parent is not None:
            at = at.parent
        if at.kind == "module":
            self.names.bound.add(name)
        elif name in at.globals:
            self.names.written.add(name)
        elif name not in at.nonlocals:
            at.bound.add(name)

    def close_function(self, scope):
        outer = scope.outside()
        for name in scope.pending:
            if name in scope.globals:
                self.read_module(name, True)
            elif name not in scope.bound and outer is not None:
                self.read(outer, name, True)

    def close_class(self, scope):
        outer = scope.outside()
        for name in scope.pending:
            if name in scope.bound or name in scope.declared or name in scope.globals:
                self.read_module(name, scope.inside_function())
            elif outer is not None:
                self.read(outer, name)

    # Targets

    def target(self, node, scope):
        if isinstance(node, ast.Name):
            self.bind(scope, node.id)
        elif isinstance(node, (ast.Tuple, ast.List)):
            for item in node.elts:
                self.target(item, scope)
        elif isinstance(node, ast.Starred):
            self.target(node.value, scope)
        else:
            self.change(node, scope)
            for child in ast.iter_child_nodes(node):
                self.visit(child, scope)

    def change(self, node, scope):
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        if isinstance(node, ast.Name) and scope.kind == "module":
            self.names.changed.add(node.id)

    def annotation(self, node, scope):
        if node is not None and not self.postponed:
            self.visit(node, scope)

    # Expressions

    def visit_Name(self, node, scope):
        self.read(scope, node.id)

    def visit_NamedExpr(self, node, scope):
        self.visit(node.value, scope)
        self.bind(scope, node.target.id)

    def visit_IfExp(self, node, scope):
        self.each((node.test, node.body, node.orelse), scope)

    def visit_Dict(self, node, scope):
        for key, value in zip(node.keys, node.values):
            self.each((key, value), scope)

    def visit_Call(self, node, scope):
        in_place = any(
            word.arg == "inplace" and isinstance(word.value, ast.Constant) and word.value.value is True
            for word in node.keywords
        )
        if in_place and isinstance(node.func, ast.Attribute):
            self.change(node.func, scope)
        self.each([node.func, *node.args, *node.keywords], scope)

    def visit_Lambda(self, node, scope):
        body = _Scope("function", scope)
        self.each(node.args.defaults + node.args.kw_defaults, scope)
        self.parameters(node.args, body)
        self.visit(node.body, body)
        self.close_function(body)

    def comprehension(self, node, scope):
        inner = _Scope("inner", scope)
        for at, part in enumerate(node.generators):
            if at == 0:
                self.visit(part.iter, scope)
            self.locals(part.target, inner)
        for at, part in enumerate(node.generators):
            if at > 0:
                self.visit(part.iter, inner)
            self.target_reads(part.target, inner)
            self.each(part.ifs, inner)
        parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        self.each(parts, inner)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def locals(self, target, inner):
        if isinstance(target, ast.Name):
            inner.bound.add(target.id)
        elif not isinstance(target, (ast.Attribute, ast.Subscript)):
            for part in ast.iter_child_nodes(target):
                self.locals(part, inner)

    def target_reads(self, target, inner):
        if isinstance(target, (ast.Attribute, ast.Subscript)):
            self.visit(target, inner)
        elif not isinstance(target, ast.Name):
            for part in ast.iter_child_nodes(target):
                self.target_reads(part, inner)

    # Statements

    def visit_Assign(self, node, scope):
        self.visit(node.value, scope)
        for target in node.targets:
            self.target(target, scope)

    def visit_AugAssign(self, node, scope):
        self.visit(node.target, scope)
        self.visit(node.value, scope)
        self.target(node.target, scope)

    def visit_AnnAssign(self, node, scope):
        self.annotation(node.annotation, scope)
        if node.value is not None:
            self.visit(node.value, scope)
            self.target(node.target, scope)
        elif not isinstance(node.target, ast.Name):
            self.visit(node.target.value, scope)
        elif scope.kind == "function":
            self.bind(scope, node.target.id)
        else:
            scope.declared.add(node.target.id)

    def loop(self, node, scope):
        self.visit(node.iter, scope)
        self.target(node.target, scope)
        self.each(node.body + node.orelse, scope)

    visit_For = visit_AsyncFor = loop

    def visit_withitem(self, node, scope):
        self.visit(node.context_expr, scope)
        if node.optional_vars is not None:
            self.target(node.optional_vars, scope)

    def visit_ExceptHandler(self, node, scope):
        self.each([node.type], scope)
        if node.name is not None:
            self.bind(scope, node.name)
        self.each(node.body, scope)

    def visit_Import(self, node, scope):
        if getattr(node, "module", None) == "__future__":
            return
        for alias in node.names:
            if alias.name != "*":
                self.bind(scope, alias.asname or alias.name.partition(".")[0])

    visit_ImportFrom = visit_Import

    def visit_Global(self, node, scope):
        scope.globals.update(node.names)

    def visit_Nonlocal(self, node, scope):
        scope.nonlocals.update(node.names)

    def visit_Delete(self, node, scope):
        self.each(node.targets, scope)
        if scope.kind == "function":
            for target in node.targets:
                self.deleted(target, scope)

    def deleted(self, node, scope):
        """`del x` makes a name local to its function, as binding it does."""
        if isinstance(node, ast.Name):
            self.bind(scope, node.id)
        elif isinstance(node, (ast.Tuple, ast.List)):
            for item in node.elts:
                self.deleted(item, scope)

    def capture(self, node, scope):
        for child in ast.iter_child_nodes(node):
            self.visit(child, scope)
        for name in (getattr(node, "name", None), getattr(node, "rest", None)):
            if name is not None:
                self.bind(scope, name)

    visit_MatchAs = visit_MatchMapping = visit_MatchStar = capture

    # Definitions

    def visit_FunctionDef(self, node, scope):
        self.each(node.decorator_list, scope)
        args = node.args
        self.each(args.defaults + args.kw_defaults, scope)
        around = self.type_scope(node, scope)
        for arg in args.posonlyargs + args.args + [args.vararg] + args.kwonlyargs + [args.kwarg]:
            if arg is not None:
                self.annotation(arg.annotation, around)
        self.annotation(node.returns, around)
        body = _Scope("function", around)
        self.parameters(args, body)
        self.each(node.body, body)
        self.close_function(body)
        self.bind(scope, node.name)

    visit_AsyncFunctionDef = visit_FunctionDef

    def parameters(self, args, body):
        for arg in args.posonlyargs + args.args + args.kwonlyargs + [args.vararg, args.kwarg]:
            if arg is not None:
                body.bound.add(arg.arg)

    def type_scope(self, node, scope):
        parameters = getattr(node, "type_params", None)
        return self.type_parameters(parameters, scope) if parameters else scope

    def type_parameters(self, parameters, scope):
        """Bounds are evaluated lazily, so their names are read late."""
        around = _Scope("inner", scope, True)
        late = _Scope("function", around)
        around.bound.update(parameter.name for parameter in parameters)
        for parameter in parameters:
            self.each((getattr(parameter, "bound", None), getattr(parameter, "default_value", None)), late)
        self.close_function(late)
        return around

    def visit_ClassDef(self, node, scope):
        self.each(node.decorator_list, scope)
        around = self.type_scope(node, scope)
        self.each(node.bases + node.keywords, around)
        body = _Scope("class", around)
        self.each(node.body, body)
        self.close_class(body)
        self.bind(scope, node.name)

    def visit_TypeAlias(self, node, scope):
        around = self.type_parameters(node.type_params, scope) if node.type_params else scope
        late = _Scope("function", around)
        self.visit(node.value, late)
        self.close_function(late)
        self.bind(scope, node.name.id)
