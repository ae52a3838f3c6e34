import { describe, expect, test } from 'vitest';
import { diagnosticsOfNotebook } from './testing/testDiagnostics.ts';

interface Row {
  readonly name: string;
  readonly cells: readonly string[];
  readonly expected: readonly string[];
}

const PRIVATE: readonly Row[] = [
  {
    name: 'a private name of a cell above',
    cells: ['_x = 1', 'print(_x)'],
    expected: ['b warn private_name  _x'],
  },
  {
    name: 'in a function',
    cells: ['def _f(): pass', 'def g(): return _f()'],
    expected: ['b warn private_name  _f'],
  },
  { name: 'bound here', cells: ['_x = 1', '_x = 2\nprint(_x)'], expected: [] },
  { name: 'of a cell below', cells: ['print(_x)', '_x = 1'], expected: [] },
  { name: 'of no cell', cells: ['print(_x)'], expected: [] },
  { name: 'the throw-away name', cells: ['for _ in []: pass', 'print(_)'], expected: [] },
  {
    name: 'names that Python defines',
    cells: ['__version__ = 1', 'print(__name__, __version__)'],
    expected: [],
  },
];

const TEXTS: readonly Row[] = [
  {
    name: 'eval of a variable',
    cells: ['x = 1', 'code = "x"\neval(code)'],
    expected: ['b warn names_in_text 2 eval(code)'],
  },
  { name: 'eval of a string literal', cells: ['x = 1', 'eval("x")'], expected: [] },
  { name: 'eval with its own namespace', cells: ['eval(code, {"x": 1})'], expected: [] },
  {
    name: 'globals with a variable key',
    cells: ['globals()[name]'],
    expected: ['a warn names_in_text 1 globals()[name]'],
  },
  { name: 'all globals', cells: ['f(\n  globals())'], expected: ['a warn names_in_text 2 f( globals())'] },
  {
    name: 'format of an unknown string',
    cells: ['t.format(**locals())'],
    expected: ['a warn names_in_text 1 t.format(**locals())'],
  },
  { name: 'format of a string literal', cells: ['"{x}".format(**locals())'], expected: [] },
  { name: 'locals of a function', cells: ['def f(): return locals()'], expected: [] },
  {
    name: 'globals of a function',
    cells: ['def f(): return globals()'],
    expected: ['a warn names_in_text 1 globals()'],
  },
  { name: 'vars of an object', cells: ['vars(o); dir(o); model.eval()'], expected: [] },
  {
    name: 'SQL from another cell',
    cells: ['q = "select 1"', 'import duckdb\nduckdb.sql(q)'],
    expected: ['b warn names_in_text 2 duckdb.sql(q)'],
  },
  {
    name: 'SQL from this cell',
    cells: ['import duckdb\nq = "select 1 from df"\nduckdb.sql(q)'],
    expected: [],
  },
  { name: 'SQL that sees no variables', cells: ['con.execute(q)'], expected: [] },
];

const OTHERS: readonly Row[] = [
  { name: 'exec defines', cells: ['exec("xx = 5")', 'print(xx)'], expected: ['a warn hidden_define 1 xx'] },
  { name: 'exec defines a name that no cell reads', cells: ['exec("xx = 5")'], expected: [] },
  {
    name: 'globals defines',
    cells: ['x = 1\nglobals()["gg"] = 3', 'gg'],
    expected: ['a warn hidden_define 2 gg'],
  },
  {
    name: 'a star import',
    cells: ['import os\nfrom unknown import *'],
    expected: ['a warn star_import 2 unknown'],
  },
  { name: 'input', cells: ['x = input("name? ")'], expected: ['a warn asks_for_input 1 input'] },
  { name: 'input of an earlier cell', cells: ['def input(): return 1', 'x = input()'], expected: [] },
  { name: 'input of this cell', cells: ['def input(): return 1\nx = input()'], expected: [] },
  {
    name: 'getpass',
    cells: ['import getpass\nx = getpass.getpass()'],
    expected: ['a warn asks_for_input 2 getpass.getpass'],
  },
  { name: 'a magic', cells: ['x = 1\n%timeit x'], expected: ['a warn magic_line 2 %timeit'] },
  { name: 'a cell magic', cells: ['%%bash\nls -l\n!pwd'], expected: ['a warn magic_line 1 %%bash'] },
  {
    name: 'a shell command',
    cells: ['!ls\nfiles = !ls *.py'],
    expected: ['a warn magic_line 1 !', 'a warn magic_line 2 !'],
  },
  { name: 'pip', cells: ['! python -m pip install a'], expected: ['a warn magic_line 1 !pip'] },
  { name: 'help', cells: ['df?', '?df'], expected: ['a warn magic_line 1 ?', 'b warn magic_line 1 ?'] },
  { name: 'modulo over two lines', cells: ['x = (5\n  %y)'], expected: [] },
  {
    name: 'source text',
    cells: ['def f(): pass', 'import inspect\nprint(inspect.getsource(f), inspect.getsource(f))'],
    expected: ['b info reads_source 2 getsource'],
  },
  {
    name: 'a line number in a function',
    cells: ['def at(f):\n    return f.__code__.co_firstlineno'],
    expected: ['a info reads_source 2 co_firstlineno'],
  },
  {
    name: 'an imported function that returns comments',
    cells: ['from inspect import getcomments as text\ntext(print)'],
    expected: ['a info reads_source 1 getcomments'],
  },
  {
    name: 'subclasses',
    cells: ['class A: pass', 'A.__subclasses__()'],
    expected: ['b warn lists_subclasses 1 __subclasses__'],
  },
  {
    name: 'subclasses of a class of the cell',
    cells: ['class A: pass\nclass B(A): pass\nA.__subclasses__()'],
    expected: [],
  },
  {
    name: 'subclasses in a method',
    cells: ['class A:\n  def all(self): return A.__subclasses__()'],
    expected: ['a warn lists_subclasses 2 __subclasses__'],
  },
  { name: 'a docstring', cells: ['def f(): "text"', 'f.__doc__'], expected: [] },
  { name: 'source text in a string', cells: ['x = "getsource"  # getsource'], expected: [] },
  { name: 'a magic in a string', cells: ['x = """\n%timeit x\n"""'], expected: [] },
];

describe('[SO-104] [SO-333] names and commands whose use other cells cannot see', () => {
  test.each([...PRIVATE, ...TEXTS, ...OTHERS])('$name', ({ cells, expected }) => {
    expect(diagnosticsOfNotebook(cells).map(({ row }) => row)).toEqual(expected);
  });

  test('each message explains what to do', () => {
    const messages = [...PRIVATE, ...TEXTS, ...OTHERS].flatMap(({ cells }) => diagnosticsOfNotebook(cells));
    expect(messages.length).toBeGreaterThan(10);
    const advice = /Rename|Put|Name each|Assign|Import|Keep|Use|Run|Write|Add|Remove/;
    expect(messages.filter(({ message }) => !advice.test(message))).toEqual([]);
  });
});
