import type { Row } from './row.ts';

/** Rows of the soundness test: cells that read files by name. */
export const FILES: readonly Row[] = [
  {
    name: 'open-read',
    cells: ["t=open('d1.txt').read()", 'print(t)'],
    files: { 'd1.txt': 'one' },
    steps: [{ file: ['d1.txt', 'two'] }],
  },
  {
    name: 'pathlib-read',
    cells: ["from pathlib import Path\nt=Path('d2.txt').read_text()", 'print(t)'],
    files: { 'd2.txt': 'one' },
    steps: [{ file: ['d2.txt', 'two'] }],
  },
  {
    name: 'open-variable-name',
    cells: ["fn='d4.txt'", 't=open(fn).read()\nprint(t)'],
    files: { 'd4.txt': 'one' },
    steps: [{ file: ['d4.txt', 'two'] }],
  },
  {
    name: 'open-fstring',
    cells: ['i=5', "t=open(f'd{i}.txt').read()\nprint(t)"],
    files: { 'd5.txt': 'one' },
    steps: [{ file: ['d5.txt', 'two'] }],
  },
  {
    name: 'np-load',
    cells: ["import numpy as np\na=np.loadtxt('d6.txt')", 'print(a.sum())'],
    files: { 'd6.txt': '1 2' },
    steps: [{ file: ['d6.txt', '5 5'] }],
  },
  {
    name: 'sqlite-file',
    cells: [
      "import sqlite3\nc=sqlite3.connect('d7.db')\nn=c.execute('select count(*) from sqlite_master').fetchone()[0]",
      'print(n)',
    ],
  },
  {
    name: 'file-written-upstream',
    cells: ["open('w1.txt','w').write('v1')", "print(open('w1.txt').read())"],
    steps: [{ edit: [0, "open('w1.txt','w').write('v2')"] }],
  },
];
