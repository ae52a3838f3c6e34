import type { Row } from './row.ts';

/** Rows of the soundness test: values of many types that another cell reads. */
export const VALUES: readonly Row[] = [
  {
    name: 'object-graph-shared',
    cells: ["shared=[1]\nobj={'a':shared,'b':shared}", "print(obj['a'] is obj['b'])"],
    allow: 'message',
  },
  { name: 'multi-target', cells: ['a=b=[0]', 'print(a,b,a is b)'], allow: 'message' },
  {
    name: 'string-concat-long',
    cells: ["s=('a'\n 'b')\nt='''x\ny'''", 'print(s,repr(t))'],
    steps: [{ edit: [0, "s=('a'\n 'c')\nt='''x\ny'''"] }],
  },
  { name: 'bigint', cells: ['n=10**500', 'print(n==10**500)'] },
  {
    name: 'fork',
    cells: ['import os\npid=os.fork()\nif pid==0:\n    os._exit(0)\nos.waitpid(pid,0)\nx=1', 'print(x)'],
  },
  {
    name: 'subprocess-output',
    cells: ["import subprocess,sys\nsubprocess.run(['echo','from child'])\nx=1", 'print(x)'],
  },
  { name: 'surrogate-string', cells: ["s='\\ud800x'", 'print(repr(s))'] },
  { name: 'nul-string', cells: ["s='a\\0b'", 'print(repr(s))'] },
  {
    name: 'groupby-object',
    cells: [
      "import pandas as pd\ng=pd.DataFrame({'a':[1,1],'b':[1,2]}).groupby('a')",
      'print(g.b.sum().tolist())',
    ],
  },
  {
    name: 'polars-lazy',
    cells: [
      "import polars as pl\nlf=pl.DataFrame({'a':[1,2]}).lazy().filter(pl.col('a')>1)",
      'print(lf.collect().to_dict(as_series=False))',
    ],
  },
  { name: 'none-value', cells: ['x=None', 'print(x is None)'] },
  { name: 'zip-map-objects', cells: ['z=zip([1],[2])', 'print(list(z))'] },
  {
    name: 'module-object',
    allow: 'message',
    cells: ['import json as j\nmods=[j]', 'print(mods[0].dumps([1]))'],
  },
  {
    name: 'traceback-object',
    cells: ['import sys\ntry:\n    1/0\nexcept Exception as ex:\n    exc=ex', 'print(type(exc).__name__)'],
  },
  {
    name: 'exception-cause',
    cells: [
      'try:\n    raise ValueError("a") from KeyError("b")\nexcept ValueError as e:\n    err=e',
      'print(repr(err), repr(err.__cause__), err.__suppress_context__)',
    ],
  },
];
