"""Compiling and running the cell's source in the namespace, in the order the source says."""

import linecache
import sys

_ONLY_AST = 0x400  # ast.PyCF_ONLY_AST, without importing ast
_FUTURES = 0x1FF0000  # the flags `from __future__` leaves on a code object (__future__.all_feature_names)


# What runs, for code that leaves the cell as source (sharing.py): source, cell_name, namespace, manifest.
running = None
# The variable that is being stored, if one is.
writing = None


class Running:
    """What is known of the code that runs."""

    __slots__ = ("source", "cell_name", "namespace", "manifest")

    def __init__(self, source, cell_name, namespace, manifest):
        self.source, self.cell_name, self.namespace, self.manifest = source, cell_name, namespace, manifest


class Source:
    """A cell's source under its shown file name; known to linecache, so tracebacks quote its lines."""

    def __init__(self, text, cell_name, filename=None):
        self.text = text
        self.filename = filename or "<cell %s>" % cell_name
        lines = [line + "\n" for line in text.splitlines()]
        linecache.cache[self.filename] = (len(text), None, lines, self.filename)

    def compile(self):
        """(body, trailing): code objects of the statements and of a last expression, either may be None."""
        import _ast

        tree = compile(self.text, self.filename, "exec", _ONLY_AST, dont_inherit=True)
        trailing = None
        if tree.body and isinstance(tree.body[-1], _ast.Expr):
            trailing = _ast.Expression(tree.body.pop().value)
        body = compile(tree, self.filename, "exec", 0, dont_inherit=True) if tree.body else None
        if trailing is not None:
            flags = body.co_flags & _FUTURES if body is not None else 0
            trailing = compile(trailing, self.filename, "eval", flags, dont_inherit=True)
        return body, trailing


def run(source, namespace, show):
    """Execute the body, then give a trailing value other than None to `show`."""
    body, trailing = source.compile()
    value = None
    try:
        if body is not None:
            exec(body, namespace)
        if trailing is not None:
            value = eval(trailing, namespace)
    finally:
        # A tracer the cell left on would run inside the harness from the next call on.
        sys.settrace(None)
        sys.setprofile(None)
    if value is not None:
        show(value)


def until_reached(expression, namespace, cell_name):
    """Truth of a loop's until expression, evaluated in the cell's namespace (semantics 3.5)."""
    code = compile(expression.strip(), "<until of %s>" % cell_name, "eval", 0, dont_inherit=True)
    return bool(eval(code, namespace))
