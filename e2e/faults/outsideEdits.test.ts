/**
 * Tests files of an open notebook that another program changes, on a real server: reload, conflicts, merges, deleted
 * files and moved folders.
 */

import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectLive, type LiveClient } from '../support/liveClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { replaceFile } from '../support/replaceFile.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-outside-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const CELLS = [
  { id: 'make0001', source: 'n = 1' },
  { id: 'read0001', source: 'print(n)' },
];

async function openLive(name: string): Promise<{ notebook: OpenNotebook; live: LiveClient; file: string }> {
  const notebook = await openNotebook(server, join(root, name), CELLS);
  const live = await connectLive(server.url, notebook.sid, '?extensions=1');
  return { notebook, live, file: join(notebook.path, 'cells/make0001.py') };
}

async function put(notebook: OpenNotebook, source: string, force = false) {
  const path = `/v1/notebooks/${notebook.sid}/cells/make0001`;
  return rest<{ detail?: { code?: string; disk_source?: string } }>(server.url, 'PUT', path, {
    source,
    ...(force ? { force } : {}),
  });
}

test('[NF-40] a cell file that another program writes is read without a request, and the cell’s readers become stale', async () => {
  const { notebook, live, file } = await openLive('reload');
  await notebook.execute('read0001');
  const since = live.mark();
  await replaceFile(file, 'n = 2');
  const change = await live.next('files_changed', { since });
  expect(change.payload).toEqual({ cell_ids: ['make0001'], added: 0, removed: 0 });
  expect((await notebook.cell('make0001')).source).toBe('n = 2');
  expect((await notebook.cell('read0001')).status).toBe('stale');
  expect((await notebook.execute('read0001')).stdout).toBe('2\n');
});

test('[NF-40] Cellar’s own writes are not reported as external changes', async () => {
  const { notebook, live, file } = await openLive('own');
  const since = live.mark();
  await notebook.edit('make0001', 'n = 3');
  await notebook.edit('make0001', 'n = 4');
  // A real external change follows, and the first notice must be about that one.
  await replaceFile(join(notebook.path, 'cells/read0001.py'), 'print(n + 1)');
  const change = await live.next('files_changed', { since });
  expect(change.payload.cell_ids).toEqual(['read0001']);
  expect(await readFile(file, 'utf8')).toBe('n = 4');
});

test('[NF-41] an edit of a file that another program changed is not written, and the error has its text', async () => {
  const { live, file } = await openLive('conflict');
  const since = live.mark();
  // The watcher has no time to notice: the write itself detects that the file changed.
  await replaceFile(file, 'n = "theirs"');
  live.send('cell_source_update', { cell_id: 'make0001', source: 'n = "mine"' });
  const refused = await live.next('error', { since });
  const code = refused.payload.code;
  expect(['source_changed_on_disk', 'cell_locked']).toContain(code);
  if (code === 'source_changed_on_disk') expect(refused.payload.source).toBe('n = "mine"');
  await live.next('notebook_state', {
    since,
    where: (state) => state.cells[0]?.source === 'n = "theirs"',
  });
  expect(await readFile(file, 'utf8')).toBe('n = "theirs"');
  live.send('cell_source_update', { cell_id: 'make0001', source: 'n = "mine"', force: true });
  await expect.poll(() => readFile(file, 'utf8')).toBe('n = "mine"');
});

test('[NF-50] an edit and an external change of other lines are merged in the file, and every client is notified', async () => {
  const { notebook, live, file } = await openLive('merged');
  await notebook.edit('make0001', 'a = 1\n\nn = a\n\nb = 2');
  const since = live.mark();
  // The watcher has no time to notice: the write itself detects that the file changed.
  await replaceFile(file, '# theirs\na = 1\n\nn = a\n\nb = 2');
  const answer = await put(notebook, 'a = 1\n\nn = a\n\nb = 3');
  // If the watcher was faster, the edit needs confirmation, which the test of NF-41 covers.
  if (answer.status === 409) return expect(answer.body.detail?.code).toBe('cell_locked');
  expect(await readFile(file, 'utf8')).toBe('# theirs\na = 1\n\nn = a\n\nb = 3');
  expect((await notebook.cell('make0001')).source).toBe('# theirs\na = 1\n\nn = a\n\nb = 3');
  const change = await live.next('files_changed', { since });
  expect(change.payload.merged).toEqual([
    {
      cell_id: 'make0001',
      mine: 'a = 1\n\nn = a\n\nb = 3',
      theirs: '# theirs\na = 1\n\nn = a\n\nb = 2',
    },
  ]);
  expect((await notebook.execute('read0001')).stdout).toBe('1\n');
});

test('[NF-41] right after an external change, an edit that may be based on the older text needs confirmation', async () => {
  const { notebook, live, file } = await openLive('locked');
  const since = live.mark();
  await replaceFile(file, 'n = 7');
  await live.next('files_changed', { since });
  live.send('cell_source_update', { cell_id: 'make0001', source: 'n = 8' });
  const refused = await live.next('error', { since });
  expect(refused.payload).toMatchObject({ code: 'cell_locked', cell_id: 'make0001' });
  expect((await put(notebook, 'n = 9', true)).status).toBe(200);
  expect(await readFile(file, 'utf8')).toBe('n = 9');
});

test('[NF-42] a cell whose file is deleted keeps its source and reports the missing file', async () => {
  const { notebook, live, file } = await openLive('deleted');
  const since = live.mark();
  await rm(file);
  await live.next('notebook_state', { since, where: (state) => state.cells[0]?.file_problem !== undefined });
  expect(await notebook.cell('make0001')).toMatchObject({ source: 'n = 1' });
  await notebook.edit('make0001', 'n = 11');
  expect(await readFile(file, 'utf8')).toBe('n = 11');
  expect((await notebook.cell('make0001')).file_problem).toBeUndefined();
});

test('[NF-43] cells that another program adds and removes appear and disappear', async () => {
  const { notebook, live } = await openLive('pulled');
  const toml = join(notebook.path, 'notebook.toml');
  const before = await readFile(toml, 'utf8');
  const since = live.mark();
  await replaceFile(join(notebook.path, 'cells/more0001.py'), 'm = n * 2');
  await replaceFile(toml, `${before}\n[[cells]]\nid = "more0001"\nfile = "cells/more0001.py"\norder = 2.0\n`);
  await live.next('files_changed', { since, where: ({ added }) => added === 1 });
  expect(await notebook.cell('more0001')).toMatchObject({ source: 'm = n * 2', upstream_ids: ['make0001'] });
  await replaceFile(toml, before);
  await live.next('files_changed', { since, where: ({ removed }) => removed === 1 });
  const { body } = await notebook.get<{ cells: { id: string }[] }>('/cells');
  expect(body.cells.map((cell) => cell.id)).toEqual(['make0001', 'read0001']);
});

test('[NF-43] a broken notebook.toml is reported, until it is valid again', async () => {
  const { notebook, live } = await openLive('broken');
  const toml = join(notebook.path, 'notebook.toml');
  const before = await readFile(toml, 'utf8');
  const since = live.mark();
  await replaceFile(toml, 'name = [');
  const state = await live.next('notebook_state', {
    since,
    where: (state) => state.folder_problem !== undefined,
  });
  expect(state.payload.folder_problem).toContain('notebook.toml');
  expect(state.payload.cells).toHaveLength(2);
  const later = live.mark();
  await replaceFile(toml, before);
  await live.next('notebook_state', { since: later, where: (state) => state.folder_problem === undefined });
});

test('[NF-44] a missing folder is reported and not created again, and works when it is restored', async () => {
  const { notebook, live, file } = await openLive('vanished');
  const since = live.mark();
  await rename(notebook.path, `${notebook.path}-elsewhere`);
  const state = await live.next('notebook_state', {
    since,
    where: (state) => state.folder_problem !== undefined,
  });
  expect(state.payload.folder_problem).toContain('no longer exists. Your work stays in this window.');
  expect(state.payload.cells.map((cell) => cell.source)).toEqual(CELLS.map((cell) => cell.source));
  expect((await put(notebook, 'n = 100')).status).toBe(409);
  expect(await readdir(root)).not.toContain('vanished');
  const later = live.mark();
  await rename(`${notebook.path}-elsewhere`, notebook.path);
  await live.next('notebook_state', { since: later, where: (state) => state.folder_problem === undefined });
  // The edit made in the meantime is written.
  await expect.poll(() => readFile(file, 'utf8')).toBe('n = 100');
  await notebook.edit('make0001', 'n = 12');
  expect(await readFile(file, 'utf8')).toBe('n = 12');
});
