"""Warnings for changes to functions and classes of other cells, whichever way the cell reached them."""

import os
import unittest

import support
from test_in_place import Case

COUNTED = (
    "import functools\ndef counted(g):\n    @functools.wraps(g)\n    def w(*a):\n        w.calls = getattr(w, 'calls', 0) + 1\n"
    "        return g(*a)\n    return w\n"
)
NUMBERED = "def numbered(g):\n    n = 0\n    def w(*a):\n        nonlocal n\n        n += 1\n        return n\n    return w\n"
MEMO = "def memoized(g):\n    memo = {}\n    def w(a):\n        memo[a] = g(a)\n        return memo[a]\n    return w\n"
ENUM = "import enum\nclass E(enum.Enum):\n    A = 1\n    B = 2\n    C = 1\n    def __init__(self, n):\n        self.tags = []\n"
LAZY = "_model = None\ndef load():\n    global _model\n    if _model is None:\n        _model = {'k': 1}\n    return _model\n"

# name, cell that defines x, cell that uses it, names of the warnings and the changes they report
CHANGED = [
    ("list of a class", "class C:\n    items = []\nx = C()", "x.items.append(1)", ["C: C.items"]),
    ("list of the class in a list", "class C:\n    items = []\nx = [C()]", "x[0].items.append(1)", ["C: C.items"]),
    ("number of a class", "class C:\n    n = 0\nx = C()", "type(x).n += 1", ["C: C.n"]),
    ("list of a base", "class B:\n    items = []\nclass C(B): pass\nx = C()", "x.items.append(1)", ["B: B.items"]),
    ("class inside a class", "class C:\n    class D:\n        items = []\nx = C.D()", "x.items.append(1)", ["C: C.D.items"]),
    ("class under another name", "class C:\n    items = []\nx = C", "x.items.append(1)", ["x: x.items"]),
    ("new attribute", "class C: pass\nx = C()", "x.__class__.m = 1", ["C: C.m"]),
    ("removed attribute", "class C:\n    n = 1\nx = C()", "del type(x).n", ["C: C.n"]),
    ("method of the same class", "class C:\n    def f(self): pass\n    def g(self): pass\nx = C()", "type(x).f = type(x).g", ["C: C.f"]),
    ("special method", "class C: pass\nx = C()", "type(x).__len__ = lambda self: 1", ["C: C.__len__"]),
    ("property", "class C:\n    @property\n    def p(self): return 1\nx = C()", "type(x).p = property(lambda self: 2)", ["C: C.p"]),
    ("default of a method", "class C:\n    def f(self, acc=[]): acc.append(1)\nx = C()", "x.f()", ["C: The default values of C.f"]),
    ("default of a class method", "class C:\n    @classmethod\n    def f(cls, *, acc={}): acc[1] = 1\nx = C()", "x.f()", ["C: The default values of C.f"]),
    ("default of a function it calls", "def f(acc=[]): acc.append(1)\ndef x(): f()", "x()", ["f: The default values of f"]),
    ("default below a decorator", COUNTED.replace("w.calls", "calls") + "@counted\ndef x(acc=[]): acc.append(1)", "x()", ["x: The default values of x"]),
    ("attribute of a decorated function", COUNTED + "@counted\ndef x(): pass", "x()", ["x: x.calls"]),
    ("variable of a closure", NUMBERED + "@numbered\ndef x(): pass", "x()", ["x: The variable n of x"]),
    ("registered implementation", "import functools\n@functools.singledispatch\ndef x(v): pass", "@x.register(int)\ndef _(v): pass", ["x: x.registry"]),
    ("list that a method uses", "LOG = []\nclass C:\n    def add(self): LOG.append(1)\nx = C()", "x.add()", ["LOG: LOG, which C uses,"]),
    ("value that a method uses", "LOG = list()\nclass C:\n    def add(self): LOG.append(1)\nx = C()", "x.add()", ["LOG: LOG, which C uses,"]),
    ("value that is passed on unchanged", "LOG = list()\ndef x(): LOG.append(1)", "LOG = []\nx()", ["LOG: LOG, which x uses,"]),
    ("global", "n = 0\ndef x():\n    global n\n    n += 1", "x()", ["n: n, a global of x, was set"]),
    ("private global", "_n = 0\ndef x():\n    global _n\n    _n += 1", "x()", ["_n: _n, a global of x, was set"]),
    ("global that did not exist", "def x():\n    global n\n    n = 5", "x()", ["n: n, a global of x, was set"]),
    ("global that is removed", "n = 0\ndef x():\n    global n\n    del n", "x()", ["n: n, a global of x, was set"]),
    ("global set by a method", "n = 0\nclass C:\n    def f(self):\n        global n\n        n = 5\nx = C()", "x.f()", ["n: n, a global of C, was set"]),
    ("global set from None without a check", "_last = None\ndef x():\n    global _last\n    _last = 5", "x()", ["_last: _last, a global of x, was set"]),
    ("member of an enumeration", ENUM + "x = E.A", "x.note = 1", ["E: E.A.note"]),
    ("second name of a member", ENUM + "x = E", "x.C.note = 1", ["x: x.A.note"]),
    ("list of a member", ENUM + "x = [E.B]", "x[0].tags.append(1)", ["E: E.B.tags"]),
]
UNCHANGED = [
    ("instance used", "class C:\n    items = [1]\n    def f(self, acc=[]): return acc\nx = C()", "x.f(); x.items[0]; type(x).items; x.n = 1; x = x"),
    ("function called", COUNTED.replace("w.calls", "calls") + "@counted\ndef x(v=[1]): return v", "x(); x([2])"),
    ("global set to the same", "n = 10**20\nt = [1]\ndef x():\n    global n, t\n    n = int(str(n)); t = list(t)", "x()"),
    ("global created when it is needed", LAZY + "def x(): return load()", "x(); x()"),
    ("module imported as a global", "def x():\n    global math\n    import math\n    return math.pi", "x()"),
    ("list of a class restored", "class C:\n    items = []\nx = C()", "x.items.append(1); x.items.pop()"),
    ("memo of a decorator", MEMO + "@memoized\ndef x(a): return a", "x(1)"),
    ("cached calls", "import functools\n@functools.cache\ndef f(a): return a\ndef x(a): return f(a)", "x(1)"),
    ("cached property", "import functools\nclass C:\n    @functools.cached_property\n    def p(self): return []\nx = C()", "x.p"),
    ("cache of a class", "class C:\n    _cache = {}\n    def f(self): self._cache[1] = 1\nx = C()", "x.f()"),
    ("generic class", "class C[T]:\n    def f(self, v: T) -> list[T]: return [v]\nx = C()", "type(x)[int](); x.f(1)"),
    ("abstract class", "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def f(self): ...\nclass C(A):\n    def f(self): return 1\nx = C()", "isinstance(1, type(x).__mro__[1]); x.f()"),
    ("subclass made", "class C:\n    items = []\nx = C()", "class D(type(x)): pass\nD().items"),
    ("dataclass", "import dataclasses\n@dataclasses.dataclass(order=True)\nclass P:\n    a: int = 1\n    b: list = dataclasses.field(default_factory=list)\nx = P()", "x == x; x < x; repr(x); dataclasses = __import__('dataclasses'); dataclasses.asdict(x); dataclasses.replace(x, a=2)"),
    ("enumeration read", ENUM + "x = E.A", "x.tags; x.name; type(x)(2); list(type(x)); x == x; hash(x); {x: 1}"),
    ("flags", "import enum\nclass F(enum.IntFlag):\n    A = 1\n    B = 2\nx = F.A", "x | 2; type(x)(3); ~x; x in type(x)(3)"),
    ("named tuple", "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int = 1\nx = P()", "x._replace(a=2); x._asdict(); x.a"),
    ("context manager", "import contextlib\n@contextlib.contextmanager\ndef x():\n    yield 1", "with x() as v: v"),
    ("annotations read", "class C:\n    a: int = 1\n    def f(self, v: 'C') -> int: return 1\nx = C()", "import typing; typing.get_type_hints(type(x)); typing.get_type_hints(type(x).f); type(x).__annotations__; type(x).f.__annotations__"),
]

# name, cell, the changes its warnings report
OWN = [
    ("literal of a class", "class C:\n    items = []\nC().items.append(1)", ["C.items"]),
    ("container of a class", "class C:\n    items = list()\nC.items.append(1)", ["C.items"]),
    ("default value", "def f(a, /, b=1, c=[], *, d={}):\n    c.append(1)\n    d[1] = 1\nf(1)", ["The default value of c of f", "The default value of d of f"]),
    ("default value of a method", "class C:\n    def f(self, c=[]): c.append(1)\nC().f()", ["The default value of c of C.f"]),
    ("attribute of a function", "def f(): setattr(f, 'calls', 1)\nf()", ["f.calls"]),
]
NOT_OWN = [
    ("nothing changed", "class C:\n    items = []\n    d = dict()\n    def f(self, c=[], *, d={}, e=not 1, g=[not 1]): return c\ndef h(a, b=[1], *, c, d=None): return b\nC().f(); h(1, c=2)"),
    ("another value passed", "def f(c=[]): c.append(1)\nf([])"),
    ("decorated", COUNTED + "@counted\ndef f(): pass"),
    ("cache of a function", "def f(): setattr(f, '_cache', 1)\nf()"),
    ("shadowed name", "def list(): return 5\nclass C:\n    n = list()"),
]


@unittest.skipUnless(hasattr(os, "fork"), "no fork here")
class CodeInPlace(Case):
    # [SO-330]
    def test_states_are_read_up_to_a_limit(self):
        from svc_harness.definition_states import DefinitionStates

        kinds = {"C%d" % at: type("C%d" % at, (), {"__module__": "nb_m", "a": 0, "b": 0}) for at in range(100)}
        before, whole = DefinitionStates("nb_m", kinds, 50), DefinitionStates("nb_m", kinds, 5000)
        kinds["C0"].a = kinds["C99"].a = 1
        kinds["C0"].c = 1
        cut = DefinitionStates("nb_m", kinds, 50)
        self.assertEqual((before.is_cut, len(before.states), cut.changed_since(before)), (True, 50, ["C0.a"]))
        now = DefinitionStates("nb_m", kinds, 5000)
        self.assertEqual((now.is_cut, sorted(now.changed_since(whole))), (False, ["C0.a", "C0.c", "C99.a"]))


def _said(one):
    return one["message"].partition(" changed ")[0].partition(" was changed ")[0].partition(" in this cell")[0]


def _add(kind, name, producer, consumer, expected):
    def test(self):
        warnings = self.warned(producer, consumer)
        self.assertEqual(["%s: %s" % (one["var_name"], _said(one)) for one in warnings], expected, warnings)

    setattr(CodeInPlace, "test_%s_%s" % (kind, name.replace(" ", "_")), test)


def _add_own(name, source, expected):
    def test(self):
        ran = self.bench.run_forked(source)
        self.assertEqual((ran.code, ran.stderr), (0, ""), ran.result)
        self.assertEqual([_said(one).removesuffix(" was") for one in ran.result["mutation_warnings"]], expected)

    setattr(CodeInPlace, "test_own_" + name.replace(" ", "_"), test)


# [SO-330] [SO-331]
for _row in CHANGED:
    _add("changed", *_row)
# [SO-330]
for _row in UNCHANGED:
    _add("unchanged", *_row, [])
# [SO-331]
for _row in OWN:
    _add_own(*_row)
for _row in NOT_OWN:
    _add_own(*_row, [])


if __name__ == "__main__":
    unittest.main()
