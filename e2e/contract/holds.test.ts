/** Tests holds over a notebook or a folder on a real server: what they wait for, refuse and stop, and when they end. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLive } from '../support/liveClient.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { type Answer, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const CELLS = [
  { id: 'quick001', source: 'x = 1' },
  { id: 'slow0001', source: 'import time\ntime.sleep(60)' },
];

let root = '';
let server: ServerProcess;
let notebookCount = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-holds-'));
  server = await startServerProcess({ storageDir: root });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const post = <T = { detail: { code: string } }>(path: string, body?: unknown): Promise<Answer<T>> =>
  rest<T>(server.url, 'POST', path, body);
const open = (folder = `n${++notebookCount}`): Promise<OpenNotebook> =>
  openNotebook(server, join(root, folder), CELLS);
const of = ({ sid }: OpenNotebook) => `/v1/notebooks/${sid}`;
const QUIESCED = {
  status: 409,
  body: { detail: { code: 'NOTEBOOK_QUIESCED', message: expect.any(String) } },
};

describe('a hold over one notebook', () => {
  it('[QH-1] waits for running cells, refuses runs, edits, writes and deletions, and is released', async () => {
    const notebook = await open();
    const hold = await post(`${of(notebook)}/quiesce`);
    expect(hold).toEqual({
      status: 200,
      body: {
        path: notebook.path,
        notebooks: [notebook.path],
        cancelled_cells: {},
        hold_expires_in_seconds: 600,
      },
    });
    const before = await readFile(join(notebook.path, 'notebook.toml'), 'utf8');
    const refused: readonly (readonly ['POST' | 'PUT' | 'DELETE', string, unknown?])[] = [
      ['POST', '/cells/quick001/execute'],
      ['POST', '/cells', {}],
      ['PUT', '/cells/quick001', { source: 'x = 2' }],
      ['DELETE', '/cells/quick001'],
      ['PUT', '/timeout', { timeout: 5 }],
      ['PUT', '/x/settings', { parallel_cells: 2 }],
      ['PUT', '/x/undo', { done: [], undone: [], gone: [] }],
      ['POST', '/x/storage/sweep', {}],
      ['POST', '/environment/jobs', { action: 'sync' }],
      ['POST', '/quiesce'],
      ['DELETE', ''],
    ];
    for (const [method, path, body] of refused) {
      const answer = await rest(server.url, method, `${of(notebook)}${path}`, body);
      expect(answer, `${method} ${path}`).toMatchObject(QUIESCED);
    }
    expect(await readFile(join(notebook.path, 'notebook.toml'), 'utf8')).toBe(before);
    const live = await connectLive(server.url, notebook.sid);
    live.send('cell_execute', { cell_id: 'quick001' });
    expect((await live.next('error')).payload).toMatchObject({
      code: 'NOTEBOOK_QUIESCED',
      cell_id: 'quick001',
    });
    live.send('cell_source_update', { cell_id: 'quick001', source: 'x = 3' });
    expect((await live.next('error', { since: live.mark() })).payload.code).toBe('NOTEBOOK_QUIESCED');
    await live.close();
    expect((await post(`${of(notebook)}/release`)).body).toEqual({ path: notebook.path, released: true });
    expect((await post(`${of(notebook)}/release`)).body).toEqual({ path: notebook.path, released: false });
    expect((await notebook.execute('quick001')).status).toBe('ready');
  });

  it('[QH-4] stops cells that have not ended in time, and lists them', async () => {
    const notebook = await open();
    const running = post<{ error_code: string }>(`${of(notebook)}/cells/slow0001/execute`);
    await expect.poll(async () => (await notebook.cell('slow0001')).status).toBe('running');
    const hold = await post(`${of(notebook)}/quiesce`, { timeout_seconds: 0, max_hold_seconds: 1.5 });
    expect(hold.body).toMatchObject({
      cancelled_cells: { [notebook.path]: ['slow0001'] },
      hold_expires_in_seconds: 1.5,
    });
    expect((await running).body.error_code).toBe('cancelled');
    // [QH-5] The hold is never released, so it expires.
    await expect.poll(async () => (await post(`${of(notebook)}/cells/quick001/execute`)).status).toBe(200);
  });
});

describe('a hold over a folder', () => {
  it('[QH-3] applies to the notebooks in it, also one that opens later, and cannot overlap another hold', async () => {
    const first = await open('project/deep/first');
    const later = await writeNotebook(join(root, 'project/later'), { cells: CELLS });
    const hold = await post<{ path: string; notebooks: string[] }>('/v1/projects/project/quiesce');
    expect(hold.body).toMatchObject({ path: join(root, 'project'), notebooks: [first.path] });
    expect(await post(`${of(first)}/quiesce`)).toMatchObject(QUIESCED);
    expect(await post('/v1/projects/project/deep/quiesce')).toMatchObject(QUIESCED);
    const opened = await post<{ session_id: string }>('/v1/notebooks/open', { path: later });
    expect(opened.status).toBe(200);
    const execute = `/v1/notebooks/${opened.body.session_id}/cells/quick001/execute`;
    expect(await post(execute)).toMatchObject(QUIESCED);
    const create = { parent_path: join(root, 'project'), name: 'new' };
    expect(await post('/v1/notebooks/create', create)).toMatchObject(QUIESCED);
    expect((await post(`${of(first)}/release`)).body).toMatchObject({ released: false });
    expect((await post(`/v1/projects/${encodeURIComponent('project/deep')}/release`)).body).toMatchObject({
      released: false,
    });
    expect((await post('/v1/projects/project/release')).body).toMatchObject({ released: true });
    // The environment is created only now, because the hold did not allow it.
    await expect.poll(async () => (await post(execute)).status).toBe(200);
  });

  it.each([
    ['/etc', 400],
    ['..%2F..', 400],
    ['nowhere', 404],
    ['a%00b', 400],
  ])('[QH-6] %s is %d', async (path, status) =>
    expect((await post(`/v1/projects/${path}/quiesce`)).status).toBe(status),
  );
});
