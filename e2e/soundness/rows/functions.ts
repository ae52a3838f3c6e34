import type { Row } from './row.ts';

/** Rows of the soundness test: functions that other cells call than the one that defines them. */
export const FUNCTIONS: readonly Row[] = [
  {
    name: 'decorator-upstream',
    cells: [
      'import functools\nk=3\ndef deco(f):\n    @functools.wraps(f)\n    def w(*a):\n        return f(*a)*k\n    return w',
      '@deco\ndef g(x):\n    return x+1',
      'print(g(1))',
    ],
    steps: [
      {
        edit: [
          0,
          'import functools\nk=4\ndef deco(f):\n    @functools.wraps(f)\n    def w(*a):\n        return f(*a)*k\n    return w',
        ],
      },
    ],
  },
  {
    name: 'lru-cache-function',
    cells: ['import functools\nk=3', '@functools.lru_cache\ndef f(x):\n    return x*k', 'print(f(2), f(2))'],
    steps: [{ edit: [0, 'import functools\nk=5'] }],
  },
  {
    name: 'pep695-func',
    cells: ['def first[T](xs: list[T]) -> T:\n    return xs[0]', 'print(first([7,8]))'],
    steps: [{ edit: [0, 'def first[T](xs: list[T]) -> T:\n    return xs[1]'] }],
  },
  {
    name: 'default-arg-capture',
    cells: ['x=1', 'def f(y=x): return y', 'x=100', 'print(f(), x)'],
    steps: [{ edit: [0, 'x=2'] }],
  },
  {
    name: 'later-global',
    cells: ['def f(): return g()+1', 'def g(): return 10', 'print(f())'],
    steps: [{ edit: [1, 'def g(): return 20'] }],
  },
  {
    name: 'global-set-later',
    cells: ['def f(): return K', 'K=7', 'print(f())'],
    steps: [{ edit: [1, 'K=8'] }],
  },
  { name: 'import-as', cells: ['import os.path as osp, json', "print(osp.join('a','b'), json.dumps({}))"] },
  { name: 'from-import-func', cells: ['from math import sqrt, floor as fl', 'print(sqrt(9), fl(2.5))'] },
  {
    name: 'numpy-alias',
    cells: ['import numpy as np', 'a=np.arange(3)', 'print((a*2).tolist())'],
    steps: [{ edit: [1, 'a=np.arange(4)'] }],
  },
  {
    name: 'partial',
    cells: ['from functools import partial\ndef add(a,b): return a+b\ninc=partial(add,1)', 'print(inc(2))'],
    steps: [{ edit: [0, 'from functools import partial\ndef add(a,b): return a+b\ninc=partial(add,2)'] }],
  },
  {
    name: 'contextmanager',
    cells: [
      'from contextlib import contextmanager\n@contextmanager\ndef cm(x):\n    yield x*2',
      'with cm(3) as v:\n    print(v)',
    ],
  },
  {
    name: 'singledispatch-same-cell',
    cells: [
      "from functools import singledispatch\n@singledispatch\ndef f(x): return 'obj'\n@f.register(int)\ndef _(x): return 'int'",
      'print(f(1))',
    ],
  },
  {
    name: 'typevar-newtype',
    cells: [
      "from typing import TypeVar, NewType\nT=TypeVar('T')\nUid=NewType('Uid',int)",
      'def f(x: T) -> T: return x\nu=Uid(3)',
      'print(f(u))',
    ],
  },
  {
    name: 'multiprocessing-pool',
    cells: [
      'import multiprocessing as mp\ndef w(x): return x*2\nwith mp.Pool(2) as p:\n    r=p.map(w,[1,2,3])',
      'print(r)',
    ],
  },
  {
    name: 'mp-spawn',
    cells: [
      "import multiprocessing as mp\ndef w(x): return x*2\nctx=mp.get_context('spawn')\nwith ctx.Pool(1) as p:\n    r=p.map(w,[1,2,3])",
      'print(r)',
    ],
    allow: 'message',
  },
  {
    name: 'joblib-loky',
    cells: [
      'from joblib import Parallel, delayed\ndef w(x): return x*2',
      'print(Parallel(n_jobs=2)(delayed(w)(i) for i in range(3)))',
    ],
    steps: [{ edit: [0, 'from joblib import Parallel, delayed\ndef w(x): return x*5'] }],
  },
  {
    name: 'joblib-upstream-class',
    cells: [
      'from joblib import Parallel, delayed\nclass A:\n    def __init__(s,v): s.v=v\ndef w(a): return a.v*2',
      'xs=[A(1),A(2)]',
      'print(Parallel(n_jobs=2)(delayed(w)(a) for a in xs))',
    ],
  },
  {
    name: 'inspect-getsource',
    allow: 'message',
    cells: [
      'def f():\n    # comment one\n    return 1',
      "import inspect\nprint('comment one' in inspect.getsource(f))",
    ],
    steps: [{ edit: [0, 'def f():\n    # comment two\n    return 1'] }],
  },
  {
    name: 'inspect-getcomments',
    allow: 'message',
    cells: ['# one\ndef f():\n    return 1', 'import inspect\nprint(inspect.getcomments(f))'],
    steps: [{ edit: [0, '# two\ndef f():\n    return 1'] }],
  },
  {
    name: 'getsource-in-function-of-other-cell',
    allow: 'message',
    cells: [
      'def f():\n    # comment one\n    return 1',
      'import inspect\ndef text(g):\n    return inspect.getsource(g)',
      "print('comment one' in text(f))",
    ],
    steps: [{ edit: [0, 'def f():\n    # comment two\n    return 1'] }],
  },
  {
    name: 'getsource-after-edit-of-code',
    allow: 'message',
    cells: ['def f():\n    return 1', "import inspect\nprint('return 1' in inspect.getsource(f))"],
    steps: [{ edit: [0, 'def f():\n    return 2'] }],
  },
  {
    name: 'getsource-after-rerun',
    allow: 'message',
    cells: ['def f():\n    # one\n    return 1', "import inspect\nprint('one' in inspect.getsource(f))"],
    steps: [{ edit: [0, 'def f():\n    # two\n    return 1'] }, { rerun: 0 }, { rerun: 1 }],
  },
  {
    name: 'docstring-edited',
    cells: ['def f():\n    """one"""\nclass C:\n    """first"""', 'print(f.__doc__, C.__doc__)'],
    steps: [{ edit: [0, 'def f():\n    """two"""\nclass C:\n    """second"""'] }],
  },
  {
    name: 'function-constant-edit',
    cells: ['RATE=2\ndef f(x): return x*RATE', 'print(f(2))'],
    steps: [{ edit: [0, 'RATE=3\ndef f(x): return x*RATE'] }],
  },
  {
    name: 'function-upstream-value',
    cells: ["rate=len('ab')", 'def f(x): return x*rate', 'print(f(2))'],
    steps: [{ edit: [0, "rate=len('abc')"] }],
  },
  {
    name: 'function-unused-upstream-edit',
    cells: ['def a(x): return x+1\ndef unused(): return 1', 'print(a(1))'],
    steps: [{ edit: [0, 'def a(x): return x+1\ndef unused(): return 2'] }],
  },
  {
    name: 'func-with-module-import',
    cells: ['import numpy as np\ndef f(x): return np.sum(x)', 'print(f([1,2]))'],
  },
  {
    name: 'lambda-default-sort',
    cells: ["xs=[(1,'b'),(2,'a')]", 'print(sorted(xs,key=lambda t:t[1]))'],
    steps: [{ edit: [0, "xs=[(1,'b'),(2,'c')]"] }],
  },
  {
    name: 'name-of-its-cell-assigned-again',
    cells: ['x=1\ndef f(): return x', 'x=2', 'print(f())'],
    steps: [{ edit: [1, 'x=3'] }],
    allow: 'message',
  },
  {
    name: 'helper-of-its-cell-defined-again',
    cells: ['def g(): return 1\ndef f(): return g()', 'def g(): return 2\nprint(f())'],
    allow: 'message',
  },
  {
    name: 'mutual-recursion-across-cells',
    cells: [
      'def even(n): return True if n==0 else odd(n-1)',
      'def odd(n): return False if n==0 else even(n-1)',
      'print(even(10),odd(7))',
    ],
    steps: [{ edit: [1, 'def odd(n): return "odd" if n==0 else even(n-1)'] }],
  },
  {
    name: 'value-that-a-function-needs-is-the-one-the-cell-reads',
    cells: ['MISSING=object()', 'def get(d,k): return d.get(k,MISSING)', 'print(get({},"a") is MISSING)'],
  },
  {
    name: 'instance-reads-a-name-assigned-again',
    cells: ['k=2\nclass A:\n    def f(s): return k\na=A()', 'k=3', 'print(a.f())'],
    allow: 'message',
  },
  {
    name: 'dict-of-functions-reads-a-name-assigned-again',
    cells: ['k=2', 'def a(): return k', 'ops={"a":a}', 'k=9', 'print(ops["a"]())'],
    allow: 'message',
  },
  {
    name: 'closure-in-a-list-that-counts',
    cells: [
      'def mk():\n    n=0\n    def c():\n        nonlocal n\n        n+=1\n        return n\n    return c\nfs=[mk()]',
      'print(fs[0](),fs[0]())',
      'print(fs[0]())',
    ],
    allow: 'message',
  },
];
