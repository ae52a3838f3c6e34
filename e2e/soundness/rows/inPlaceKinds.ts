import type { Row } from './row.ts';

/**
 * Rows of the soundness test: every kind of value, made in one cell, changed in place in the next, and shown in a
 * third.
 */
export const IN_PLACE_KINDS: readonly Row[] = [
  {
    name: 'counter-method',
    cells: ['from collections import Counter\nv = Counter("aab")', 'v.update("b")', 'print(v["b"])'],
    allow: 'message',
  },
  {
    name: 'defaultdict-item',
    cells: ['from collections import defaultdict\nv = defaultdict(int)', 'v["a"] += 1', 'print(dict(v))'],
    allow: 'message',
  },
  {
    name: 'deque-append',
    cells: ['from collections import deque\nv = deque([1])', 'v.append(2)', 'print(list(v))'],
    allow: 'message',
  },
  {
    name: 'ordereddict-move',
    cells: [
      'from collections import OrderedDict\nv = OrderedDict(a=1, b=2)',
      'v.move_to_end("a")',
      'print(list(v))',
    ],
    allow: 'message',
  },
  {
    name: 'array-append',
    cells: ['from array import array\nv = array("i", [1])', 'v.append(2)', 'print(v.tolist())'],
    allow: 'message',
  },
  {
    name: 'bytearray-extend',
    cells: ['v = bytearray(b"a")', 'v.extend(b"b")', 'print(bytes(v))'],
    allow: 'message',
  },
  {
    name: 'random-generator',
    cells: ['import random\nv = random.Random(1)', 'x = v.random()', 'print(v.random())'],
    allow: 'message',
  },
  {
    name: 'numpy-generator',
    cells: ['import numpy as np\nv = np.random.default_rng(1)', 'x = v.random()', 'print(v.random())'],
    allow: 'message',
  },
  {
    name: 'iterator-advanced',
    cells: ['v = iter([1, 2, 3])', 'x = next(v)', 'print(next(v))'],
    allow: 'message',
  },
  {
    name: 'stringio-write',
    cells: ['import io\nv = io.StringIO()', 'v.write("a")', 'print(v.getvalue())'],
    allow: 'message',
  },
  {
    name: 'bytesio-write',
    cells: ['import io\nv = io.BytesIO()', 'v.write(b"a")', 'print(v.getvalue())'],
    allow: 'message',
  },
  {
    name: 'element-of-large-list',
    cells: ['v = list(range(100_000))', 'v[50_000] = -1', 'print(v[50_000])'],
    allow: 'message',
  },
  {
    name: 'element-of-list-of-dicts',
    cells: ['v = [{"a": i} for i in range(1000)]', 'v[999]["a"] = -1', 'print(v[999])'],
    allow: 'message',
  },
  { name: 'list-inside-tuple', cells: ['v = ([1], 2)', 'v[0].append(3)', 'print(v)'], allow: 'message' },
  {
    name: 'nested-dict',
    cells: ['v = {"a": {"b": {"c": 1}}}', 'v["a"]["b"]["c"] = 2', 'print(v)'],
    allow: 'message',
  },
  {
    name: 'chainmap',
    cells: ['from collections import ChainMap\nv = ChainMap({}, {"a": 1})', 'v["a"] = 2', 'print(v["a"])'],
    allow: 'message',
  },
  {
    name: 'class-attribute-of-instance',
    cells: ['class C:\n    items = []\nv = C()', 'v.items.append(1)', 'print(v.items)'],
    allow: 'message',
  },
  {
    name: 'object-in-list',
    cells: ['class O:\n    n = 0\nv = [O()]', 'v[0].n = 5', 'print(v[0].n)'],
    allow: 'message',
  },
  {
    name: 'slots-object',
    cells: ['class S:\n    __slots__ = ("n",)\nv = S()\nv.n = 1', 'v.n = 2', 'print(v.n)'],
    allow: 'message',
  },
  {
    name: 'method-that-changes',
    cells: [
      'class O:\n    def __init__(self):\n        self.n = 0\n    def bump(self):\n        self.n += 1\nv = O()',
      'v.bump()',
      'print(v.n)',
    ],
    allow: 'message',
  },
  { name: 'heapq', cells: ['import heapq\nv = [3, 1, 2]', 'heapq.heapify(v)', 'print(v)'], allow: 'message' },
  {
    name: 'bisect-insort',
    cells: ['import bisect\nv = [1, 3]', 'bisect.insort(v, 2)', 'print(v)'],
    allow: 'message',
  },
  {
    name: 'random-shuffle-in-function',
    cells: [
      'import random\nv = [1, 2, 3, 4]',
      'def mix(x):\n    random.Random(1).shuffle(x)\nmix(v)',
      'print(v)',
    ],
    allow: 'message',
  },
  { name: 'del-item', cells: ['v = {"a": 1, "b": 2}', 'del v["a"]', 'print(v)'], allow: 'message' },
  { name: 'slice-assigned', cells: ['v = [1, 2, 3]', 'v[1:] = []', 'print(v)'], allow: 'message' },
  { name: 'alias-changed', cells: ['v = [1]', 'w = v\nw.append(2)', 'print(v)'], allow: 'message' },
  {
    name: 'through-loop',
    cells: ['v = [[1], [2]]', 'for x in v:\n    x.append(0)', 'print(v)'],
    allow: 'message',
  },
  {
    name: 'through-comprehension',
    cells: ['v = []', '_ = [v.append(i) for i in range(2)]', 'print(v)'],
    allow: 'message',
  },
  {
    name: 'sklearn-fit-alone',
    cells: [
      'from sklearn.linear_model import LinearRegression\nv = LinearRegression()',
      'v.fit([[1], [2]], [1, 2])',
      'print(hasattr(v, "coef_"))',
    ],
    allow: 'message',
  },
  {
    name: 'axes-plot',
    cells: [
      'import matplotlib\nmatplotlib.use("agg")\nimport matplotlib.pyplot as plt\nfig, v = plt.subplots()',
      'v.plot([1, 2])',
      'print(len(v.lines))',
    ],
    allow: 'message',
  },
  {
    name: 'polars-insert',
    cells: [
      'import polars as pl\nv = pl.DataFrame({"a": [1]})',
      'v.insert_column(0, pl.Series("b", [2]))',
      'print(v.columns)',
    ],
    allow: 'message',
  },
  {
    name: 'pandas-column',
    cells: ['import pandas as pd\nv = pd.DataFrame({"a": [1]})', 'v["b"] = 2', 'print(list(v))'],
    allow: 'message',
  },
  {
    name: 'pandas-values-through-function',
    cells: [
      'import pandas as pd\nv = pd.DataFrame({"a": [1]})',
      'def add(d):\n    d["b"] = 1\nadd(v)',
      'print(list(v))',
    ],
    allow: 'message',
  },
  {
    name: 'pandas-index-name',
    cells: ['import pandas as pd\nv = pd.DataFrame({"a": [1]})', 'v.index.name = "i"', 'print(v.index.name)'],
    allow: 'message',
  },
  {
    name: 'series-item',
    cells: ['import pandas as pd\nv = pd.Series([1, 2])', 'v.iloc[0] = 9', 'print(v.tolist())'],
    allow: 'message',
  },
  {
    name: 'numpy-sort',
    cells: ['import numpy as np\nv = np.array([3, 1])', 'v.sort()', 'print(v.tolist())'],
    allow: 'message',
  },
  {
    name: 'numpy-out',
    cells: ['import numpy as np\nv = np.zeros(2)', 'np.add(v, 1, out=v)', 'print(v.tolist())'],
    allow: 'message',
  },
  {
    name: 'enum-member-attribute',
    cells: [
      'from enum import Enum\nclass E(Enum):\n    A = 1',
      'E.A.note = "x"',
      'print(getattr(E.A, "note", None))',
    ],
    allow: 'message',
  },
  {
    name: 'dataclass-field',
    cells: [
      'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nv = P(1)',
      'v.x = 2',
      'print(v)',
    ],
    allow: 'message',
  },
  {
    name: 'generator-sent',
    cells: [
      'def g():\n    x = 0\n    while True:\n        x += 1\n        yield x\nv = g()',
      'next(v)',
      'print(next(v))',
    ],
    allow: 'message',
  },
  {
    name: 'same-list-under-two-names',
    cells: ['a = []\nb = a', 'a.append(1)\nprint(a)', 'print(b)'],
    allow: 'message',
  },
  {
    name: 'parent-and-child',
    cells: ['child = {"n": 1}\nparent = {"c": child}', 'child["n"] = 2', 'print(parent)'],
    allow: 'message',
  },
  {
    name: 'changed-in-the-cell-that-made-it',
    cells: ['v = [1]\nv.append(2)', 'print(v)'],
    steps: [{ edit: [0, 'v = [1]\nv.append(3)'] }],
  },
  {
    name: 'assigned-to-its-name',
    cells: ['v = [1]', 'v = v + [2]', 'print(v)'],
    steps: [{ edit: [0, 'v = [5]'] }],
  },
  {
    name: 'copied-then-changed',
    cells: ['v = [1]', 'w = v.copy()\nw.append(2)\nprint(w)', 'print(v)'],
    steps: [{ edit: [0, 'v = [7]'] }],
  },
  {
    name: 'read-only-methods',
    cells: ['v = {"a": [1]}', 'print(v.get("a"), sorted(v), v["a"].index(1))', 'print(v)'],
    steps: [{ edit: [0, 'v = {"a": [1, 1]}'] }],
  },
  {
    name: 'list-after-reopening',
    cells: ['v = [1]', 'v.append(2)', 'print(v)'],
    steps: ['reopen'],
    allow: 'message',
  },
  {
    name: 'frame-after-edit-and-back',
    cells: ['import pandas as pd\nv = pd.DataFrame({"a": [1]})', 'v["b"] = 2', 'print(list(v))'],
    steps: [
      { edit: [0, 'import pandas as pd\nv = pd.DataFrame({"a": [5]})'] },
      { edit: [0, 'import pandas as pd\nv = pd.DataFrame({"a": [1]})'] },
    ],
    allow: 'message',
  },
  {
    name: 'dict-after-edit-and-back',
    cells: ['v = {}', 'v.update(a=1)', 'print(v)'],
    steps: [{ edit: [1, 'v.update(a=2)'] }, { edit: [1, 'v.update(a=1)'] }],
    allow: 'message',
  },
];
