import type { Row } from './row.ts';

/** Rows of the soundness test: how people write cells: scopes, decorators, patterns, magics, pools. */
export const SYNTAX: readonly Row[] = [
  {
    name: 'nested-function-reads-name',
    cells: ['k = 2', 'def f():\n    def g():\n        return k\n    return g()', 'print(f())'],
    steps: [{ edit: [0, 'k = 3'] }],
  },
  {
    name: 'nonlocal',
    cells: [
      'def counter():\n    n = 0\n    def inc():\n        nonlocal n\n        n += 1\n        return n\n    return inc()',
      'print(counter())',
    ],
  },
  {
    name: 'global-in-function-over-value',
    cells: ['n = 1', 'def f():\n    global n\n    n = 5', 'f()', 'print(n)'],
    steps: [{ edit: [0, 'n = 2'] }],
    allow: 'message',
  },
  {
    name: 'class-body-reads-name',
    cells: ['k = 2', 'class A:\n    x = k * 2', 'print(A.x)'],
    steps: [{ edit: [0, 'k = 3'] }],
  },
  {
    name: 'default-reads-name',
    cells: ['k = 2', 'def f(x=k):\n    return x', 'print(f())'],
    steps: [{ edit: [0, 'k = 3'] }],
  },
  {
    name: 'decorator-of-class',
    cells: ['def tag(c):\n    c.tag = 1\n    return c', '@tag\nclass A:\n    pass', 'print(A.tag)'],
    steps: [{ edit: [0, 'def tag(c):\n    c.tag = 2\n    return c'] }],
  },
  {
    name: 'import-in-try',
    cells: [
      'try:\n    import orjson_missing as oj\nexcept ImportError:\n    import json as oj',
      'print(oj.loads("1"))',
    ],
  },
  {
    name: 'name-deleted-and-set',
    cells: ['x = 1', 'del x\nx = 2', 'print(x)'],
    steps: [{ edit: [1, 'x = 3'] }],
    allow: 'message',
  },
  {
    name: 'exception-name-over-value',
    cells: [
      'e = 1',
      'try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    pass',
      'try:\n    print(e)\nexcept NameError:\n    print("gone")',
    ],
    allow: 'message',
  },
  {
    name: 'with-as-tuple',
    cells: [
      'import contextlib\n@contextlib.contextmanager\ndef cm():\n    yield 1, 2',
      'with cm() as (a, b):\n    pass',
      'print(a, b)',
    ],
  },
  {
    name: 'augmented-attribute',
    cells: ['class O:\n    n = 1\no = O()', 'o.n += 1', 'print(o.n)'],
    allow: 'message',
  },
  {
    name: 'match-captures',
    cells: ['v = [1, 2, 3]', 'match v:\n    case [first, *rest]:\n        pass', 'print(first, rest)'],
    steps: [{ edit: [0, 'v = [4, 5]'] }],
  },
  { name: 'percent-magic', cells: ['%matplotlib inline\nx = 1', 'print(x)'], allow: 'message' },
  { name: 'cell-magic', cells: ['%%time\nx = 1', 'print(x)'], allow: 'message' },
  { name: 'help-mark', cells: ['x = 1\nx?', 'print(x)'], allow: 'message' },
  { name: 'input', cells: ['x = input("name? ")', 'print(x)'], allow: 'message' },
  {
    name: 'display-of-ipython',
    cells: ['from IPython.display import display as show\nx = 1', 'print(x)'],
    allow: 'message',
  },
  {
    name: 'string-annotation-name',
    cells: ['class A:\n    pass', 'def f(x: "A") -> "A":\n    return x', 'print(f.__annotations__)'],
  },
  {
    name: 'keyword-named-like-builtin',
    cells: ['def f(list=3):\n    return list', 'print(f(), list((1,)))'],
  },
  { name: 'dunder-all', cells: ['__all__ = ["x"]\nx = 1', 'print(x)'] },
  {
    name: 'type-params-bound',
    cells: ['class Base:\n    v = 1', 'def f[T: Base](x: T) -> int:\n    return x.v', 'print(f(Base()))'],
    steps: [{ edit: [0, 'class Base:\n    v = 2'] }],
  },
  {
    name: 'spawn-pool',
    cells: [
      'def w(x):\n    return x * 2',
      'from concurrent.futures import ProcessPoolExecutor\nimport multiprocessing as mp\nwith ProcessPoolExecutor(1, mp_context=mp.get_context("spawn")) as p:\n    print(list(p.map(w, [1])))',
    ],
    allow: 'message',
  },
  {
    name: 'process-pool',
    cells: [
      'def w(x):\n    return x * 2',
      'from concurrent.futures import ProcessPoolExecutor\nwith ProcessPoolExecutor(1) as p:\n    print(list(p.map(w, [1, 2])))',
    ],
    allow: 'message',
  },
  {
    name: 'thread-pool',
    cells: [
      'def w(x):\n    return x * 2',
      'from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as p:\n    r = list(p.map(w, [1, 2]))\nprint(r)',
    ],
    steps: [{ edit: [0, 'def w(x):\n    return x * 3'] }],
  },
];
