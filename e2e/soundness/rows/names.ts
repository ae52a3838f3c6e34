import type { Row } from './row.ts';

/**
 * Rows of the soundness test: names that are set under a condition, used before their definition, or found by their
 * text.
 */
export const NAMES: readonly Row[] = [
  {
    name: 'conditional-name-keeps-value',
    cells: ['x = 1', 'if False:\n    x = 2', 'print(x)'],
    steps: [{ edit: [0, 'x = 5'] }, { edit: [1, 'if True:\n    x = 2'] }],
  },
  {
    name: 'conditional-in-loop',
    cells: ['x = 1', 'for i in []:\n    x = i', 'print(x)'],
    steps: [{ edit: [1, 'for i in [7]:\n    x = i'] }],
  },
  {
    name: 'conditional-in-try',
    cells: ['x = 1', 'try:\n    1 / 0\n    x = 2\nexcept ZeroDivisionError:\n    pass', 'print(x)'],
    steps: [{ edit: [0, 'x = 3'] }],
  },
  {
    name: 'conditional-in-match',
    cells: ['x = 1\nk = 2', 'match k:\n    case 1:\n        x = 10', 'print(x)'],
    steps: [{ edit: [0, 'x = 1\nk = 1'] }],
  },
  {
    name: 'conditional-in-with',
    cells: [
      'import contextlib\nx = 1',
      'with contextlib.suppress(ZeroDivisionError):\n    1 / 0\n    x = 2',
      'print(x)',
    ],
  },
  {
    name: 'conditional-function',
    cells: ['def f():\n    return 1', 'if False:\n    def f():\n        return 2', 'print(f())'],
    steps: [{ edit: [1, 'if True:\n    def f():\n        return 2'] }],
  },
  { name: 'star-import-of-library', cells: ['from math import *', 'print(floor(2.5))'], allow: 'message' },
  {
    name: 'annotation-only-over-value',
    cells: ['x = 1', 'x: int', 'print(x)'],
    steps: [{ edit: [0, 'x = 2'] }],
  },
  {
    name: 'underscore-in-function',
    cells: ['_k = 3\ndef f():\n    return _k', 'print(f())'],
    steps: [{ edit: [0, '_k = 4\ndef f():\n    return _k'] }],
    allow: 'message',
  },
  {
    name: 'globals-item-set',
    cells: ["globals()['z'] = 5", 'print(z)'],
    steps: [{ edit: [0, "globals()['z'] = 6"] }],
    allow: 'message',
  },
  {
    name: 'vars-read',
    cells: ['x = 5', "print(vars()['x'])"],
    steps: [{ edit: [0, 'x = 6'] }],
    allow: 'message',
  },
  {
    name: 'format-locals',
    cells: ['x = 5', "print('{x}'.format(**locals()))"],
    steps: [{ edit: [0, 'x = 6'] }],
    allow: 'message',
  },
  {
    name: 'format-map-globals',
    cells: ['x = 5', "print('{x}'.format_map(globals()))"],
    steps: [{ edit: [0, 'x = 6'] }],
    allow: 'message',
  },
  {
    name: 'template-string',
    cells: ['x = 5', "from string import Template\nprint(Template('$x').substitute(globals()))"],
    steps: [{ edit: [0, 'x = 6'] }],
    allow: 'message',
  },
  {
    name: 'query-with-name',
    cells: [
      "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2, 3]})\nlimit = 2",
      "print(df.query('a >= @limit').a.tolist())",
    ],
    steps: [{ edit: [0, "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2, 3]})\nlimit = 3"] }],
    allow: 'message',
  },
  {
    name: 'eval-with-name',
    cells: [
      "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})",
      'k = 10',
      "print(df.eval('a + @k').tolist())",
    ],
    steps: [{ edit: [1, 'k = 20'] }],
    allow: 'message',
  },
  {
    name: 'getattr-main',
    cells: ['x = 5', 'import sys\nprint(sys.modules["__main__"].x)'],
    steps: [{ edit: [0, 'x = 6'] }],
    allow: 'message',
  },
  {
    name: 'exec-reads-name',
    cells: ['x = 5', "exec('print(x)')"],
    steps: [{ edit: [0, 'x = 6'] }],
    allow: 'message',
  },
  {
    name: 'await-value',
    cells: ['import asyncio\nasync def g():\n    return 3', 'v = await g()', 'print(v)'],
    steps: [{ edit: [0, 'import asyncio\nasync def g():\n    return 4'] }],
  },
  {
    name: 'await-sleep',
    cells: ['import asyncio\nawait asyncio.sleep(0)\nx = 1', 'print(x)'],
    steps: [{ edit: [0, 'import asyncio\nawait asyncio.sleep(0)\nx = 2'] }],
  },
  {
    name: 'async-comprehension',
    cells: [
      'async def g():\n    for i in range(2):\n        yield i',
      'xs = [i async for i in g()]',
      'print(xs)',
    ],
  },
  {
    name: 'forward-function',
    cells: ['def f():\n    return g() + 1', 'def g():\n    return 10', 'print(f())'],
    steps: [{ edit: [1, 'def g():\n    return 20'] }, { edit: [0, 'def f():\n    return g() + 2'] }],
  },
  {
    name: 'forward-two-levels',
    cells: ['def f():\n    return g()', 'def g():\n    return h()', 'def h():\n    return 1', 'print(f())'],
    steps: [{ edit: [2, 'def h():\n    return 2'] }],
  },
  {
    name: 'forward-class',
    cells: ['def make():\n    return A()', 'class A:\n    x = 1', 'print(make().x)'],
    steps: [{ edit: [1, 'class A:\n    x = 2'] }],
  },
  {
    name: 'mutual-recursion',
    cells: [
      'def even(n):\n    return n == 0 or odd(n - 1)',
      'def odd(n):\n    return n != 0 and even(n - 1)',
      'print(even(10), odd(7))',
    ],
    steps: [{ edit: [1, 'def odd(n):\n    return not even(n)'] }],
  },
  {
    name: 'forward-defined-twice',
    cells: [
      'def f():\n    return g()',
      'def g():\n    return 1',
      'print(f())',
      'def g():\n    return 2',
      'print(f())',
    ],
    allow: 'message',
  },
  {
    name: 'forward-value',
    cells: ['def f():\n    return K', 'K = 7', 'print(f())'],
    steps: [{ edit: [1, 'K = 8'] }],
    allow: 'message',
  },
  {
    name: 'method-uses-later-function',
    cells: [
      'class A:\n    def m(self):\n        return helper()',
      'def helper():\n    return 1',
      'print(A().m())',
    ],
    steps: [{ edit: [1, 'def helper():\n    return 2'] }],
  },
  {
    name: 'comprehension-name-does-not-leak',
    cells: ['i = 5', 'xs = [i for i in range(3)]', 'print(i, xs)'],
    steps: [{ edit: [0, 'i = 6'] }],
  },
  {
    name: 'lambda-reads-name',
    cells: ['k = 2', 'xs = list(map(lambda x: x * k, [1, 2]))', 'print(xs)'],
    steps: [{ edit: [0, 'k = 3'] }],
  },
  {
    name: 'global-of-function-set-by-caller',
    cells: ['n = 7', 'def f(x):\n    return x + n', 'n = f(2)\nprint(f(2))'],
    allow: 'message',
  },
  {
    name: 'global-of-function-set-between',
    cells: ['n = 7', 'def f(x):\n    return x + n', 'n = 2', 'print(f(2))'],
    allow: 'message',
  },
];
