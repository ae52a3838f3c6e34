"""Compiles and runs the source of a cell in its namespace, and evaluates single expressions."""

import linecache
import sys

_ONLY_AST = 0x400  # ast.PyCF_ONLY_AST, without importing ast
_TOP_LEVEL_AWAIT = 0x2000  # ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_COROUTINE = 0x80  # inspect.CO_COROUTINE: the code awaits outside a function
_FUTURES = 0x1FF0000  # the flags `from __future__` sets on a code object (__future__.all_feature_names)


# The running cell, for code that is shared as source (code_sharing.py): source, cell_name, namespace, manifest.
running = None
# The name of the variable being stored, or None.
writing = None


class Running:
    """The code that is running and its context."""

    __slots__ = ("source", "cell_name", "namespace", "manifest")

    def __init__(self, source, cell_name, namespace, manifest):
        self.source, self.cell_name, self.namespace, self.manifest = source, cell_name, namespace, manifest


class Source:
    """A cell's source under its display file name, registered with linecache so that tracebacks show its lines."""

    def __init__(self, text, cell_name, filename=None):
        self.text = text
        self.filename = filename or "<cell %s>" % cell_name
        lines = [line + "\n" for line in text.splitlines()]
        linecache.cache[self.filename] = (len(text), None, lines, self.filename)

    def compile(self):
        """(body, trailing): code objects of the statements and of a trailing expression; either may be None."""
        import _ast

        tree = compile(self.text, self.filename, "exec", _ONLY_AST, dont_inherit=True)
        trailing = None
        if tree.body and isinstance(tree.body[-1], _ast.Expr):
            trailing = _ast.Expression(tree.body.pop().value)
        flags = _TOP_LEVEL_AWAIT
        body = compile(tree, self.filename, "exec", flags, dont_inherit=True) if tree.body else None
        if trailing is not None:
            if body is not None:
                flags |= body.co_flags & _FUTURES
            trailing = compile(trailing, self.filename, "eval", flags, dont_inherit=True)
        return body, trailing


def run(source, namespace, show):
    """Execute the body, then pass a trailing value other than None to `show`."""
    body, trailing = source.compile()
    codes = [code for code in (body, trailing) if code is not None]
    try:
        value = evaluate(codes, namespace)
    finally:
        # Otherwise a trace function set by the cell would also trace the harness.
        sys.settrace(None)
        sys.setprofile(None)
    if value is not None:
        show(value)


def evaluate(codes, namespace):
    """Evaluate code objects of one cell in order, in an event loop if any of them awaits. Returns the value of the
    last one; statements have none."""
    if any(code.co_flags & _COROUTINE for code in codes):
        from .async_cells import run_async

        return run_async(codes, namespace)
    value = None
    for code in codes:
        value = eval(code, namespace)
    return value


def compile_expression(text, filename):
    """The code object of one expression, which may use `await`."""
    return compile(text, filename, "eval", _TOP_LEVEL_AWAIT, dont_inherit=True)


def until_reached(expression, namespace, cell_name):
    """Whether a loop's `until` expression, evaluated in the cell's namespace, is true."""
    code = compile(expression.strip(), "<until of %s>" % cell_name, "eval", 0, dont_inherit=True)
    return bool(eval(code, namespace))
