import type { Row } from './row.ts';

/**
 * Rows of the soundness test: edits that change no result, are undone, or come from another program: which results may
 * be reused after them.
 */
export const EDITS: readonly Row[] = [
  {
    name: 'comment-only',
    cells: ['x = 1', 'y = x + 1', 'print(y)'],
    steps: [{ edit: [0, 'x = 1  # one'] }, { edit: [1, '# sum\ny = x + 1'] }],
  },
  {
    name: 'edit-and-back',
    cells: ['x = 1', 'y = x + 1', 'print(y)'],
    steps: [
      { edit: [0, 'x = 2'] },
      { edit: [0, 'x = 1'] },
      { edit: [1, 'y = x + 2'] },
      { edit: [1, 'y = x + 1'] },
    ],
  },
  {
    name: 'edit-and-back-without-run-between',
    cells: ['x = 1', 'y = x + 1', 'print(y)'],
    steps: [{ edit: [0, 'x = 2'] }, { edit: [0, 'x = 1'] }, 'reopen', { edit: [0, 'x = 3'] }],
  },
  {
    name: 'edit-and-back-after-a-failed-run',
    cells: ['n = 1', 'k = 2', 'def f(x):\n    return g(x) + 3', 'print(k)'],
    allow: 'refused',
    steps: [
      { edit: [2, 'k = n + k\nprint(k)'] },
      { edit: [0, 'l = 1'] },
      { edit: [2, 'def f(x):\n    return g(x) + 3'] },
    ],
  },
  {
    name: 'edit-and-back-after-reopening',
    cells: ['m = 5', 'print(m)'],
    steps: [{ edit: [0, 'm = 6\nprint(m)'] }, 'reopen', { edit: [0, 'm = 5'] }],
  },
  {
    name: 'edit-and-back-after-a-failed-run-and-reopening',
    cells: ['n = 1', 'k = 2', 'def f(x):\n    return g(x) + 3', 'print(k)'],
    allow: 'refused',
    steps: [
      { edit: [2, 'k = n + k\nprint(k)'] },
      { edit: [0, 'l = 1'] },
      'reopen',
      { edit: [2, 'def f(x):\n    return g(x) + 3'] },
    ],
  },
  {
    name: 'edit-and-back-where-a-reader-came-between',
    cells: ['n = 0', 'n = n + 10', 'm = 12\nprint(m, n)', 'pass'],
    steps: [{ edit: [3, 'print(m)'] }, { edit: [1, 'k = 1'] }, { edit: [1, 'n = n + 10'] }],
  },
  {
    name: 'edit-to-equal-value',
    cells: ['x = 4', 'y = x * 2', 'print(y)'],
    steps: [{ edit: [0, 'x = 2 + 2'] }, { edit: [0, 'x = 5'] }],
  },
  {
    name: 'edit-to-equal-value-of-other-type',
    cells: ['x = 1', 'print(type(x).__name__, x)'],
    steps: [{ edit: [0, 'x = 1.0'] }, { edit: [0, 'x = True'] }, { edit: [0, "x = '1'"] }],
  },
  {
    name: 'tuple-and-list',
    cells: ['x = [1, 2]', 'print(type(x).__name__, x)'],
    steps: [{ edit: [0, 'x = (1, 2)'] }, { edit: [0, 'x = {1, 2}'] }, { edit: [0, 'x = frozenset({1, 2})'] }],
  },
  {
    name: 'dict-order',
    cells: ["d = {'a': 1, 'b': 2}", 'print(list(d))'],
    steps: [{ edit: [0, "d = {'b': 2, 'a': 1}"] }],
  },
  {
    name: 'minus-zero',
    cells: ['x = 0.0', 'print(x)'],
    steps: [{ edit: [0, 'x = -0.0'] }],
  },
  {
    name: 'string-and-bytes',
    cells: ["x = 'ab'", 'print(type(x).__name__, len(x))'],
    steps: [{ edit: [0, "x = b'ab'"] }],
  },
  {
    name: 'frame-of-equal-values-and-other-dtype',
    cells: ["import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})", 'print(df.dtypes.astype(str).tolist())'],
    steps: [
      { edit: [0, "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]}, dtype='int32')"] },
      { edit: [0, "import pandas as pd\ndf = pd.DataFrame({'a': [1.0, 2.0]})"] },
    ],
  },
  {
    name: 'frame-of-equal-values-and-other-index',
    cells: ["import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})", 'print(list(df.index))'],
    steps: [{ edit: [0, "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]}, index=[5, 6])"] }],
  },
  {
    name: 'frame-attrs',
    cells: [
      "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\ndf.attrs['unit'] = 'km'",
      "print(df.attrs.get('unit'))",
    ],
    steps: [{ edit: [0, "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\ndf.attrs['unit'] = 'mi'"] }],
  },
  {
    name: 'array-of-equal-values-and-other-dtype',
    cells: ['import numpy as np\na = np.array([1, 2])', 'print(a.dtype, a.sum())'],
    steps: [{ edit: [0, "import numpy as np\na = np.array([1, 2], dtype='float32')"] }],
  },
  {
    name: 'function-refactored',
    cells: ['def f(x):\n    return x + 1', 'y = f(1)', 'print(y)'],
    steps: [
      { edit: [0, 'def f(x):\n    one = 1\n    return x + one'] },
      { edit: [0, 'def f(x):\n    return x + 2'] },
      { edit: [0, 'def f(x):\n    return x + 1'] },
    ],
  },
  {
    name: 'docstring-read-below',
    cells: ['def f():\n    """one"""', 'print(f.__doc__)'],
    steps: [{ edit: [0, 'def f():\n    """two"""'] }],
  },
  {
    name: 'line-number-read-below',
    cells: ['def f():\n    return 1', 'print(f.__code__.co_firstlineno)'],
    steps: [{ edit: [0, '\n\ndef f():\n    return 1'] }],
    allow: 'message',
  },
  {
    name: 'file-of-cell-edited',
    cells: ['x = 1', 'print(x)'],
    steps: [{ editFile: [0, 'x = 2'] }, { editFile: [1, 'print(x * 10)'] }, { editFile: [0, 'x = 1'] }],
  },
  {
    name: 'file-of-cell-edited-and-reopened',
    cells: ['x = 1', 'y = x', 'print(y)'],
    steps: [{ editFile: [0, 'x = 2'] }, 'reopen', { editFile: [0, 'x = 3'] }],
  },
  {
    name: 'error-edited-away',
    cells: ['x = 1 / 0', 'print(x)'],
    steps: [{ edit: [0, 'x = 1'] }, { edit: [0, 'x = 1 / 0'] }, 'reopen', { edit: [0, 'x = 2'] }],
    allow: 'message',
  },
  {
    name: 'definition-moved-to-other-cell',
    cells: ['x = 1', 'pass', 'print(x)'],
    steps: [{ edit: [1, 'x = 2'] }, { edit: [0, 'pass'] }, { edit: [1, 'pass'] }],
  },
  {
    name: 'name-shadowed-and-not',
    cells: ['x = 1', 'y = x', 'x = 10', 'print(x, y)'],
    steps: [{ edit: [2, 'x = x + 5'] }, { edit: [2, 'pass'] }, { edit: [0, 'x = 3'] }],
  },
  {
    name: 'reopened-after-every-step',
    cells: ['x = 1', 'y = x + 1\nprint(y)', 'print(x, y)'],
    steps: ['reopen', { edit: [0, 'x = 2'] }, 'reopen', { edit: [1, 'y = x + 3\nprint(y)'] }, 'reopen'],
  },
  {
    name: 'unused-name-added',
    cells: ['x = 1', 'print(x)'],
    steps: [{ edit: [0, 'x = 1\nz = 5'] }, { edit: [1, 'print(x, z)'] }, { edit: [0, 'x = 1\nz = 6'] }],
  },
  {
    name: 'printed-and-shown',
    cells: ['x = 3', 'print(x)\nx * 2', 'x'],
    steps: [{ edit: [0, 'x = 4'] }, { edit: [1, 'print(x)\nx * 3'] }, 'reopen'],
  },
];
