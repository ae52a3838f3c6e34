/**
 * Tests deleting and finding notebooks over REST on a real server: sockets, running cells, other writers, refused
 * paths.
 */

import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLive } from '../support/liveClient.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { type Answer, rest } from '../support/rest.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-deletion-'));
  server = await startServerProcess({ grants: [root] });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const byPath = (path: string): Promise<Answer<{ detail: unknown }>> =>
  rest(server.url, 'POST', '/v1/notebooks/delete-by-path', { path });

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

describe('deleting a notebook', () => {
  it('[RE-40] notifies its sockets, closes the session, and removes the whole folder', async () => {
    const open = await openNotebook(server, join(root, 'told'), [{ id: 'a0000001', source: 'x = 1' }]);
    const live = await connectLive(server.url, open.sid);
    const answer = await rest(server.url, 'DELETE', `/v1/notebooks/${open.sid}`);
    expect(answer).toMatchObject({ status: 200, body: { deleted: true, path: open.path } });
    expect((await live.next('session_closed')).payload.reason).toBe('deleted');
    expect((await readdir(root)).filter((name) => name.includes('told') || name.startsWith('.svc'))).toEqual(
      [],
    );
    expect((await rest(server.url, 'GET', `/v1/notebooks/sessions/${open.sid}`)).status).toBe(404);
    expect((await rest(server.url, 'POST', '/v1/notebooks/open', { path: open.path })).status).toBe(404);
  });

  it('[RE-40] deleting by path closes the session of the notebook', async () => {
    const open = await openNotebook(server, join(root, 'at-path'), [{ id: 'a0000001', source: 'x = 1' }]);
    expect(await byPath(open.path)).toEqual({ status: 200, body: { deleted: true, path: open.path } });
    expect((await rest(server.url, 'GET', `/v1/notebooks/sessions/${open.sid}`)).status).toBe(404);
    expect((await byPath(open.path)).status).toBe(404);
  });

  it('[RE-41] deleting is 409 while a cell runs, by id and by path, and does not affect the run', async () => {
    const busy = await openNotebook(server, join(root, 'busy'), [
      { id: 'slow0001', source: 'import time\ntime.sleep(60)' },
    ]);
    const running = rest(server.url, 'POST', `/v1/notebooks/${busy.sid}/cells/slow0001/execute`);
    await expect.poll(async () => (await busy.cell('slow0001')).status).toBe('running');
    const words = { status: 409, body: { detail: expect.stringContaining('slow0001 is running') } };
    expect(await rest(server.url, 'DELETE', `/v1/notebooks/${busy.sid}`)).toMatchObject(words);
    expect(await byPath(busy.path)).toMatchObject(words);
    expect((await busy.cell('slow0001')).status).toBe('running');
    await rest(server.url, 'POST', `/v1/notebooks/${busy.sid}/cells/slow0001/cancel`);
    await running;
    expect((await byPath(busy.path)).status).toBe(200);
  });

  it('[RE-41] deleting is 409 with the job while the environment is prepared', async () => {
    const path = await writeNotebook(join(root, 'syncing'), { cells: [] });
    const slow = await startServerProcess({ grants: [root], env: { SVC_UV: await slowUv() } });
    const opened = await rest<{ session_id: string }>(slow.url, 'POST', '/v1/notebooks/open', { path });
    const answer = await rest(slow.url, 'DELETE', `/v1/notebooks/${opened.body.session_id}`);
    expect(answer).toMatchObject({
      status: 409,
      body: { detail: { code: 'ENVIRONMENT_BUSY', environment_job: { status: 'running' } } },
    });
    await slow.dispose();
    expect(await exists(join(path, 'notebook.toml'))).toBe(true);
  });

  it('[RE-42] deleting is 409 for a notebook that another program has open, which is not deleted', async () => {
    const other = await startServerProcess({ grants: [root] });
    const open = await openNotebook(other, join(root, 'theirs'), [{ id: 'a0000001', source: '1' }]);
    expect(await byPath(open.path)).toMatchObject({
      status: 409,
      body: { detail: { code: 'NOTEBOOK_IN_USE' } },
    });
    expect(await exists(join(open.path, 'notebook.toml'))).toBe(true);
    await other.dispose();
  });

  /** Makes the path to delete; the files there must be unchanged afterwards. */
  const REFUSED: readonly {
    readonly what: string;
    readonly make: () => Promise<string>;
    readonly status: number;
    readonly stays?: string;
  }[] = [
    {
      what: 'a link to a notebook',
      make: async () => {
        await writeNotebook(join(root, 'real'), { cells: [] });
        await symlink(join(root, 'real'), join(root, 'linked'));
        return join(root, 'linked');
      },
      status: 400,
      stays: 'real/notebook.toml',
    },
    {
      what: 'a folder without its notebook file',
      make: async () => {
        await mkdir(join(root, 'half'));
        await writeFile(join(root, 'half/data.csv'), 'a,b');
        return join(root, 'half');
      },
      status: 400,
      stays: 'half/data.csv',
    },
    { what: 'a path outside the roots', make: async () => '/etc', status: 400 },
    { what: 'a path with `..`', make: async () => `${root}/../etc`, status: 400 },
    {
      what: '[SG-70] the examples of the program',
      make: async () => join(PROJECT_ROOT, 'examples'),
      status: 403,
    },
    { what: 'nothing', make: async () => join(root, 'never'), status: 404 },
  ];
  for (const { what, make, status, stays } of REFUSED) {
    it(`[RE-42] ${what} is ${status}`, async () => {
      const answer = await byPath(await make());
      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
      expect(answer.body.detail).toEqual(expect.any(String));
      if (stays !== undefined) expect(await exists(join(root, stays))).toBe(true);
    });
  }

  it('[RE-42] the storage folder is never deleted, even if it is a notebook itself', async () => {
    const storageDir = await mkdtemp(join(tmpdir(), 'cellar-storage-'));
    await writeNotebook(storageDir, { cells: [] });
    const own = await startServerProcess({ storageDir });
    const answer = await rest(own.url, 'POST', '/v1/notebooks/delete-by-path', { path: storageDir });
    expect(answer.status).toBe(400);
    expect(await exists(join(storageDir, 'notebook.toml'))).toBe(true);
    await own.dispose();
  });
});

const SLOW_UV = '#!/bin/sh\n[ "$1" = --version ] && echo "uv 0.99.0" && exit 0\nexec sleep 600\n';

/** A uv that waits, so that the first sync is still in progress when the test deletes the notebook. */
async function slowUv(): Promise<string> {
  const path = join(root, 'slow-uv');
  await writeFile(path, SLOW_UV, { mode: 0o755 });
  return path;
}

describe('finding notebooks', () => {
  it('[RE-43] discover lists the storage folder newest first, enters no notebook and no hidden or build folder', async () => {
    const own = await startServerProcess();
    const at = (name: string) => join(own.storageDir, name);
    await writeNotebook(at('old'), { cells: [], updatedAt: '2024-01-01T00:00:00Z' });
    await writeNotebook(at('deep/er/new'), { cells: [], updatedAt: '2025-06-01T00:00:00Z' });
    await writeNotebook(at('old/inner'), { cells: [] });
    await writeNotebook(at('.hidden/one'), { cells: [] });
    await writeNotebook(at('node_modules/one'), { cells: [] });
    await writeNotebook(at('1/2/3/4/5'), { cells: [] });
    await mkdir(at('broken'));
    await writeFile(at('broken/notebook.toml'), 'name = ');
    const { body } = await rest<{ root: string; notebooks: { path: string; name: string | null }[] }>(
      own.url,
      'GET',
      '/v1/notebooks/discover',
    );
    expect(body.root).toBe(own.storageDir);
    expect(body.notebooks.map(({ path }) => path)).toEqual([at('deep/er/new'), at('old'), at('broken')]);
    expect(body.notebooks.at(-1)).toMatchObject({ name: null, notebook_id: null, updated_at: null });
    await own.dispose();
  });

  it('[RE-44] recents are valid if they have a notebook inside the roots; returned as written, in order', async () => {
    const here = await writeNotebook(join(root, 'here'), { cells: [] });
    const odd = await writeNotebook(join(root, 'spaced 🙂 name'), { cells: [] });
    await mkdir(join(root, 'empty'));
    const paths = [
      `${odd}/`,
      '/etc',
      join(root, 'empty'),
      `${root}/../x`,
      'a\0b',
      join(root, 'none'),
      here,
      here,
    ];
    const answer = await rest(server.url, 'POST', '/v1/notebooks/recents/validate', { paths });
    expect(answer).toEqual({ status: 200, body: { valid: [`${odd}/`, here, here] } });
    const many = { paths: Array.from({ length: 101 }, () => here) };
    expect((await rest(server.url, 'POST', '/v1/notebooks/recents/validate', many)).status).toBe(422);
  });
});
