import type { Row } from './row.ts';

/** Rows of the soundness test: cells that end their process, leave something running, or are not valid Python. */
export const ENDINGS: readonly Row[] = [
  { name: 'sys-exit-0', cells: ['import sys\nx=1\nsys.exit(0)', 'print(x)'], allow: 'message' },
  { name: 'quit', cells: ['x=1\nquit()', 'print(x)'], allow: 'message' },
  { name: 'os-exit', cells: ['import os\nx=1\nos._exit(0)', 'print(x)'], allow: 'message' },
  { name: 'recursion-error', cells: ['def f(n): return f(n+1)\nf(0)', 'print(1)'], allow: 'message' },
  { name: 'keyboard-interrupt', cells: ['raise KeyboardInterrupt', 'print(1)'], allow: 'message' },
  { name: 'getpass', cells: ['import getpass\np=getpass.getpass()', 'print(p)'], allow: 'message' },
  { name: 'syntax-error', cells: ['x = = 1', 'print(1)'], allow: 'message' },
  { name: 'shell-bang', cells: ['!ls\nx=1', 'print(x)'], allow: 'message' },
  { name: 'py2-print', cells: ["print 'hi'\nx=1", 'print(x)'], allow: 'message' },
  {
    name: 'stdout-redirect-left',
    cells: ["import sys,io\nsys.stdout=io.StringIO()\nx=1\nprint('lost')", 'print(x)'],
    allow: 'message',
  },
  { name: 'stdout-closed', cells: ['import sys\nx=1\nsys.stdout.close()', 'print(x)'], allow: 'message' },
  {
    name: 'daemon-thread-left',
    cells: [
      'import threading,time\nthreading.Thread(target=lambda: time.sleep(100),daemon=True).start()\nx=1',
      'print(x)',
    ],
    allow: 'message',
  },
  {
    name: 'nondaemon-thread-left',
    cells: ['import threading,time\nthreading.Thread(target=lambda: time.sleep(3)).start()\nx=1', 'print(x)'],
    allow: 'message',
  },
];
