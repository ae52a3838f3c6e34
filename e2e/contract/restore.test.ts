/**
 * Tests restoring deleted cells over REST on a real server: text, position, tests and results, also after reopening.
 */

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { connectLive } from '../support/liveClient.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-restore-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const CELLS = [
  { id: 'first001', source: 'x = 20\n' },
  { id: 'middle01', source: 'print("made")\ny = x + 1\ny\n' },
  { id: 'last0001', source: 'y * 2\n' },
];

const restore = (open: { sid: string }, id: string) =>
  rest<{ detail: string; cells: Cell[] }>(
    server.url,
    'POST',
    `/v1/notebooks/${open.sid}/x/cells/${id}/restore`,
    {},
  );
const remove = (open: { sid: string }, id: string) =>
  rest(server.url, 'DELETE', `/v1/notebooks/${open.sid}/cells/${id}`);

async function ran(name: string): Promise<OpenNotebook> {
  const open = await openNotebook(server, join(root, name), CELLS);
  for (const { id } of CELLS) await open.execute(id);
  return open;
}

/** A cell without its order number. */
const withoutOrder = ({ order: _order, ...cell }: Cell) => cell;

describe('restoring a deleted cell', () => {
  it('[NF-30] [NF-31] restores id, bytes, position, tests and results, and notifies every client', async () => {
    const path = await writeNotebook(join(root, 'whole'), { cells: CELLS });
    await writeFile(join(path, 'cells/middle01.py'), '\ufeffprint("made")\r\ny = x + 1\r\ny\r\n');
    await writeFile(join(path, 'cells/middle01.test.py'), 'def test_it():\n    assert y == 21\n');
    const toml = await readFile(join(path, 'notebook.toml'), 'utf8');
    const block = 'id = "middle01"\nmine = "kept"\nenv = { PLAIN = "1", MY_TOKEN = "hush" }';
    await writeFile(join(path, 'notebook.toml'), toml.replace('id = "middle01"', block));
    const open = await openNotebook(server, path);
    for (const { id } of CELLS) await open.execute(id);
    const before = await open.cell('middle01');
    const reader = await open.cell('last0001');
    expect([before.status, reader.status]).toEqual(['ready', 'ready']);
    const bytes = await readFile(join(path, 'cells/middle01.py'));
    const live = await connectLive(server.url, open.sid);

    expect((await remove(open, 'middle01')).status).toBe(200);
    expect((await open.cell('last0001')).status).toBe('stale');
    const records = await readdir(join(path, '.svc/deleted'));
    expect(await readFile(join(path, '.svc/deleted', records[0] ?? ''), 'utf8')).not.toContain('hush');

    const since = live.mark();
    const answer = await restore(open, 'middle01');
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.cells.map(({ id }) => id)).toEqual(CELLS.map(({ id }) => id));
    expect((await live.next('notebook_state', { since })).payload.cells.map(({ id }) => id)).toEqual(
      CELLS.map(({ id }) => id),
    );
    expect(await open.cell('middle01')).toEqual(before);
    expect(withoutOrder(await open.cell('last0001'))).toEqual(withoutOrder(reader));
    expect(await readFile(join(path, 'cells/middle01.py'))).toEqual(bytes);
    expect(await readFile(join(path, 'cells/middle01.test.py'), 'utf8')).toContain('assert y == 21');
    const file = await readFile(join(path, 'notebook.toml'), 'utf8');
    expect(file).toContain('mine = "kept"');
    expect(file).not.toContain('hush');
    expect((await open.execute('middle01')).cache_hit).toBe(true);
    expect(await readdir(join(path, '.svc/deleted'))).toEqual([]);
    await live.close();
  });

  it('[NF-31] also after the notebook was closed and opened again', async () => {
    const open = await ran('reopened');
    const before = await open.cell('middle01');
    await remove(open, 'middle01');
    await open.close();
    const again = await openNotebook(server, open.path);
    expect((await restore(again, 'middle01')).status).toBe(200);
    expect(await again.cell('middle01')).toEqual(before);
    expect((await again.execute('last0001')).cache_hit).toBe(true);
  });

  it('[NF-31] two deleted cells return to their positions, in either order of requests', async () => {
    const open = await ran('two');
    await remove(open, 'middle01');
    await remove(open, 'last0001');
    await restore(open, 'middle01');
    const answer = await restore(open, 'last0001');
    expect(answer.body.cells.map(({ id }) => id)).toEqual(CELLS.map(({ id }) => id));
  });

  it('[NF-32] works while another cell runs, without affecting the run', async () => {
    const open = await openNotebook(server, join(root, 'running'), [
      { id: 'slow0001', source: 'import time\ntime.sleep(60)' },
      { id: 'other001', source: 'z = 1' },
    ]);
    await remove(open, 'other001');
    const running = rest(server.url, 'POST', `/v1/notebooks/${open.sid}/cells/slow0001/execute`);
    await expect.poll(async () => (await open.cell('slow0001')).status).toBe('running');
    expect((await restore(open, 'other001')).status).toBe(200);
    expect((await open.cell('slow0001')).status).toBe('running');
    await rest(server.url, 'POST', `/v1/notebooks/${open.sid}/cells/slow0001/cancel`);
    await running;
  });

  it('[NF-32] of several simultaneous requests exactly one restores it', async () => {
    const open = await ran('raced');
    await remove(open, 'middle01');
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async () => (await restore(open, 'middle01')).status),
    );
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
  });

  it('[NF-32] an existing cell returns 409, an unknown one 404, and an existing file is preserved', async () => {
    const open = await ran('refused');
    expect((await restore(open, 'middle01')).status).toBe(409);
    expect((await restore(open, 'nobody01')).status).toBe(404);
    await remove(open, 'middle01');
    await writeFile(join(open.path, 'cells/middle01.py'), 'mine = 1\n');
    const answer = await restore(open, 'middle01');
    expect(answer).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('already exists and was not overwritten.') },
    });
    expect(await readFile(join(open.path, 'cells/middle01.py'), 'utf8')).toBe('mine = 1\n');
  });

  it('[NF-32] a damaged record counts as missing', async () => {
    const open = await ran('damaged');
    await remove(open, 'middle01');
    const folder = join(open.path, '.svc/deleted');
    for (const name of await readdir(folder))
      await writeFile(join(folder, name), '{"version":1,"block":"x = [');
    expect((await restore(open, 'middle01')).status).toBe(404);
    expect((await open.cell('first001')).status).toBe('ready');
  });
});
