import type { Row } from './row.ts';

/**
 * Rows of the soundness test: changes that a cell makes to classes and functions of other cells, or through them,
 * without assigning a name.
 */
export const IN_PLACE_CODE: readonly Row[] = [
  {
    name: 'constant-beside-function',
    cells: ['m = []\ndef f():\n    return 1', 'm.append(7)', 'print(m, f())'],
    steps: ['reopen'],
    allow: 'message',
  },
  {
    name: 'constant-beside-function-through-call',
    cells: ['m = []\ndef add(l):\n    l.append(7)', 'add(m)', 'print(m)'],
    allow: 'message',
  },
  {
    name: 'constant-beside-class-nested',
    cells: ["d = {'a': {}}\nclass C:\n    pass", "d['a']['k'] = 1", 'print(d)'],
    allow: 'message',
  },
  {
    name: 'class-attribute-through-instance',
    cells: ['class C:\n    items = []\nv = C()', 'v.items.append(1)', 'print(v.items)'],
    steps: ['reopen'],
    allow: 'message',
  },
  {
    name: 'class-attribute-of-instance-in-list',
    cells: ['class C:\n    items = []\nv = [C()]', 'v[0].items.append(1)', 'print(v[0].items)'],
    allow: 'message',
  },
  {
    name: 'class-counter-through-instance',
    cells: ['class C:\n    count = 0\nv = C()', 'type(v).count += 1', 'print(v.count)'],
    allow: 'message',
  },
  {
    name: 'class-counter-in-method',
    cells: [
      'class C:\n    count = 0\n    def bump(self):\n        C.count += 1\nv = C()',
      'v.bump()',
      'print(v.count)',
    ],
    allow: 'message',
  },
  {
    name: 'class-counter-in-init-through-function',
    cells: [
      'class C:\n    count = 0\n    def __init__(self):\n        C.count += 1\ndef make():\n    return C()',
      'v = make()',
      'print(C.count)',
    ],
    allow: 'message',
  },
  {
    name: 'class-attribute-through-class-attribute',
    cells: ['class C:\n    items = []\nv = C()', 'v.__class__.items.append(1)', 'print(v.items)'],
    allow: 'message',
  },
  {
    name: 'class-attribute-of-base',
    cells: [
      'class B:\n    items = []\nclass C(B):\n    pass\nv = C()',
      'v.items.append(1)',
      'print(v.items)',
    ],
    allow: 'message',
  },
  {
    name: 'class-attribute-of-base-in-other-cell',
    cells: [
      'class B:\n    items = []',
      'class C(B):\n    pass\nv = C()',
      'v.items.append(1)',
      'print(v.items, B.items)',
    ],
    allow: 'message',
  },
  {
    name: 'class-attribute-of-nested-class',
    cells: [
      'class Outer:\n    class Inner:\n        items = []\nv = Outer.Inner()',
      'v.items.append(1)',
      'print(v.items)',
    ],
    allow: 'message',
  },
  {
    name: 'dataclass-classvar',
    cells: [
      'from dataclasses import dataclass\nfrom typing import ClassVar\n@dataclass\nclass P:\n    x: int\n    seen: ClassVar[list] = []\nv = P(1)',
      'v.seen.append(v.x)',
      'print(v.seen)',
    ],
    allow: 'message',
  },
  {
    name: 'class-dict-by-key',
    cells: ['class C:\n    table = {"a": [0]}\nv = C()', 'v.table["a"][0] = 7', 'print(v.table)'],
    allow: 'message',
  },
  {
    name: 'init-subclass-registry',
    cells: [
      'class Base:\n    registry = []\n    def __init_subclass__(cls):\n        Base.registry.append(cls.__name__)',
      'class D(Base):\n    pass',
      'print(Base.registry)',
    ],
    allow: 'message',
  },
  {
    name: 'method-replaced',
    cells: [
      'class C:\n    def one(self):\n        return 1\n    def two(self):\n        return 2\nv = C()',
      'type(v).one = type(v).two',
      'print(v.one())',
    ],
    allow: 'message',
  },
  {
    name: 'special-method-replaced',
    cells: [
      'class C:\n    pass\nv = C()',
      'type(v).__len__ = lambda self: 3',
      'print(hasattr(v, "__len__"))',
    ],
    allow: 'message',
  },
  {
    name: 'mutable-default',
    cells: ['def f(x, acc=[]):\n    acc.append(x)\n    return acc', 'f(1)', 'print(f(2))'],
    allow: 'message',
  },
  {
    name: 'mutable-default-through-caller',
    cells: [
      'def f(x, acc=[]):\n    acc.append(x)\n    return acc\ndef g(x):\n    return f(x)',
      'g(1)',
      'print(g(2))',
    ],
    allow: 'message',
  },
  {
    name: 'mutable-default-of-method',
    cells: [
      'class C:\n    def add(self, x, acc=[]):\n        acc.append(x)\n        return acc\nv = C()',
      'v.add(1)',
      'print(v.add(2))',
    ],
    allow: 'message',
  },
  {
    name: 'mutable-default-of-static-method',
    cells: [
      'class C:\n    @staticmethod\n    def add(x, *, acc={}):\n        acc[x] = 1\n        return acc\nv = C()',
      'v.add(1)',
      'print(v.add(2))',
    ],
    allow: 'message',
  },
  {
    name: 'function-attribute-set-by-itself',
    cells: [
      'def f(x):\n    f.cache = getattr(f, "cache", []) + [x]\n    return f.cache',
      'f(1)',
      'print(f(2))',
    ],
    allow: 'message',
  },
  {
    name: 'function-attribute-counted-by-decorator',
    cells: [
      'import functools\ndef counted(g):\n    @functools.wraps(g)\n    def w(*a):\n        w.calls = getattr(w, "calls", 0) + 1\n        return g(*a)\n    return w\n@counted\ndef f():\n    return 1',
      'f()',
      'print(getattr(f, "calls", 0))',
    ],
    allow: 'message',
  },
  {
    name: 'closure-counted-by-decorator',
    cells: [
      'def numbered(g):\n    n = 0\n    def w():\n        nonlocal n\n        n += 1\n        return g(n)\n    return w\n@numbered\ndef f(n):\n    return n',
      'f()',
      'print(f())',
    ],
    allow: 'message',
  },
  {
    name: 'singledispatch-register-in-later-cell',
    cells: [
      'from functools import singledispatch\n@singledispatch\ndef f(x):\n    return "any"',
      '@f.register(int)\ndef _(x):\n    return "int"',
      'print(f(1))',
    ],
    allow: 'message',
  },
  {
    name: 'module-level-list-through-function',
    cells: ['LOG = []\ndef f(x):\n    LOG.append(x)', 'f(1)', 'print(LOG)'],
    allow: 'message',
  },
  {
    name: 'module-level-list-through-instance',
    cells: [
      'LOG = []\nclass C:\n    def add(self, x):\n        LOG.append(x)\nv = C()',
      'v.add(1)',
      'print(LOG)',
    ],
    allow: 'message',
  },
  {
    name: 'list-of-other-cell-handed-on-unchanged',
    cells: ['L = []', 'def f(x):\n    L.append(x)', 'f(1)\nL = L', 'print(L)'],
    allow: 'message',
  },
  {
    name: 'global-counter-in-other-cell',
    cells: ['n = 0\ndef inc():\n    global n\n    n += 1\n    return n', 'inc()', 'print(inc())'],
    allow: 'message',
  },
  {
    name: 'private-global-counter',
    cells: ['_n = 0\ndef inc():\n    global _n\n    _n += 1\n    return _n', 'inc()', 'print(inc())'],
    allow: 'message',
  },
  {
    name: 'global-new-in-function',
    cells: ['def f():\n    global made\n    made = 5', 'made = 1', 'f()', 'print(made)'],
    allow: 'message',
  },
  {
    name: 'global-set-where-the-cell-has-its-own',
    cells: ['def f():\n    global n\n    n = 5', 'n = 1\nf()\nprint(n)', 'print(n)'],
    allow: 'message',
  },
  {
    name: 'global-deleted-in-function',
    cells: [
      'n = 1\ndef f():\n    global n\n    del n',
      'f()',
      'try:\n    print(n)\nexcept NameError:\n    print("gone")',
    ],
    allow: 'message',
  },
  {
    name: 'global-set-through-method',
    cells: [
      'n = 1\nclass C:\n    def set(self):\n        global n\n        n = 5\nv = C()',
      'v.set()',
      'print(n)',
    ],
    steps: ['reopen'],
    allow: 'message',
  },
  {
    name: 'enum-member-through-value',
    cells: [
      'from enum import Enum\nclass E(Enum):\n    A = 1\nv = E.A',
      'v.note = "x"',
      'print(getattr(v, "note", None))',
    ],
    allow: 'message',
  },
  {
    name: 'enum-member-list',
    cells: [
      'from enum import Enum\nclass E(Enum):\n    A = 1\n    def __init__(self, n):\n        self.tags = []\nv = [E.A]',
      'v[0].tags.append("x")',
      'print(E.A.tags)',
    ],
    allow: 'message',
  },
  {
    name: 'class-changed-in-its-own-cell',
    cells: ['class C:\n    items = list()\nC.items.append(1)', 'print(C.items)'],
    allow: 'message',
  },
  {
    name: 'default-changed-in-its-own-cell',
    cells: ['def f(x, acc=[]):\n    acc.append(x)\n    return acc\nf(1)', 'print(f(2))'],
    allow: 'message',
  },
  {
    name: 'default-changed-in-its-own-cell-and-only-looked-at',
    cells: ['def f(x, *, acc={}):\n    acc[x] = 1\nf(1)', 'print(f.__kwdefaults__)'],
    allow: 'message',
  },
  {
    name: 'function-attribute-set-by-its-own-call',
    cells: ['def f():\n    f.calls = getattr(f, "calls", 0) + 1\nf()', 'print(getattr(f, "calls", 0))'],
    allow: 'message',
  },
  {
    name: 'instance-made-and-changed-in-one-cell',
    cells: ['class C:\n    items = []', 'v = C()\nv.items.append(1)', 'print(v.items)'],
    allow: 'message',
  },
  {
    name: 'enum-member-in-its-own-cell',
    cells: [
      'from enum import Enum\nclass E(Enum):\n    A = 1\nE.A.note = "x"',
      'print(getattr(E.A, "note", None))',
    ],
    allow: 'message',
  },
  {
    name: 'closure-changed-in-its-own-cell',
    cells: [
      'def numbered(g):\n    n = 0\n    def w():\n        nonlocal n\n        n += 1\n        return n\n    return w\n@numbered\ndef f():\n    pass\nf()',
      'print(f())',
    ],
    allow: 'message',
  },
  {
    name: 'class-attribute-of-module-of-the-folder',
    cells: ['import zshared\nv = zshared.C()', 'v.items.append(1)', 'print(v.items)'],
    files: { 'zshared.py': 'class C:\n    items = []\n' },
    allow: 'message',
  },
  {
    name: 'list-of-module-of-the-folder-through-function',
    cells: ['import zshared', 'zshared.add(1)', 'print(zshared.LOG)'],
    files: { 'zshared.py': 'LOG = []\ndef add(x):\n    LOG.append(x)\n' },
    allow: 'message',
  },
  {
    name: 'global-of-module-of-the-folder',
    cells: ['import zshared', 'zshared.inc()', 'print(zshared.n)'],
    files: { 'zshared.py': 'n = 0\ndef inc():\n    global n\n    n += 1\n' },
    allow: 'message',
  },
  {
    name: 'list-of-a-module-that-a-module-imports',
    cells: ['import zouter', 'zouter.add(1)', 'import zinner\nprint(zinner.LOG)'],
    files: {
      'zinner.py': 'LOG = []\n',
      'zouter.py': 'import zinner\ndef add(x):\n    zinner.LOG.append(x)\n',
    },
    allow: 'message',
  },
  {
    name: 'module-of-the-folder-imported-and-used',
    cells: ['from zshared import add', 'add(1)', 'from zshared import LOG\nprint(LOG)'],
    files: { 'zshared.py': 'LOG = []\ndef add(x):\n    LOG.append(x)\n' },
    allow: 'message',
  },
  {
    name: 'class-attribute-read-only',
    cells: [
      'class C:\n    items = [1]\n    def total(self):\n        return sum(self.items)\nv = C()',
      'print(v.total(), len(v.items))',
      'print(v.items)',
    ],
    steps: [
      {
        edit: [0, 'class C:\n    items = [2]\n    def total(self):\n        return sum(self.items)\nv = C()'],
      },
    ],
  },
];
