"""Runs a slice of code in parts: what needs a value that is not there yet waits until it is.

`Pair = tuple[A, A]` between the class `A` and a function annotated with `Pair`: the value is made of the class,
and the function needs the value. As in the cell itself, the class comes first, then the value, then the function.
"""

import __future__

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


class Stages:
    def __init__(self, source, filename):
        self.source, self.filename = source, filename
        self.is_done = False
        self._left = None  # statements still to run, once it runs in parts
        self._flags = 0

    def run(self, namespace, missing):
        """Run on, up to the first statement that needs one of the missing names as it runs."""
        if not missing and self._left is None:
            self.is_done = True  # first: what runs may read values that are made of it
            exec(compile(self.source, self.filename, "exec", 0, dont_inherit=True), namespace)
            return
        while True:
            statement = self._next(missing)
            if statement is None:
                return
            exec(self._compiled(statement), namespace)

    def _next(self, missing):
        import ast

        from .code_slice import CodeSlice

        if self._left is None:
            self._left = CodeSlice(self.source).statements
        if not self._left:
            self.is_done = True
            return None
        if self._left[0].names.eager & missing:
            return None
        return ast.Module([self._left.pop(0).node], [])

    def _compiled(self, statement):
        code = compile(statement, self.filename, "exec", self._flags, dont_inherit=True)
        self._flags |= code.co_flags & _FUTURES
        return code
