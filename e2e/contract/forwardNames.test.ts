/** Tests functions that use names of cells below them: cells on a real server print the same as in a kernel. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dag } from '../../src-shared/wire/dag.ts';
import { type PlainInterpreter, startPlainInterpreter } from '../soundness/plain/plainInterpreter.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import { startWorkerProcess } from '../support/workerProcess.ts';

let root = '';
let server: ServerProcess;
let interpreter: PlainInterpreter;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-forward-'));
  interpreter = startPlainInterpreter(['asyncio', 'functools']);
});
afterAll(async () => {
  await interpreter.close();
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

/** What the last of the cells prints, all run one after another in one namespace, as in a kernel. */
async function kernel(cells: readonly string[], dir: string): Promise<string> {
  const ran = await interpreter.run({ dir, cells });
  expect(ran.map(({ error }) => error)).toEqual(cells.map(() => null));
  return ran.at(-1)?.stdout ?? '';
}

interface Row {
  readonly name: string;
  readonly cells: readonly string[];
  /** Longer than another row, or with another kind of code in the same place. */
  readonly isRepeated?: true;
  /** [index of a cell, its new text]: made in order, and the last cell is run again after each. */
  readonly edits?: readonly (readonly [number, string])[];
}

const ROWS: readonly Row[] = [
  {
    name: 'a function of a later cell',
    cells: ['def f(): return g() + 1', 'def g(): return 10', 'print(f())'],
    edits: [
      [1, 'def g(): return 20'],
      [0, 'def f(): return g() + 2'],
      [1, 'def g(): return 10'],
    ],
  },
  {
    name: 'a value of a later cell',
    cells: ['def f(): return K', 'K = 7', 'print(f())'],
    edits: [[1, 'K = 8']],
  },
  {
    name: 'a module imported further down',
    cells: ['def f(): return math.floor(2.5)', 'import math', 'print(f())'],
    edits: [[1, 'class math:\n    def floor(x): return 99']],
  },
  {
    name: 'over three cells',
    isRepeated: true,
    cells: ['def f(): return g() + 1', 'def g(): return h() * 2', 'def h(): return 5', 'print(f())'],
    edits: [
      [2, 'def h(): return 6'],
      [1, 'def g(): return h() * 3'],
    ],
  },
  {
    name: 'mutual recursion',
    cells: [
      'def even(n): return n == 0 or odd(n - 1)',
      'def odd(n): return n != 0 and even(n - 1)',
      'print(even(10), odd(10))',
    ],
    edits: [
      [1, 'def odd(n): return n != 0 and bool(even(n - 1)) and n'],
      [0, 'def even(n): return n == 0 or odd(n - 1) or 7'],
    ],
  },
  {
    name: 'mutual recursion over three cells',
    isRepeated: true,
    cells: [
      'def a(n): return ["a"] + (b(n - 1) if n else [])',
      'def b(n): return ["b"] + (c(n - 1) if n else [])',
      'def c(n): return ["c"] + (a(n - 1) if n else []) + (b(n - 1) if n else [])',
      'print(a(5), b(4), c(3))',
    ],
    edits: [[1, 'def b(n): return ["B"] + (c(n - 1) if n else [])']],
  },
  {
    name: 'a method that uses a later function and a later class',
    cells: [
      'class A:\n    def __init__(self, x): self.x = x\n    def run(self): return helper(self.x), B(self.x).y, isinstance(self.made(), B)\n    def made(self): return B(1)',
      'def helper(x): return x + 1',
      'class B:\n    def __init__(self, y): self.y = y * 10',
      'a = A(4)',
      'print(a.run(), isinstance(a, A), isinstance(a.made(), B))',
    ],
    edits: [
      [1, 'def helper(x): return x + 2'],
      [2, 'class B:\n    def __init__(self, y): self.y = y * 100'],
    ],
  },
  {
    name: 'an instance made above the function that its method uses',
    cells: [
      'class A:\n    def run(self): return helper()',
      'a = A()\nmany = {"k": [a, A()]}',
      'def helper(): return 1',
      'print(a.run(), many["k"][1].run())',
    ],
    edits: [[2, 'def helper(): return 2']],
  },
  {
    name: 'an instance made in the cell of its class',
    isRepeated: true,
    cells: [
      'class A:\n    def run(self): return helper()\na = A()\nn = 3',
      'def helper(): return 1',
      'print(a.run(), n)',
    ],
    edits: [[1, 'def helper(): return 2']],
  },
  {
    name: 'a function that calls the function',
    isRepeated: true,
    cells: ['def f(): return g()', 'def g(): return 10', 'def h(): return f() + 1', 'print(h())'],
    edits: [
      [1, 'def g(): return 20'],
      [2, 'def h(): return f() + 2'],
    ],
  },
  {
    name: 'the function under another name, and in a partial',
    cells: [
      'def f(x): return g() + x',
      'def g(): return 10',
      'from functools import partial\nh = f\np = partial(f, 5)',
      'print(h(1), p(), h is f)',
    ],
    edits: [[1, 'def g(): return 20']],
  },
  {
    name: 'a value keeps the definitions that its names had when it was made',
    cells: [
      'class A:\n    def run(self): return g()',
      'def g(): return h() + 1',
      'def h(): return 10',
      'a = A()',
      'b = [a]',
      'print(b[0].run())',
    ],
    edits: [
      [2, 'def h(): return 20'],
      [1, 'def g(): return h() + 2'],
    ],
  },
  {
    name: 'a name defined again between the value and its user',
    cells: [
      'class A:\n    def run(self): return g()',
      'def g(): return 1',
      'a = A()',
      'def g(): return 2',
      'print(a.run(), isinstance(a, A))',
    ],
    edits: [
      [3, 'def g(): return 3'],
      [3, 'pass'],
    ],
  },
  {
    name: 'the nearest definer above each caller',
    cells: [
      'def f(): return g()',
      'def g(): return 1',
      'first = f()',
      'def g(): return 2',
      'print(first, f())',
    ],
    edits: [
      [1, 'def g(): return 5'],
      [3, 'def g(): return 6'],
    ],
  },
  {
    name: 'the caller defines the name itself',
    cells: ['def f(): return g() + 1', 'def g(): return 10\nprint(f())'],
    edits: [[1, 'def g(): return 20\nprint(f())']],
  },
  {
    name: 'the caller defines the name again',
    isRepeated: true,
    cells: [
      'def f(): return g() + 1',
      'def g(): return 10',
      'first = f()\ndef g(): return 20\nprint(first, f())',
    ],
    edits: [[1, 'def g(): return 30']],
  },
  {
    name: 'a builtin that a later cell replaces',
    cells: ['def f(): return sum([1, 2])', 'def sum(x): return "mine"', 'print(f(), sum([3]))'],
    edits: [
      [1, 'def sum(x): return "other"'],
      [1, 'pass'],
    ],
  },
  {
    name: 'a wrapper made by a decorator that uses a later function',
    cells: [
      'def deco(fn):\n    def wrapper(*a): return tag(fn(*a))\n    return wrapper',
      '@deco\ndef f(x): return x',
      'def tag(x): return ["tag", x]',
      'print(f(3))',
    ],
    edits: [[2, 'def tag(x): return ["TAG", x]']],
  },
  {
    name: 'a later container that the function changes',
    cells: ['def put(x): SEEN.append(x)', 'SEEN = []', 'put(1)\nput(2)\nprint(SEEN)'],
  },
  {
    name: 'generators, async functions and comprehensions',
    isRepeated: true,
    cells: [
      'def gen():\n    for x in range(3): yield g(x)\nasync def co(): return [g(x) for x in range(2)]',
      'def g(x): return x * 10',
      'import asyncio\nprint(list(gen()), asyncio.run(co()))',
    ],
    edits: [[1, 'def g(x): return x * 100']],
  },
];

async function linked(open: OpenNotebook): Promise<readonly string[]> {
  const { body } = await open.get<Dag>('/dag');
  return body.edges.map((edge) => `${edge.from_cell_id}-${edge.to_cell_id} ${edge.variable}`);
}

describe('forward names', () => {
  const rows = rowsOfRun(ROWS, ({ isRepeated = false }) => !isRepeated);
  it.each(rows)('[SO-130] same output as in a kernel: $name', async ({ name, cells, edits = [] }) => {
    const texts = [...cells];
    const last = `c${texts.length - 1}`;
    const open = await openNotebook(
      server,
      join(root, name.replaceAll(/\W+/g, '-')),
      texts.map((source, i) => ({ id: `c${i}`, source: `${source}\n` })),
    );
    const first = await open.execute(last);
    expect(first.error).toBe(null);
    expect(first.stdout).toBe(await kernel(texts, open.path));
    for (const [place, text] of edits) {
      texts[place] = text;
      await open.edit(`c${place}`, `${text}\n`);
      expect((await open.cell(last)).status).not.toBe('ready');
      const result = await open.execute(last);
      expect([text, result.error]).toEqual([text, null]);
      const { console_stdout } = await open.cell(last);
      expect([text, result.stdout || console_stdout]).toEqual([text, await kernel(texts, open.path)]);
    }
    const states = await Promise.all(texts.map((_, i) => open.cell(`c${i}`)));
    expect(states.flatMap(({ annotation_diagnostics }) => annotation_diagnostics)).toEqual([]);
  });

  it('[SO-131] the caller gets edges from both cells, the definers none between them', async () => {
    const open = await openNotebook(server, join(root, 'edges'), [
      { id: 'c0', source: 'def f(): return g() + 1\n' },
      { id: 'c1', source: 'def g(): return 10\n' },
      { id: 'c2', source: 'r = f()\n' },
      { id: 'c3', source: 'print(r)\n' },
    ]);
    expect(await linked(open)).toEqual(['c0-c2 f', 'c1-c2 g', 'c2-c3 r']);
    await open.execute('c3');
    await open.edit('c1', 'def g(): return 20\n');
    const cells = await Promise.all(['c0', 'c1', 'c2', 'c3'].map((id) => open.cell(id)));
    expect(cells.map(({ status }) => status)).toEqual(['ready', 'idle', 'stale', 'stale']);
  });

  it('[SO-132] a caller above the definer fails with the cell that defines the name', async () => {
    const open = await openNotebook(server, join(root, 'above'), [
      { id: 'c0', source: 'def f(): return g() + 1\n' },
      { id: 'c1', source: 'print(f())\n' },
      { id: 'c2', source: '# @name tools\ndef g(): return 10\n' },
    ]);
    const { error } = await open.execute('c1');
    expect(error).toContain("name 'g' is not defined");
    expect(error).toContain('g is defined further down, in the cell tools. Move that cell above this one.');
  });

  it('[SO-133] a name that no cell defines still blocks the function', async () => {
    const open = await openNotebook(server, join(root, 'nowhere'), [
      { id: 'c0', source: 'def f(): return g() + 1\n' },
      { id: 'c1', source: 'print(f())\n' },
    ]);
    expect((await open.cell('c0')).annotation_diagnostics.map(({ code }) => code)).toEqual([
      'module_export_blocked',
    ]);
    expect((await open.execute('c0')).error).toContain(
      'which is not defined in this cell or a cell above: import or define it here, or pass it as an argument',
    );
  });

  it('[SO-134] the same holds in a loop, per variant and after reopening', async () => {
    const cells = [
      { id: 'c0', source: 'def f(x): return g(x) + 1\n' },
      { id: 'c1', source: 'def g(x): return x * 10\n' },
      { id: 'c2', source: '# @loop max_iter=3 carry=n\nn = f(n)\n' },
      { id: 'v0', source: '# @variant pick low\nk = 1\n' },
      { id: 'v1', source: '# @variant pick high\nk = 2\n' },
      { id: 'c3', source: 'print(n, f(k))\n' },
    ];
    cells.splice(2, 0, { id: 'n0', source: 'n = 1\n' });
    const open = await openNotebook(server, join(root, 'loop'), cells);
    expect((await open.execute('c3')).stdout).toBe('1111 11\n');
    await open.edit('c1', 'def g(x): return x * 100\n');
    expect((await open.execute('c3')).stdout).toBe('1010101 101\n');
    await open.close();
    const again = await openNotebook(server, join(root, 'loop'));
    expect((await again.cell('c3')).status).toBe('ready');
    await again.edit('c1', 'def g(x): return x * 10\n');
    await again.execute('c3');
    expect((await again.cell('c3')).console_stdout).toBe('1111 11\n');
  });

  it('[SO-135] the same holds on a worker', async () => {
    const worker = await startWorkerProcess({ env: { SVC_WORKER_TOKEN: 'a-token' } });
    try {
      const at = '# @worker gpu\n';
      const open = await openNotebook(server, join(root, 'worker'), [
        { id: 'c0', source: `${at}class A:\n    def run(self): return g() + 1\ndef f(): return g()\n` },
        { id: 'c1', source: `${at}def g(): return 10\n` },
        { id: 'c2', source: `${at}a = A()\nprint(a.run(), f())\n` },
        { id: 'c3', source: 'print(a.run())\n' },
        { id: 'c4', source: `${at}print(a.run())\n` },
      ]);
      const gpu = { name: 'gpu', backend: 'executor', config: { url: `${worker.url}/v1/execute` } };
      await rest(server.url, 'PUT', `/v1/notebooks/${open.sid}/workers`, { workers: [gpu] });
      const token = { name: 'gpu', token: 'a-token' };
      await rest(server.url, 'PUT', `/v1/notebooks/${open.sid}/x/workers/token`, token);
      expect(await open.execute('c2')).toMatchObject({ error: null, stdout: '11 10\n' });
      expect(await open.execute('c3')).toMatchObject({ error: null, stdout: '11\n' });
      expect(await open.execute('c4')).toMatchObject({ error: null, stdout: '11\n' });
      await open.edit('c1', `${at}def g(): return 20\n`);
      expect(await open.execute('c4')).toMatchObject({ error: null, stdout: '21\n' });
    } finally {
      await worker.stop();
    }
  });
});
