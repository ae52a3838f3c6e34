"""Runs a slice in stages: statements that need a missing value are postponed until it is available.

Example: `Pair = tuple[A, A]` between the class `A` and a function annotated with `Pair`. The value refers to the class,
and the function needs the value. As in the cell itself, the class is defined first, then the value, then the function.
"""

import __future__

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


class Stages:
    def __init__(self, source, filename):
        self.source, self.filename = source, filename
        self.is_done = False
        self._left = None  # remaining statements, when running in stages
        self._flags = 0

    def run(self, namespace, missing):
        """Run up to the first statement that immediately needs one of the missing names."""
        if not missing and self._left is None:
            self.is_done = True  # first: executed code may read values that refer to it
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
