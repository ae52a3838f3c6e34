/** Compares what cells print on a real server with one plain Python interpreter, for names that are hard to analyse. */

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlainInterpreter, startPlainInterpreter } from '../soundness/plain/plainInterpreter.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
let interpreter: PlainInterpreter;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-names-'));
  interpreter = startPlainInterpreter(['asyncio', 'contextlib']);
});
afterAll(async () => {
  await interpreter.close();
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

/** What the last of the cells prints in one plain interpreter. */
async function plain(cells: readonly string[], dir: string): Promise<string> {
  const ran = await interpreter.run({ dir, cells });
  expect(ran.map(({ error }) => error)).toEqual(cells.map(() => null));
  return ran.at(-1)?.stdout ?? '';
}

interface Row {
  readonly name: string;
  readonly cells: readonly string[];
  /** The analysis treats it like another row; src-main/language/python/maybeNames.test.ts tests what it finds. */
  readonly isRepeated?: true;
  /** The new text of a cell, set after the first comparison. */
  readonly edit?: readonly [cell: number, text: string];
  readonly files?: Readonly<Record<string, string>>;
}

const ID = (at: number) => `cell${at}`;

let folders = 0;
async function open({ cells, files = {} }: Row): Promise<OpenNotebook> {
  folders += 1;
  const dir = join(root, `notebook-${folders}`);
  await writeReadyNotebook(dir, { cells: cells.map((source, at) => ({ id: ID(at), source })) });
  for (const [path, text] of Object.entries(files)) await writeFile(join(dir, path), text);
  return openNotebook(server, dir);
}

/** Checks that the last cell prints the same as a plain interpreter, before the edit and after it. */
async function expectAsPlain(row: Row): Promise<void> {
  const notebook = await open(row);
  const last = ID(row.cells.length - 1);
  const printed = async () => {
    const { error, stdout } = await notebook.execute(last);
    return { error, stdout };
  };
  expect(await printed()).toEqual({ error: null, stdout: await plain(row.cells, notebook.path) });
  if (row.edit !== undefined) {
    const [at, text] = row.edit;
    await notebook.edit(ID(at), text);
    const edited = row.cells.map((cell, index) => (index === at ? text : cell));
    expect(await printed()).toEqual({ error: null, stdout: await plain(edited, notebook.path) });
  }
  await notebook.close();
}

const CONDITIONAL: readonly Row[] = [
  {
    name: 'if',
    cells: ['x = 1', 'flag = False\nif flag:\n    x = 2', 'print(x)'],
    edit: [1, 'flag = True\nif flag:\n    x = 2'],
  },
  {
    name: 'the first value changes',
    isRepeated: true,
    cells: ['x = 1', 'if False:\n    x = 2', 'print(x)'],
    edit: [0, 'x = 5'],
  },
  {
    name: 'bound in three cells',
    cells: ['x = 1', 'if False:\n    x = 2', 'if False:\n    x = 3', 'print(x)'],
    edit: [0, 'x = 7'],
  },
  {
    name: 'read in the same cell',
    cells: ['x = [1]', 'if False:\n    x = [2]\nprint(x)'],
    edit: [0, 'x = [3]'],
  },
  { name: 'for', isRepeated: true, cells: ['i = 9', 'for i in []:\n    pass', 'print(i)'] },
  { name: 'while', isRepeated: true, cells: ['x = 9', 'while False:\n    x = 1', 'print(x)'] },
  {
    name: 'try',
    isRepeated: true,
    cells: ['x = 9', 'try:\n    x = int("a")\nexcept ValueError:\n    pass', 'print(x)'],
  },
  {
    name: 'except as',
    isRepeated: true,
    cells: ['e = 9', 'try:\n    pass\nexcept ValueError as e:\n    pass', 'print(e)'],
  },
  {
    name: 'suppress',
    isRepeated: true,
    cells: [
      'x = 9',
      'import contextlib\nwith contextlib.suppress(ValueError):\n    x = int("a")',
      'print(x)',
    ],
  },
  { name: 'match', isRepeated: true, cells: ['x = 9', 'match 3:\n    case 4:\n        x = 1', 'print(x)'] },
  { name: 'walrus after and', isRepeated: true, cells: ['x = 9', 'False and (x := 1)', 'print(x)'] },
  {
    name: 'walrus in a comprehension',
    isRepeated: true,
    cells: ['x = 9', '[x := i for i in []]', 'print(x)'],
  },
  { name: 'global in a function', cells: ['x = 9', 'def f():\n    global x\n    x = 1', 'print(x)'] },
  {
    name: 'called before it is bound',
    cells: ['x = 9', 'def f():\n    return x\na = f()\nx = 1', 'print(a, x)'],
  },
  {
    name: 'definition',
    cells: ['def f():\n    return 1', 'if False:\n    def f():\n        return 2', 'print(f())'],
    edit: [0, 'def f():\n    return 3'],
  },
  {
    name: 'a function reads it',
    cells: ['k = 1', 'if False:\n    k = 2\ndef f():\n    return k', 'print(f())'],
    edit: [0, 'k = 4'],
  },
  { name: 'import', cells: ['import math as m', 'if False:\n    import cmath as m', 'print(m.sqrt(4))'] },
  {
    name: 'bound, changed in place and read below',
    cells: ['x = [1]', 'if False:\n    x = []\nx.append(2)', 'print(x)'],
  },
];

const ofRun = (rows: readonly Row[]) => rowsOfRun(rows, ({ isRepeated = false }) => !isRepeated);

describe('[SO-100] a name bound under a condition keeps the value of the cell above', () => {
  it.each(ofRun(CONDITIONAL))('$name', expectAsPlain);
});

/** Looks names up in the calling frame, as pandas, polars and DuckDB do; this environment has none of these. */
const FRAMES = `
import re, sys
class Table:
    def __init__(self, values): self.values = values
    def query(self, text):
        limit = sys._getframe(1).f_globals[re.search(r"@(\\w+)", text)[1]]
        return [value for value in self.values if value > limit]
    eval = query
def sql(text):
    return sum(sys._getframe(1).f_globals[re.search(r"from (\\w+)", text)[1]].values)
def evaluate(text): return eval(text, sys._getframe(1).f_globals)
`;

const files = { 'frames.py': FRAMES };
const TABLE = 'from frames import Table\ndf = Table([1, 5])\nlimit = 2';

const TEXTS: readonly Row[] = [
  {
    name: 'query',
    files,
    cells: [TABLE, "print(df.query('a > @limit'))"],
    edit: [0, TABLE.replace('2', '0')],
  },
  { name: 'frame eval', isRepeated: true, files, cells: [TABLE, "print(df.eval('b = a * @limit'))"] },
  {
    name: 'evaluate',
    files,
    cells: ['x = 1\ny = 2', "import frames\nprint(frames.evaluate('x + y'))"],
    edit: [0, 'x = 4\ny = 2'],
  },
  {
    name: 'sql',
    files,
    cells: [TABLE, "import frames\nprint(frames.sql('select sum(x) from df'))"],
    edit: [0, TABLE.replace('1', '7')],
  },
  {
    name: 'sql in an f-string',
    isRepeated: true,
    files,
    cells: [TABLE, "import frames\nprint(frames.sql(f'select sum(x) from df where x > {limit}'))"],
  },
  {
    name: 'sql from a variable',
    files,
    cells: [TABLE, "import frames\nq = 'select sum(x) from df'\nprint(frames.sql(q))"],
  },
  {
    name: 'sql in a function',
    isRepeated: true,
    files,
    cells: [
      TABLE,
      "import frames\ndef total():\n    return frames.sql('select sum(x) from df')\nprint(total())",
    ],
  },
  { name: 'eval', cells: ['x = 4', "print(eval('x + 1'))"], edit: [0, 'x = 6'] },
  { name: 'exec', cells: ['x = 4', "exec('y2 = x + 1')\nprint(globals()['y2'])"] },
  {
    name: 'globals',
    cells: ['x = 4', "print(globals()['x'], globals().get('x'), 'x' in globals())"],
    edit: [0, 'x = 6'],
  },
  { name: 'locals', isRepeated: true, cells: ['x = 4', "print('{x}'.format(**locals()), '%(x)d' % vars())"] },
  {
    name: 'template',
    isRepeated: true,
    cells: ['x = 4', "import string\nprint(string.Template('$x').substitute(globals()))"],
  },
  { name: 'after the cell binds the name', cells: ['x = 4', "x = 5\nprint(eval('x + 1'))"] },
  { name: 'before the cell binds the name', cells: ['x = 4', "print(eval('x + 1'))\nx = 5"] },
];

describe('[SO-101] names in the texts of query, SQL, eval and globals() are bound', () => {
  it.each(ofRun(TEXTS))('$name', expectAsPlain);
});

const AWAITS: readonly Row[] = [
  {
    name: 'await, async for and async with',
    cells: [
      'import asyncio, contextlib\nasync def agen():\n    for i in range(3):\n        yield i\n@contextlib.asynccontextmanager\nasync def cm():\n    yield 5\nout = []\nasync for i in agen():\n    out.append(i)\nasync with cm() as c:\n    out.append(c)\nout2 = [x async for x in agen()]\nout3 = await asyncio.gather(*[asyncio.sleep(0, i) for i in range(3)])',
      'print(out, out2, out3)',
    ],
  },
  {
    name: 'a coroutine of another cell',
    cells: [
      'import asyncio\nasync def g():\n    await asyncio.sleep(0)\n    return 3',
      'v = await g()\nw = await g()',
      'print(v, w)',
    ],
  },
];

describe('[SO-102] await outside a function', () => {
  it.each(AWAITS)('$name', expectAsPlain);
});

const STARS: readonly Row[] = [
  { name: 'an installed module', cells: ['from math import *', 'print(floor(pi))'] },
  {
    name: 'a module of the folder',
    files: { 'loc.py': 'import math\nVAL = 8\ndef double(x):\n    return 2 * x\n_hidden = 1\n' },
    cells: ['from loc import *', 'print(VAL, double(4), math.pi)'],
  },
  {
    name: 'names in __all__',
    files: { 'loc.py': "__all__ = ['a']\na = 1\nb = 2\n" },
    cells: ['b = 5', 'from loc import *', 'print(a, b)'],
  },
  {
    name: 'a name with an earlier value',
    files: { 'loc.py': 'VAL = 8\n' },
    cells: ['VAL = 1', 'from loc import *', 'print(VAL)'],
  },
];

describe('[SO-106] names of a star import are available in other cells', () => {
  it.each(STARS)('$name', expectAsPlain);
});

describe('[SO-105] an annotation without a value', () => {
  it('defines nothing: the value of the cell above is read', () =>
    expectAsPlain({ name: 'annotation', cells: ['x = 1', 'x: int', 'print(x)'] }));
});
