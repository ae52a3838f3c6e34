import type { Row } from './row.ts';

/** Rows of the soundness test: values that cannot be passed to another process, or only in part. */
export const UNPICKLABLE: readonly Row[] = [
  { name: 'generator-value', cells: ['g=(i for i in range(3))', 'print(list(g))'], allow: 'message' },
  { name: 'lambda', cells: ['f=lambda q: q+1', 'print(f(1))'], allow: 'message' },
  {
    name: 'getstate-raises',
    cells: [
      "class Bad:\n    def __getstate__(s): raise RuntimeError('no pickle')\nb=Bad()",
      'print(type(b).__name__)',
    ],
    allow: 'message',
  },
  {
    name: 'sqlite-conn',
    cells: [
      "import sqlite3\nconn=sqlite3.connect(':memory:')\nconn.execute('create table t(a)')",
      "print(conn.execute('select count(*) from t').fetchone())",
    ],
    allow: 'message',
  },
  {
    name: 'lock',
    cells: ['import threading\nlock=threading.Lock()', "with lock: print('in')"],
    allow: 'message',
  },
  { name: 'socket', cells: ['import socket\ns=socket.socket()', 'print(s.fileno()>0)'], allow: 'message' },
  {
    name: 'executor-object',
    cells: [
      'from concurrent.futures import ThreadPoolExecutor\nex=ThreadPoolExecutor(2)',
      'print(list(ex.map(abs,[-1])))',
    ],
    allow: 'message',
  },
  {
    name: 'weakref',
    cells: ['import weakref\nclass A: pass\na=A()\nw=weakref.ref(a)', 'print(w() is a)'],
    allow: 'message',
  },
  { name: 're-match', cells: ["import re\nm=re.match('(a)','abc')", 'print(m.group(1))'], allow: 'message' },
];
