/** Rows of the soundness test: cells with `@nocache`, which run every time, and the cells that read them. */

import type { Row } from './row.ts';

const DRAW = '# @nocache\nimport random\nr = random.random()\nprint(r)';

export const NOCACHE: readonly Row[] = [
  { name: 'reader-agrees', agree: 'r', cells: [DRAW, 'print(r)'], steps: [{ runOnly: 0 }, { runOnly: 1 }] },
  {
    name: 'reader-agrees-after-reopening',
    agree: 'r',
    cells: [DRAW, 'print(r)'],
    steps: ['reopen', { runOnly: 0 }, 'reopen', { runOnly: 1 }],
  },
  {
    name: 'two-readers-agree',
    agree: 'r',
    cells: [DRAW, 'print(r)', 'print(r + 0)'],
    steps: [{ runOnly: 1 }, { runOnly: 2 }, { runOnly: 0 }],
  },
  {
    name: 'reader-of-reader-agrees',
    agree: 'r',
    cells: [DRAW, 's = r\nprint(s)', 'print(s)'],
    steps: [{ runOnly: 0 }, { runOnly: 2 }, { edit: [2, 'print(s + 0)'] }],
  },
  {
    name: 'edit-of-reader',
    agree: 'r',
    cells: [DRAW, 'print(r)'],
    steps: [{ edit: [1, 'print(r + 0)'] }, { edit: [1, 'print(r)'] }],
  },
  {
    name: 'uuid',
    agree: 'u',
    cells: ['# @nocache\nimport uuid\nu = str(uuid.uuid4())\nprint(u)', 'print(u)'],
    steps: [{ rerun: 0 }, { force: 1 }, { runOnly: 1 }],
  },
  {
    name: 'file-read-in-nocache',
    files: { 'data.txt': 'one' },
    cells: ["# @nocache\nt = open('data.txt').read()", 'print(t)'],
    steps: [
      { file: ['data.txt', 'two'] },
      { file: ['data.txt', 'one'] },
      'reopen',
      { file: ['data.txt', 'two'] },
    ],
  },
  {
    name: 'nocache-function-cell-reads-file',
    files: { 'data.txt': 'one' },
    cells: ["p = 'data.txt'", '# @nocache\nt = open(p).read()', 'u = t.upper()', 'print(u)'],
    steps: [{ file: ['data.txt', 'two'] }, { runOnly: 1 }, { runOnly: 3 }],
  },
  {
    name: 'annotation-taken-away',
    files: { 'data.txt': 'one' },
    cells: ["# @nocache\nt = open('data.txt').read()", 'print(t)'],
    steps: [{ file: ['data.txt', 'two'] }, { edit: [0, "t = open('data.txt').read()"] }],
  },
  {
    name: 'annotation-added',
    files: { 'data.txt': 'one' },
    cells: ["t = open('data.txt').read()", 'print(t)'],
    steps: [{ edit: [0, "# @nocache\nt = open('data.txt').read()"] }, { file: ['data.txt', 'two'] }],
  },
  {
    name: 'reader-of-two',
    agree: 'both',
    cells: [
      '# @nocache\nimport random\nr = random.random()',
      '# @nocache\nimport random\nq = random.random()',
      'both = r + q\nprint(both)',
      'print(both)',
    ],
    steps: [{ runOnly: 0 }, { runOnly: 3 }, { runOnly: 1 }, { runOnly: 3 }],
  },
  {
    name: 'file-read-in-nocache-run-again',
    files: { 'data.txt': 'one' },
    cells: ["# @nocache\nt = open('data.txt').read()", 'print(t)'],
    steps: [
      { writeOnly: ['data.txt', 'two'] },
      { runOnly: 0 },
      { runOnly: 1 },
      { writeOnly: ['data.txt', 'one'] },
      { rerun: 0 },
    ],
  },
];
