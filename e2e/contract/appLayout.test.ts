/**
 * Tests the app layout of a notebook on a real server: its frames, its part of `notebook.toml`, and that no result
 * depends on it.
 */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectLive } from '../support/liveClient.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-app-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

it('[WI-399] [WI-398] windows get each change of the layout, others no frame; no result depends on it', async () => {
  const dir = join(root, 'shown');
  const notebook = await openNotebook(server, dir, [
    { id: 'a0000001', source: 'x = 1' },
    { id: 'b0000001', source: 'x + 1' },
  ]);
  const put = (edit: object) => rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/x/app`, edit);
  const file = join(dir, 'notebook.toml');
  const before = await readFile(file, 'utf8');
  expect(
    (await rest(server.url, 'POST', `/v1/notebooks/${notebook.sid}/cells/b0000001/execute`)).status,
  ).toBe(200);
  const [plain, window] = await Promise.all([
    connectLive(server.url, notebook.sid),
    connectLive(server.url, notebook.sid, '?extensions=1'),
  ]);
  plain.send('notebook_sync', {});
  const state = await plain.next('notebook_state');
  expect(state.payload.app).toBeUndefined();

  // Two windows at the same time, each with its own values.
  const answers = await Promise.all([
    put({ layout: 'grid', cells: { b0000001: { grid: [0, 0, 6, 4] } } }),
    put({ title: 'T', cells: { b0000001: { tab: 'x' }, gone: { tab: 'x' } } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const whole = { layout: 'grid', title: 'T', cells: { b0000001: { grid: [0, 0, 6, 4], tab: 'x' } } };
  const both = await window.next('app_layout', {
    where: ({ layout, title }) => layout === 'grid' && title === 'T',
  });
  expect(both.payload).toEqual(whole);

  // All other bytes of the file are as before, and no status changed.
  const written = await readFile(file, 'utf8');
  const without = (text: string): string =>
    text.replace(/^app = .*\n/m, '').replace(/\n\[app\]\n(.+\n)+/, '');
  expect(without(written)).toBe(without(before));
  expect(written).toContain('app = { grid = [0, 0, 6, 4], tab = "x" }');
  expect((await notebook.cell('b0000001')).status).toBe('ready');

  // Another program writes an invalid value: it is reported, and the other values still apply.
  await writeFile(file, written.replace('layout = "grid"', 'layout = "grod"'));
  const stateFrame = await window.next('notebook_state', { where: ({ app }) => app?.problems !== undefined });
  expect(stateFrame.payload.app).toMatchObject({
    title: 'T',
    problems: [expect.stringContaining('app.layout must be')],
  });
  expect((await put({ theme: 'dark' })).status).toBe(200);
  expect(await readFile(file, 'utf8')).toContain('layout = "grod"');
  expect((await put({ cells: { b0000001: { grid: [9, 0, 6, 1] } } })).status).toBe(422);
  expect(plain.frames.some(({ type }) => type === 'app_layout')).toBe(false);
  await Promise.all([plain.close(), window.close()]);
});
