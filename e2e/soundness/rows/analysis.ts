import type { Row } from './row.ts';

/** Rows of the soundness test: code whose names the analysis of a cell must find, or report that it cannot. */
export const ANALYSIS: readonly Row[] = [
  {
    name: 'del-name',
    allow: 'message',
    cells: ['x=1\ny=2\ndel x', "print(y)\ntry:\n    print(x)\nexcept NameError:\n    print('no x')"],
  },
  {
    name: 'del-upstream',
    allow: 'message',
    cells: ['x=1', 'del x\ny=2', "try:\n    print(x)\nexcept NameError:\n    print('gone')"],
  },
  {
    name: 'cond-def-missing',
    allow: 'message',
    cells: [
      'flag=False\nif flag:\n    x=1\nelse:\n    y=1',
      "try:\n    print(x)\nexcept NameError:\n    print('none')",
    ],
  },
  {
    name: 'try-import-missing',
    cells: ['try:\n    import not_a_pkg as nap\nexcept ImportError:\n    nap=None', 'print(nap)'],
  },
  {
    name: 'type-checking',
    cells: [
      "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pandas import DataFrame\ndef f(x: 'DataFrame'):\n    return len(x)",
      'print(f([1,2]))',
    ],
  },
  {
    name: 'type-alias-312',
    cells: ['type V = list[int]', 'print(V.__value__)'],
    steps: [{ edit: [0, 'type V = list[str]'] }],
  },
  {
    name: 'annotation-only',
    cells: ['x: int', "try:\n    print(x)\nexcept NameError:\n    print('unbound')"],
  },
  { name: 'unicode-names', cells: ['变量=2\nñ=3', 'print(变量+ñ)'], steps: [{ edit: [0, '变量=5\nñ=3'] }] },
  { name: 'nfkc-names-reverse', cells: ['fi=1', 'print(ﬁ)'], steps: [{ edit: [0, 'fi=2'] }] },
  {
    name: 'underscore-name',
    allow: 'message',
    cells: ['_x=1', "try:\n    print(_x)\nexcept NameError:\n    print('no')"],
  },
  { name: 'builtin-shadow', cells: ['list=[1,2]', 'print(list)'], steps: [{ edit: [0, 'list=[3]'] }] },
  {
    name: 'builtin-shadow-sum',
    cells: ["def sum(x): return 'mine'", 'print(sum([1]))'],
    steps: [{ edit: [0, "def sum(x): return 'other'"] }],
  },
  {
    name: 'exec-defined',
    allow: 'message',
    cells: ["exec('xx=5')", "try:\n    print(xx)\nexcept NameError:\n    print('no')"],
  },
  {
    name: 'globals-read',
    allow: 'message',
    cells: ['x=5', "print(globals()['x'])"],
    steps: [{ edit: [0, 'x=6'] }],
  },
  {
    name: 'eval-read',
    allow: 'message',
    cells: ['x=5', "print(eval('x+1'))"],
    steps: [{ edit: [0, 'x=6'] }],
  },
  {
    name: 'redefinition',
    cells: ['x=1', "print('mid',x)\ny=x", 'x=2', 'print(x,y)'],
    steps: [{ edit: [0, 'x=10'] }, { edit: [2, 'x=3'] }],
  },
  {
    name: 'async-for-with',
    cells: [
      'import asyncio, contextlib\nasync def agen():\n    for i in range(3):\n        yield i\n@contextlib.asynccontextmanager\nasync def cm():\n    yield 5\nout=[]\nasync for i in agen():\n    out.append(i)\nasync with cm() as c:\n    out.append(c)\nout2=[x async for x in agen()]',
      'print(out,out2)',
    ],
  },
  { name: 'asyncio-run', cells: ['import asyncio\nasync def g(): return 3\nv=asyncio.run(g())', 'print(v)'] },
  {
    name: 'async-gather-tasks',
    cells: [
      'import asyncio\nasync def g(i):\n    await asyncio.sleep(0.01)\n    return i\nr=await asyncio.gather(*[g(i) for i in range(3)])',
      'print(r)',
    ],
  },
  {
    name: 'duckdb-replacement-scan',
    cells: [
      "import duckdb, pandas as pd\ntbl=pd.DataFrame({'x':[3,1,2]})",
      "print(duckdb.sql('select sum(x) from tbl').fetchone())",
    ],
    steps: [{ edit: [0, "import duckdb, pandas as pd\ntbl=pd.DataFrame({'x':[5]})"] }],
    needs: 'duckdb',
  },
  { name: 'name-main', cells: ['v=__name__', 'print(v)'] },
  { name: 'if-main', cells: ["if __name__=='__main__':\n    v=1\nelse:\n    v=2", 'print(v)'] },
  { name: 'main-module', cells: ["import __main__\nw=5\nprint(getattr(__main__,'w',None))"] },
  { name: 'tabs', cells: ['if True:\n\tx=1\n\ty=2', 'print(x,y)'] },
  { name: 'semicolons', cells: ['x=1; y=2; z=x+y;', 'print(z)'] },
];
