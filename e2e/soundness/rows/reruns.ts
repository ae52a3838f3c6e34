/**
 * Rows of the soundness test: a cell that is run again on purpose gives another value, which its readers must use.
 */

import type { Row } from './row.ts';

const two = { writeOnly: ['data.txt', 'two'] } as const;
const files = { 'data.txt': 'one' };
const LOAD = "t = open('data.txt').read()";

export const RERUNS: readonly Row[] = [
  { name: 'rerun-after-file-changed', files, cells: [LOAD, 'print(t)'], steps: [two, { rerun: 0 }] },
  { name: 'force-after-file-changed', files, cells: [LOAD, 'print(t)'], steps: [two, { force: 0 }] },
  {
    name: 'rerun-reaches-reader-of-reader',
    files: { 'data.csv': '1\n2\n3\n' },
    cells: [
      "rows = open('data.csv').read().split()\nprint(len(rows))",
      'total = sum(int(r) for r in rows)',
      "print('total', total)",
    ],
    steps: [{ writeOnly: ['data.csv', '10\n20\n30\n40\n'] }, { rerun: 0 }],
  },
  {
    name: 'rerun-of-random',
    agree: 'r',
    cells: ['import random\nr = random.random()\nprint(r)', 'print(r)'],
    steps: [{ rerun: 0 }, { runOnly: 1 }],
  },
  {
    name: 'rerun-of-random-and-reopen',
    agree: 'r',
    cells: ['import random\nr = random.random()\nprint(r)', 's = r\nprint(s)', 'print(s)'],
    steps: [{ rerun: 0 }, 'reopen', { runOnly: 2 }, 'reopen'],
  },
  {
    name: 'force-of-random',
    agree: 'r',
    cells: ['import random\nr = random.random()\nprint(r)', 'print(r)'],
    steps: [{ force: 0 }, { runOnly: 1 }],
  },
  {
    name: 'force-of-reader-of-random',
    agree: 'r',
    cells: ['import random\nr = random.random()\nprint(r)', 'print(r)'],
    steps: [{ force: 1 }, { rerun: 1 }],
  },
  {
    name: 'rerun-with-equal-bytes',
    cells: ['x = 5', 'print(x)'],
    steps: [{ rerun: 0 }, { force: 0 }],
  },
  {
    name: 'rerun-then-edit-reader-and-back',
    files,
    cells: [LOAD, 'print(t)'],
    steps: [two, { rerun: 0 }, { edit: [1, 'print(t * 2)'] }, { edit: [1, 'print(t)'] }],
  },
  {
    name: 'rerun-twice-to-the-first-value',
    files,
    cells: [LOAD, 'u = t.upper()', 'print(u)'],
    steps: [two, { rerun: 0 }, { writeOnly: ['data.txt', 'one'] }, { rerun: 0 }],
  },
  {
    name: 'rerun-then-comment-in-producer',
    files,
    cells: [LOAD, 'print(t)'],
    steps: [two, { rerun: 0 }, { edit: [0, `${LOAD}  # read it`] }],
  },
  {
    name: 'rerun-then-reader-added-by-edit',
    files,
    cells: [LOAD, 'print(t)', 'pass'],
    steps: [two, { rerun: 0 }, { edit: [2, 'print(t * 3)'] }],
  },
  {
    name: 'rerun-of-time',
    agree: 'now',
    cells: ['import time\nnow = time.time_ns()\nprint(now)', 'print(now)'],
    steps: [{ rerun: 0 }, 'reopen', { runOnly: 1 }],
  },
  {
    name: 'rerun-of-object-with-random',
    agree: 'v',
    cells: ['import random\nclass A: pass\na = A()\na.v = random.random()', 'v = a.v\nprint(v)', 'print(v)'],
    steps: [{ rerun: 0 }, { runOnly: 2 }],
  },
  {
    name: 'rerun-with-file-in-function',
    files,
    cells: ["def load():\n    return open('data.txt').read()", 't = load()', 'print(t)'],
    steps: [two, { rerun: 1 }],
  },
  {
    name: 'failed-then-again',
    cells: ["t = open('later.txt').read()", 'print(t)'],
    steps: [{ file: ['later.txt', 'here'] }, { remove: 'later.txt' }, { file: ['later.txt', 'again'] }],
  },
];
