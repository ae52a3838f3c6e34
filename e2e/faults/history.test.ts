/**
 * Tests the history of cells and the undo record on disk, with a real server: external edits, damaged files, kill -9
 * and full disks.
 */

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { replaceFile } from '../support/replaceFile.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { smallDisk } from '../support/smallDisk.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-history-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const CELLS = [
  { id: 'make0001', source: 'n = 1' },
  { id: 'read0001', source: 'print(n)' },
];

interface VersionList {
  readonly versions: readonly { version: string; why: string; current: boolean; at: string }[];
  readonly problem: string | null;
}

async function history(notebook: OpenNotebook, cell: string): Promise<VersionList> {
  const answer = await notebook.get<VersionList>(`/x/cells/${cell}/history`);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function texts(notebook: OpenNotebook, cell: string): Promise<readonly string[]> {
  const { versions } = await history(notebook, cell);
  return Promise.all(
    versions.map(async ({ version }) => {
      const { body } = await notebook.get<{ source: string }>(`/x/cells/${cell}/history/${version}`);
      return body.source;
    }),
  );
}

test('[HI-1] saved, externally changed and deleted texts are versions of a cell, in this session and the next', async () => {
  const notebook = await openNotebook(server, join(root, 'kept'), CELLS);
  await notebook.edit('make0001', 'n = 2');
  await replaceFile(join(notebook.path, 'cells/make0001.py'), 'n = 3  # by hand');
  await expect.poll(async () => (await notebook.cell('make0001')).source).toContain('hand');
  expect(await texts(notebook, 'make0001')).toEqual(['n = 3  # by hand', 'n = 2', 'n = 1']);
  const { versions } = await history(notebook, 'make0001');
  expect(versions.map(({ why, current }) => [why, current])).toEqual([
    ['outside', true],
    ['edit', false],
    ['edit', false],
  ]);
  await rest(server.url, 'DELETE', `/v1/notebooks/${notebook.sid}/cells/make0001`);
  expect((await history(notebook, 'make0001')).versions[0]).toMatchObject({ why: 'deleted', current: false });
  const { body } = await notebook.get<{ cells: { cell_id: string; title: string; present: boolean }[] }>(
    '/x/history',
  );
  expect(body.cells.map(({ cell_id, title, present }) => [cell_id, title, present])).toEqual([
    ['make0001', 'n = 3  # by hand', false],
  ]);
  await notebook.close();
  const again = await openNotebook(server, notebook.path);
  expect(await texts(again, 'make0001')).toEqual(['n = 3  # by hand', 'n = 3  # by hand', 'n = 2', 'n = 1']);
  expect((await again.get('/x/cells/nobody01/history')).status).toBe(404);
});

test('[HI-43] the history of a cell says its language, also after the cell was deleted', async () => {
  const cells = [
    { id: 'query001', source: 'select 1', language: 'sql' },
    { id: 'words001', source: '# Title', language: 'markdown' },
    { id: 'plain001', source: 'n = 1' },
  ] as const;
  const notebook = await openNotebook(server, join(root, 'languages'), cells);
  const languages = (of: OpenNotebook): Promise<readonly unknown[]> =>
    Promise.all(
      cells.map(
        async ({ id }) => (await of.get<{ language: string }>(`/x/cells/${id}/history`)).body.language,
      ),
    );
  for (const { id } of cells) await notebook.edit(id, `${(await notebook.cell(id)).source} `);
  expect(await languages(notebook)).toEqual(['sql', 'markdown', 'python']);
  for (const { id } of cells) await rest(server.url, 'DELETE', `/v1/notebooks/${notebook.sid}/cells/${id}`);
  expect(await languages(notebook)).toEqual(['sql', 'markdown', 'python']);
  await notebook.close();
  const again = await openNotebook(server, notebook.path);
  expect(await languages(again)).toEqual(['sql', 'markdown', 'python']);
  await rm(join(again.path, '.svc/deleted'), { recursive: true });
  expect(await languages(again)).toEqual([null, null, null]);
});

test('[HI-4] a damaged history is reported when it is read; the notebook opens, and the other versions are available', async () => {
  const notebook = await openNotebook(server, join(root, 'damaged'), CELLS);
  await notebook.edit('make0001', 'n = 2');
  await notebook.edit('read0001', 'print(n + 1)');
  await notebook.close();
  const folder = join(notebook.path, '.svc/history');
  const file = join(folder, `${Buffer.from('make0001').toString('hex')}.jsonl`);
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, ['not a version', ...lines.slice(1)].join('\n'));
  const again = await openNotebook(server, notebook.path);
  const damaged = await history(again, 'make0001');
  expect(damaged.problem).toContain(
    'of this cell could not be read. The damaged file was renamed to .svc/history/',
  );
  expect(await texts(again, 'make0001')).toEqual(['n = 2']);
  expect((await readdir(folder)).filter((name) => name.endsWith('.bad'))).toHaveLength(1);
  expect(await history(again, 'read0001')).toMatchObject({ problem: null });
  await again.edit('make0001', 'n = 4');
  expect((await texts(again, 'make0001'))[0]).toBe('n = 4');
});

test('[HI-6] after a kill right after an edit, the notebook opens and the history has all but the newest version', async () => {
  const own = await startServerProcess({ grants: [root] });
  const notebook = await openNotebook(own, join(root, 'killed'), CELLS);
  for (let n = 2; n < 12; n += 1) await notebook.edit('make0001', `n = ${n}`);
  await own.stop('SIGKILL');
  const again = await openNotebook(server, notebook.path);
  expect((await again.cell('make0001')).source).toBe('n = 11');
  // The ten edits within half a minute are one version, not yet written. The next edit stores the replaced text.
  expect(await texts(again, 'make0001')).toEqual(expect.arrayContaining(['n = 2', 'n = 1']));
  await again.edit('make0001', 'n = 12');
  expect((await texts(again, 'make0001'))[0]).toBe('n = 12');
});

/** Text that does not compress. */
function noise(seed: string): string {
  const lines = Array.from({ length: 2_000 }, (_, at) =>
    createHash('sha256').update(`${seed} ${at}`).digest('base64'),
  );
  return `"""${lines.join('\n')}"""`;
}

test('[HI-5] on a full disk the notebook stays usable, and the history reports what it could not store', async ({
  skip,
}) => {
  const dir = join(root, 'disk');
  await mkdir(dir);
  const disk = smallDisk(dir, '8m');
  if (disk === null) return skip('this machine cannot mount a small disk');
  const own = await startServerProcess({ grants: [root] });
  try {
    const notebook = await openNotebook(own, join(dir, 'full'), [{ id: 'make0001', source: noise('one') }]);
    await notebook.edit('make0001', noise('two'));
    expect(await texts(notebook, 'make0001')).toEqual([noise('two'), noise('one')]);
    const makeRoom = await disk.fill();
    // Another program overwrites the file, which needs no more space; its version in the history does.
    await writeFile(join(notebook.path, 'cells/make0001.py'), noise('six'));
    await expect.poll(async () => (await notebook.cell('make0001')).source).toBe(noise('six'));
    const { problem } = await history(notebook, 'make0001');
    expect(problem).toContain('Couldn’t save the newest versions of this cell: ENOSPC');
    expect(await texts(notebook, 'make0001')).toEqual([noise('two'), noise('one')]);
    await makeRoom();
    // The cell is locked because another program just changed its file, so the edit is forced.
    const path = `/v1/notebooks/${notebook.sid}/cells/make0001`;
    expect((await rest(own.url, 'PUT', path, { source: 'n = 4', force: true })).status).toBe(200);
    expect(await texts(notebook, 'make0001')).toEqual(['n = 4', noise('six'), noise('two'), noise('one')]);
    expect((await history(notebook, 'make0001')).problem).toBeNull();
  } finally {
    await own.dispose();
    disk.remove();
  }
});

/** An undo record with one edit of this many characters for each cell. */
function undoOf(cells: readonly string[], characters: number) {
  const done = cells.map((cellId) => ({
    id: `${cellId}-${characters}`,
    deed: 'edit',
    changes: [{ kind: 'source', cellId, before: 'n = 1', after: 'x'.repeat(characters) }],
  }));
  return { done, undone: [], gone: [] as string[] };
}

test('[HI-23] on a full disk the undo record stays intact and the reason is reported; with room it is written again', async ({
  skip,
}) => {
  const dir = join(root, 'undo-disk');
  await mkdir(dir);
  const disk = smallDisk(dir, '8m');
  if (disk === null) return skip('this machine cannot mount a small disk');
  const own = await startServerProcess({ grants: [root] });
  try {
    const notebook = await openNotebook(own, join(dir, 'full'), CELLS);
    const path = `/v1/notebooks/${notebook.sid}/x/undo`;
    const stored = undoOf(['make0001', 'read0001'], 1_000);
    expect((await rest(own.url, 'PUT', path, stored)).body).toEqual({ kept: 2 });
    const makeRoom = await disk.fill();
    const refused = await rest<{ detail: string }>(own.url, 'PUT', path, undoOf(['make0001'], 200_000));
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Free some space')]);
    expect((await rest(own.url, 'GET', path)).body).toMatchObject({ done: stored.done, problem: null });
    expect(await readdir(join(notebook.path, '.svc'))).not.toContainEqual(
      expect.stringMatching(/^\.svc-tmp/),
    );
    await makeRoom();
    const next = { ...undoOf(['read0001'], 200_000), gone: stored.done.map(({ id }) => id) };
    expect((await rest(own.url, 'PUT', path, next)).body).toEqual({ kept: 1 });
    await own.stop('SIGKILL');
    const again = await openNotebook(server, notebook.path);
    expect((await again.get('/x/undo')).body).toMatchObject({ done: next.done, problem: null });
    await again.close();
  } finally {
    await own.dispose();
    disk.remove();
  }
});

test('[HI-25] tests and settings of a cell have versions, and settings can be restored', async () => {
  const notebook = await openNotebook(server, join(root, 'parts'), CELLS);
  const of = async (part: string) => {
    const { body } = await notebook.get<VersionList & { now: string | null }>(
      `/x/cells/make0001/history?of=${part}`,
    );
    const versions = await Promise.all(
      body.versions.map(async ({ version, why }) => {
        const path = `/x/cells/make0001/history/${version}?of=${part}`;
        return [why, (await notebook.get<{ source: string }>(path)).body.source];
      }),
    );
    return { now: body.now, versions: versions };
  };
  const base = `/v1/notebooks/${notebook.sid}`;
  const tests = (source: string) =>
    rest(server.url, 'PUT', `${base}/cells/make0001/tests`, { source, base: '' });
  await tests('def test_a(): pass');
  await replaceFile(join(notebook.path, 'cells/make0001.test.py'), 'def test_b(): pass');
  await expect.poll(async () => (await of('tests')).now).toBe('def test_b(): pass');
  expect((await of('tests')).versions).toEqual([
    ['outside', 'def test_b(): pass'],
    ['edit', 'def test_a(): pass'],
    ['edit', ''],
  ]);
  expect(await of('settings')).toEqual({ now: '', versions: [] });
  const toml = join(notebook.path, 'notebook.toml');
  const before = await readFile(toml, 'utf8');
  const own = 'timeout = 7.5\nenv = { MODE = "a", API_KEY = "sk-1234567890" }\n';
  await replaceFile(toml, before.replace('id = "make0001"\n', `id = "make0001"\n${own}`));
  const text = 'timeout = 7.5\n\n[env]\nMODE = "a"\nAPI_KEY = ""\n';
  await expect.poll(async () => (await of('settings')).now).toBe(text);
  await replaceFile(toml, before);
  await expect.poll(async () => (await notebook.cell('make0001')).timeout_override).toBeNull();
  expect((await of('settings')).versions.slice(1)).toEqual([
    ['outside', text],
    ['edit', ''],
  ]);
  const put = (settings: string) =>
    rest<{ settings: string }>(server.url, 'PUT', `${base}/x/cells/make0001/settings`, { settings });
  expect((await put(text)).body.settings).toBe(text);
  expect(await notebook.cell('make0001')).toMatchObject({ timeout_override: 7.5 });
  expect(await readFile(toml, 'utf8')).not.toContain('sk-1234567890');
  expect(await put('timeout = "long"')).toMatchObject({ status: 400 });
  expect(await put('mounts = [{ name = "1 2", uri = "/a" }]')).toMatchObject({ status: 400 });
  await rest(server.url, 'DELETE', `${base}/cells/make0001`);
  const gone = await of('tests');
  expect([gone.now, gone.versions[0]]).toEqual([null, ['deleted', 'def test_b(): pass']]);
  expect((await of('settings')).versions[0]).toEqual(['deleted', text]);
  await notebook.close();
});
