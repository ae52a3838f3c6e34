/** Tests exports of tables and deletions of notebooks with invalid requests or broken files, on a real server. */

import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { type Answer, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { storeTable } from '../support/storedTable.ts';

let root = '';
let server: ServerProcess;
let open: OpenNotebook;
const uris = new Map<string, string>();
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-exports-'));
  server = await startServerProcess({ grants: [root] });
  const path = await writeReadyNotebook(join(root, 'tables'), { cells: [{ id: 'frame001', source: '1' }] });
  for (const name of ['types', 'tensor', 'garbage', 'empty', 'scalar']) {
    uris.set(name, await storeTable(path, 'frame001', name));
  }
  open = await openNotebook(server, path);
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const ask = (query: string, uri = uris.get('types') ?? ''): Promise<Response> =>
  fetch(
    `${server.url}/v1/notebooks/${open.sid}/cells/frame001/data/export?artifact_uri=${encodeURIComponent(uri)}&${query}`,
  );

describe('invalid exports', () => {
  for (const name of ['tensor', 'garbage', 'scalar']) {
    for (const format of ['csv', 'parquet']) {
      it(`[RE-49] a ${name} as ${format} is refused with a message`, async () => {
        const response = await ask(`fmt=${format}`, uris.get(name));
        expect(response.status).toBe(400);
        expect(await response.json()).toEqual({ detail: expect.stringContaining('not a table') });
      });
    }
  }

  for (const query of ['fmt=', 'fmt=exe', 'fmt=csv&filters=x', 'fmt=csv&sort_dir=up', 'fmt=CSV']) {
    it(`[RE-49] ${query} is 400 or 422`, async () => {
      expect([400, 422]).toContain((await ask(query)).status);
    });
  }

  it('[RE-49] filters and columns that do not exist are ignored, and an empty table is exported as a header', async () => {
    const whole = await (await ask('fmt=csv')).text();
    const odd = encodeURIComponent('[{"col":"nobody","op":"eq","value":1},7,null,{"op":"drop table"}]');
    expect(await (await ask(`fmt=csv&sort_by=nobody&filters=${odd}`)).text()).toBe(whole);
    expect((await (await ask('fmt=csv', uris.get('empty'))).text()).split('\r\n').length).toBe(2);
  });

  it('[RE-49] a client that disconnects midway does not affect the server', async () => {
    for (let i = 0; i < 20; i += 1) {
      const leaving = new AbortController();
      const uri = encodeURIComponent(uris.get('types') ?? '');
      const address = `${server.url}/v1/notebooks/${open.sid}/cells/frame001/data/export?artifact_uri=${uri}&fmt=csv`;
      const request = fetch(address, { signal: leaving.signal }).catch(() => null);
      if (i % 2 === 0) await request;
      leaving.abort();
      await request;
    }
    expect((await ask('fmt=parquet')).status).toBe(200);
    expect(server.stderr()).not.toContain('"level":"error"');
  });

  it('[RE-49] a table whose bytes are truncated is 404 with a message', async () => {
    const path = await writeReadyNotebook(join(root, 'cut'), { cells: [{ id: 'frame001', source: '1' }] });
    const uri = await storeTable(path, 'frame001', 'types');
    const blobs = join(path, '.svc/artifacts/blobs');
    for (const name of await readdir(blobs)) await truncate(join(blobs, name), 100);
    const notebook = await openNotebook(server, path);
    const answer = await notebook.get(
      `/cells/frame001/data/export?fmt=csv&artifact_uri=${encodeURIComponent(uri)}`,
    );
    expect(answer.status).toBe(404);
  });
});

describe('partly deleted folders', () => {
  const byPath = (path: string): Promise<Answer<{ detail: string }>> =>
    rest(server.url, 'POST', '/v1/notebooks/delete-by-path', { path });

  it('[RE-42] the rest of a deletion that crashed is not a notebook, and is removed with the next deletion', async () => {
    const parent = join(root, 'crashed');
    const leftover = join(parent, '.svc-deleted-0123456789ab');
    await mkdir(leftover, { recursive: true });
    await writeFile(join(leftover, 'data.csv'), 'a');
    const path = await writeReadyNotebook(join(parent, 'next'), { cells: [] });
    expect((await byPath(leftover)).status).toBe(400);
    expect((await byPath(path)).status).toBe(200);
    expect(await readdir(parent)).toEqual([]);
  });

  it('[RE-42] a notebook whose file was removed while it was open is not deleted', async () => {
    const notebook = await openNotebook(server, join(root, 'emptied'), [{ id: 'a0000001', source: '1' }]);
    await rm(join(notebook.path, 'notebook.toml'));
    const answer = await rest<{ detail: string }>(server.url, 'DELETE', `/v1/notebooks/${notebook.sid}`);
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining('notebook.toml') } });
    expect(await readdir(join(notebook.path, 'cells'))).toEqual(['a0000001.py']);
  });

  for (const path of ['..', '../..', './../x', '/', '', '~', 'a/../../etc', '\\\\server\\share']) {
    it(`[RE-42] delete-by-path of ${JSON.stringify(path)} deletes nothing`, async () => {
      expect([400, 404]).toContain((await byPath(path)).status);
    });
  }
});
