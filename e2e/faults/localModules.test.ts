/** Tests that after an edit of a Python module in the folder, no cell on a real server uses a result of older code. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Explanation } from '../../src-shared/wire/routes/extensions.ts';
import { connectLive } from '../support/liveClient.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { replaceFile } from '../support/replaceFile.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-modules-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const CELLS = [
  { id: 'uses0001', source: 'import helpers\nn = helpers.answer()' },
  { id: 'read0001', source: 'print(n)' },
  { id: 'apart001', source: 'print("apart")' },
];

async function folder(name: string): Promise<string> {
  const dir = join(root, name);
  await mkdir(join(dir, 'pkg'), { recursive: true });
  await writeFile(join(dir, 'helpers.py'), 'from pkg.deep import VALUE\ndef answer():\n    return VALUE\n');
  await writeFile(join(dir, 'pkg/__init__.py'), '');
  await writeFile(join(dir, 'pkg/deep.py'), 'VALUE = 1\n');
  return dir;
}

test('[PV-24] an edited module makes the cells that import it stale, with the reason', async () => {
  const notebook = await openNotebook(server, await folder('edited'), CELLS);
  const live = await connectLive(server.url, notebook.sid);
  expect((await notebook.execute('read0001')).stdout).toBe('1\n');
  await notebook.execute('apart001');
  expect((await notebook.execute('read0001')).cache_hit).toBe(true);
  const since = live.mark();
  await replaceFile(join(notebook.path, 'pkg/deep.py'), 'VALUE = 2\n');
  await live.next('cell_status', { since, where: ({ cell_id }) => cell_id === 'read0001' });
  const uses = await notebook.cell('uses0001');
  expect([uses.status, uses.causality]).toEqual([
    'idle',
    { reason: 'self', details: [{ type: 'source_changed', module: 'pkg/deep.py' }] },
  ]);
  expect((await notebook.cell('read0001')).status).toBe('stale');
  expect((await notebook.cell('apart001')).status).toBe('ready');
  const { body } = await notebook.get<Explanation>('/x/cells/uses0001/explain');
  expect(body.headline).toBe('The module pkg/deep.py changed. The code of this cell is unchanged.');
  expect(
    body.inputs.filter(({ kind }) => kind === 'module').map(({ name, state }) => `${name} ${state}`),
  ).toEqual(['helpers.py same', 'pkg/__init__.py same', 'pkg/deep.py changed']);
  expect((await notebook.execute('read0001')).stdout).toBe('2\n');
  await writeFile(join(notebook.path, 'pkg/deep.py'), 'VALUE = 1  # as before\n');
  expect(await notebook.execute('read0001')).toMatchObject({ cache_hit: true, stdout: '1\n' });
  await live.close();
});

test('[PV-25] a run right after an edit of a module does not use a result of older code', async () => {
  const notebook = await openNotebook(server, await folder('soon'), CELLS);
  for (let value = 2; value < 12; value += 1) {
    // The test does not wait for the file watcher, so the run must detect one changed byte within the same second.
    await writeFile(join(notebook.path, 'pkg/deep.py'), `VALUE = ${value % 10}\n`);
    expect((await notebook.execute('read0001')).stdout).toBe(`${value % 10}\n`);
  }
});

test('[PV-25] a reader of a value that contains a module or its classes uses the edited module', async () => {
  const dir = await folder('held');
  await writeFile(join(dir, 'shapes.py'), 'class Box:\n    def size(self):\n        return 1\n');
  const notebook = await openNotebook(server, dir, [
    { id: 'holds001', source: 'import shapes\nbox = shapes.Box()' },
    { id: 'asks0001', source: 'print(box.size(), shapes.Box().size())' },
  ]);
  expect((await notebook.execute('asks0001')).stdout).toBe('1 1\n');
  await writeFile(join(dir, 'shapes.py'), 'class Box:\n    def size(self):\n        return 2\n');
  expect((await notebook.execute('asks0001')).stdout).toBe('2 2\n');
});

test('[PV-25] a module written by a cell, and a module that an edited cell starts to import, are current', async () => {
  const notebook = await openNotebook(server, await folder('made'), [
    { id: 'write001', source: 'text = "G = 7"\nopen("made.py", "w").write(text)' },
    { id: 'takes001', source: 'text\nimport made\nprint(made.G)' },
    { id: 'later001', source: 'print("nothing")' },
  ]);
  expect((await notebook.execute('takes001')).stdout).toBe('7\n');
  await notebook.edit('write001', 'text = "G = 8"\nopen("made.py", "w").write(text)');
  expect((await notebook.execute('takes001')).stdout).toBe('8\n');
  await notebook.edit('later001', 'import helpers\nprint(helpers.answer())');
  expect((await notebook.execute('later001')).stdout).toBe('1\n');
  await replaceFile(join(notebook.path, 'pkg/deep.py'), 'VALUE = 3\n');
  expect((await notebook.execute('later001')).stdout).toBe('3\n');
});

test('[PV-26] a file of the folder hides an installed module of the same name, in a warm or cold interpreter', async () => {
  const dir = await folder('hides');
  await writeFile(join(dir, 'colorsys.py'), 'WHO = "mine"\n');
  const notebook = await openNotebook(server, dir, [
    { id: 'who00001', source: 'import colorsys\nprint(colorsys.WHO)' },
  ]);
  expect((await notebook.execute('who00001')).stdout).toBe('mine\n');
});
