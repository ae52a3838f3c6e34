import type { Row } from './row.ts';

/** Rows of the soundness test: which names a cell reads and sets, by the rules of Python. */
export const SCOPES: readonly Row[] = [
  {
    name: 'comprehension-scope',
    cells: ['p=10\nps=[1,2,3]', 'r=[p for p in ps]\nprint(r,p)'],
    steps: [{ edit: [0, 'p=20\nps=[1,2,3]'] }, { edit: [0, 'p=20\nps=[4]'] }],
  },
  {
    name: 'nested-comprehension',
    cells: ['m=[[1,2],[3]]\nk=2', 'print([x*k for row in m for x in row if x<k+1])'],
    steps: [{ edit: [0, 'm=[[1,2],[3]]\nk=3'] }],
  },
  {
    name: 'walrus-top',
    cells: ['if (n := 5) > 3:\n    pass', 'print(n)'],
    steps: [{ edit: [0, 'if (n := 6) > 3:\n    pass'] }],
  },
  {
    name: 'walrus-in-comp',
    cells: ['any((last := x) > 1 for x in [1,2,3])', 'print(last)'],
    steps: [{ edit: [0, 'any((last := x) > 2 for x in [1,2,3])'] }],
  },
  {
    name: 'global-counter',
    cells: ['n=0', 'def inc():\n    global n\n    n+=1\ninc(); inc()', 'print(n)'],
    steps: [{ edit: [0, 'n=10'] }],
  },
  {
    name: 'global-write-only',
    cells: ['def setit():\n    global z\n    z=5\nsetit()', 'print(z)'],
    steps: [{ edit: [0, 'def setit():\n    global z\n    z=6\nsetit()'] }],
  },
  { name: 'augmented-list', cells: ['L=[1]', 'L += [2]', 'print(L)'], steps: [{ edit: [0, 'L=[5]'] }] },
  { name: 'swap', cells: ['a=1\nb=2', 'a,b=b,a', 'print(a,b)'], steps: [{ edit: [0, 'a=3\nb=2'] }] },
  {
    name: 'for-var-leak',
    cells: ['for i in range(3): pass', 'print(i)'],
    steps: [{ edit: [0, 'for i in range(4): pass'] }],
  },
  {
    name: 'except-as',
    cells: ['try:\n    1/0\nexcept ZeroDivisionError as e:\n    msg=str(e)', 'print(msg)'],
  },
  {
    name: 'fstring-same-quotes-312',
    cells: ["d={'k':1}", 'print(f"{d["k"]}")'],
    steps: [{ edit: [0, "d={'k':2}"] }],
  },
  {
    name: 'fstring-debug-spec',
    cells: ['x=1', "print(f'{x=}')"],
    steps: [{ edit: [1, "print(f'{x = }')"] }],
  },
  {
    name: 'star-unpack',
    cells: ["first,*rest=[1,2,3]\n{**{'a':1}}", 'print(first,rest)'],
    steps: [{ edit: [0, 'first,*rest=[5,2]'] }],
  },
  { name: 'global-try-finally', cells: ['try:\n    a=1\nfinally:\n    b=2', 'print(a,b)'] },
  { name: 'while-else', cells: ['n=0\nwhile n<3:\n    n+=1\nelse:\n    done=True', 'print(n,done)'] },
];
