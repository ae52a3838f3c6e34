import type { Row } from './row.ts';

/**
 * Rows of the soundness test: files that a cell wrote: deleted, changed by other programs, or written by a cell that is
 * a cache hit.
 */
export const WRITTEN: readonly Row[] = [
  {
    name: 'written-file-deleted-reader-edited',
    cells: [
      "with open('out.txt', 'w') as f:\n    f.write('hello')\nready = True",
      "if ready:\n    print(open('out.txt').read())",
    ],
    steps: [{ remove: 'out.txt' }, { edit: [1, "if ready:\n    print(open('out.txt').read().upper())"] }],
  },
  {
    name: 'written-file-deleted',
    cells: [
      "with open('out.txt', 'w') as f:\n    f.write('hello')\nready = True",
      "if ready:\n    print(open('out.txt').read())",
    ],
    steps: [{ remove: 'out.txt' }],
  },
  {
    name: 'written-file-changed-by-others',
    cells: [
      "with open('out.txt', 'w') as f:\n    f.write('hello')\nready = True",
      "if ready:\n    print(open('out.txt').read())",
    ],
    steps: [{ file: ['out.txt', 'other'] }],
    allow: 'message',
  },
  {
    name: 'written-by-path-deleted',
    cells: [
      "from pathlib import Path\nPath('out.txt').write_text('hello')\np = 'out.txt'",
      'print(open(p).read())',
    ],
    steps: [{ remove: 'out.txt' }, { edit: [1, 'print(open(p).read() * 2)'] }],
  },
  {
    name: 'written-in-function-deleted',
    cells: [
      "def save(p, t):\n    with open(p, 'w') as f:\n        f.write(t)",
      "save('out.txt', 'hello')\np = 'out.txt'",
      'print(open(p).read())',
    ],
    steps: [{ remove: 'out.txt' }, { edit: [2, 'print(open(p).read() * 2)'] }],
  },
  {
    name: 'written-folder-deleted',
    cells: [
      "import os\nos.makedirs('out/deep', exist_ok=True)\nopen('out/deep/a', 'w').write('1')\nd = 'out'",
      "print(open(d + '/deep/a').read())",
    ],
    steps: [{ remove: 'out' }, { edit: [1, "print(open(d + '/deep/a').read() * 2)"] }],
  },
  {
    name: 'written-parquet-deleted',
    cells: [
      "import pandas as pd\npd.DataFrame({'a': [1]}).to_parquet('d.parquet')\np = 'd.parquet'",
      'import pandas as pd\nprint(pd.read_parquet(p).a.tolist())',
    ],
    steps: [{ remove: 'd.parquet' }, { edit: [1, 'import pandas as pd\nprint(pd.read_parquet(p).a.sum())'] }],
  },
  {
    name: 'written-file-deleted-and-reopened',
    cells: ["open('out.txt', 'w').write('hello')\np = 'out.txt'", 't = open(p).read()', 'print(t)'],
    steps: [{ remove: 'out.txt' }, 'reopen', { edit: [1, 't = open(p).read() * 2'] }],
  },
  {
    name: 'written-by-edited-cell-that-gives-nothing',
    cells: ["open('w1.txt', 'w').write('v1')", "t = open('w1.txt').read()", 'print(t)'],
    steps: [{ edit: [0, "open('w1.txt', 'w').write('v2')"] }],
    allow: 'message',
  },
  {
    name: 'two-writers-of-one-file',
    cells: [
      "open('w.txt', 'w').write('first')\na = 1",
      "open('w.txt', 'w').write(f'second {a}')\nb = a",
      "print(b, open('w.txt').read())",
    ],
    steps: [
      { edit: [1, "open('w.txt', 'w').write(f'third {a}')\nb = a"] },
      { edit: [0, "open('w.txt', 'w').write('again')\na = 1"] },
    ],
    allow: 'message',
  },
  {
    name: 'writer-answered-from-an-earlier-run',
    cells: ["open('w.txt', 'w').write('v1')\nn = 1", "print(n, open('w.txt').read())"],
    steps: [
      { edit: [0, "open('w.txt', 'w').write('v2')\nn = 2"] },
      { edit: [0, "open('w.txt', 'w').write('v1')\nn = 1"] },
    ],
  },
  {
    name: 'reader-between-two-writers',
    cells: [
      "open('w.txt', 'w').write('v1')\na = 1",
      "print(a, open('w.txt').read())",
      "open('w.txt', 'w').write('v2')",
    ],
    steps: [{ rerun: 0 }],
    allow: 'message',
  },
  {
    name: 'written-by-child-deleted',
    cells: [
      "import subprocess\nsubprocess.run(['sh', '-c', 'printf hello > out.txt'], check=True)\np = 'out.txt'",
      'print(open(p).read())',
    ],
    steps: [{ remove: 'out.txt' }, { edit: [1, 'print(open(p).read() * 2)'] }],
    allow: 'message',
  },
];
