import { describe, expect, test } from 'vitest';
import { diagnosticsOfNotebook } from './testDiagnostics.ts';

interface Row {
  readonly name: string;
  readonly cells: readonly string[];
  readonly said: readonly string[];
}

const PRIVATE: readonly Row[] = [
  {
    name: 'a private name of a cell above',
    cells: ['_x = 1', 'print(_x)'],
    said: ['b warn private_name  _x'],
  },
  {
    name: 'in a function',
    cells: ['def _f(): pass', 'def g(): return _f()'],
    said: ['b warn private_name  _f'],
  },
  { name: 'bound here', cells: ['_x = 1', '_x = 2\nprint(_x)'], said: [] },
  { name: 'of a cell below', cells: ['print(_x)', '_x = 1'], said: [] },
  { name: 'of no cell', cells: ['print(_x)'], said: [] },
  { name: 'the throw-away name', cells: ['for _ in []: pass', 'print(_)'], said: [] },
  { name: 'names of Python itself', cells: ['__version__ = 1', 'print(__name__, __version__)'], said: [] },
];

const TEXTS: readonly Row[] = [
  {
    name: 'eval of a variable',
    cells: ['x = 1', 'code = "x"\neval(code)'],
    said: ['b warn names_in_text 2 eval(code)'],
  },
  { name: 'eval of a text', cells: ['x = 1', 'eval("x")'], said: [] },
  { name: 'eval with names of its own', cells: ['eval(code, {"x": 1})'], said: [] },
  {
    name: 'globals by a variable',
    cells: ['globals()[name]'],
    said: ['a warn names_in_text 1 globals()[name]'],
  },
  { name: 'all globals', cells: ['f(\n  globals())'], said: ['a warn names_in_text 2 f( globals())'] },
  {
    name: 'format with an unknown text',
    cells: ['t.format(**locals())'],
    said: ['a warn names_in_text 1 t.format(**locals())'],
  },
  { name: 'format with a text', cells: ['"{x}".format(**locals())'], said: [] },
  { name: 'locals of a function', cells: ['def f(): return locals()'], said: [] },
  {
    name: 'globals of a function',
    cells: ['def f(): return globals()'],
    said: ['a warn names_in_text 1 globals()'],
  },
  { name: 'vars of an object', cells: ['vars(o); dir(o); model.eval()'], said: [] },
  {
    name: 'SQL from another cell',
    cells: ['q = "select 1"', 'import duckdb\nduckdb.sql(q)'],
    said: ['b warn names_in_text 2 duckdb.sql(q)'],
  },
  { name: 'SQL from this cell', cells: ['import duckdb\nq = "select 1 from df"\nduckdb.sql(q)'], said: [] },
  { name: 'SQL that sees no variables', cells: ['con.execute(q)'], said: [] },
];

const OTHERS: readonly Row[] = [
  { name: 'exec defines', cells: ['exec("xx = 5")', 'print(xx)'], said: ['a warn hidden_define 1 xx'] },
  { name: 'exec defines what nobody reads', cells: ['exec("xx = 5")'], said: [] },
  {
    name: 'globals defines',
    cells: ['x = 1\nglobals()["gg"] = 3', 'gg'],
    said: ['a warn hidden_define 2 gg'],
  },
  {
    name: 'a star import',
    cells: ['import os\nfrom unknown import *'],
    said: ['a warn star_import 2 unknown'],
  },
  { name: 'input', cells: ['x = input("name? ")'], said: ['a warn asks_for_input 1 input'] },
  { name: 'input of an earlier cell', cells: ['def input(): return 1', 'x = input()'], said: [] },
  { name: 'input of this cell', cells: ['def input(): return 1\nx = input()'], said: [] },
  {
    name: 'getpass',
    cells: ['import getpass\nx = getpass.getpass()'],
    said: ['a warn asks_for_input 2 getpass.getpass'],
  },
  { name: 'a magic', cells: ['x = 1\n%timeit x'], said: ['a warn magic_line 2 %timeit'] },
  { name: 'a cell magic', cells: ['%%bash\nls -l\n!pwd'], said: ['a warn magic_line 1 %%bash'] },
  {
    name: 'a shell command',
    cells: ['!ls\nfiles = !ls *.py'],
    said: ['a warn magic_line 1 !', 'a warn magic_line 2 !'],
  },
  { name: 'pip', cells: ['! python -m pip install a'], said: ['a warn magic_line 1 !pip'] },
  { name: 'help', cells: ['df?', '?df'], said: ['a warn magic_line 1 ?', 'b warn magic_line 1 ?'] },
  { name: 'modulo over two lines', cells: ['x = (5\n  %y)'], said: [] },
  { name: 'a magic in a text', cells: ['x = """\n%timeit x\n"""'], said: [] },
];

describe('[SO-104] names and commands that a cell uses and nobody outside can follow', () => {
  test.each([...PRIVATE, ...TEXTS, ...OTHERS])('$name', ({ cells, said }) => {
    expect(diagnosticsOfNotebook(cells).map((one) => one.said)).toEqual(said);
  });

  test('each message says what to do', () => {
    const messages = [...PRIVATE, ...TEXTS, ...OTHERS].flatMap(({ cells }) => diagnosticsOfNotebook(cells));
    expect(messages.length).toBeGreaterThan(10);
    const advice = /Rename|Put|Name each|Assign|Import|Keep|Use|Run|Write|Add|Remove/;
    expect(messages.filter(({ message }) => !advice.test(message))).toEqual([]);
  });
});
