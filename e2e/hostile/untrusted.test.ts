/**
 * Tests untrusted folders of strangers in the desktop app's built server: opening and editing them runs nothing and
 * writes nothing but the user's changes. Disk, processes and network are checked from outside the server.
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { svc } from '../support/svcCommand.ts';
import { type HostedServer, startHostedServer } from './hostedServer.ts';
import { processesOf, SEES_PROCESSES, treeOf } from './outsideChecks.ts';
import {
  CELL,
  type PlacedStranger,
  placeStranger,
  STRANGER_FOLDERS,
  type StrangerFolder,
  writeStranger,
} from './strangerFolders.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'cellar-strangers-')));
let app: HostedServer;
let network: Server;
let listener = '';
const requests: string[] = [];

beforeAll(async () => {
  network = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(200).end('{}');
  });
  network.on('connection', () => requests.push('a connection'));
  await new Promise<void>((ready) => network.listen(0, '127.0.0.1', ready));
  listener = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  app = await startHostedServer();
  await app.grant(root);
});
afterAll(async () => {
  await app.dispose();
  network.close();
  rmSync(root, { recursive: true, force: true });
});

let next = 0;

function stranger(make: StrangerFolder['make']): PlacedStranger {
  return placeStranger(join(root, `stranger-${next++}`), make, listener);
}

/** The paths that the window and its panels request to show a notebook. */
const WINDOW_READS = [
  '',
  '/cells',
  '/dag',
  '/environment',
  '/x/variables',
  '/x/history',
  '/x/undo',
  '/x/drafts',
  '/x/drafts/sources',
  '/x/mounts',
  '/x/storage',
  `/x/cells/${CELL}/history`,
  `/x/cells/${CELL}/results`,
  `/x/cells/${CELL}/log`,
  '/workers',
  '/connections',
  '/export?fmt=zip',
];

async function opened(dir: string): Promise<SessionStateBody> {
  const answer = await app.open(dir);
  expect(answer.status).toBe(200);
  return (await answer.json()) as SessionStateBody;
}

async function lookAround(sid: string): Promise<void> {
  const ask = (path: string) =>
    app.ask(path === '' ? `/v1/notebooks/sessions/${sid}` : `/v1/notebooks/${sid}${path}`);
  for (const path of WINDOW_READS) expect([path, (await ask(path)).status < 500]).toEqual([path, true]);
}

async function close(sid: string): Promise<void> {
  expect((await app.ask(`/v1/notebooks/${sid}/close`, { method: 'POST' })).status).toBe(200);
}

it.each(STRANGER_FOLDERS)(
  '[SG-20] [SG-21] viewing an untrusted folder with $name changes no byte, starts no process and sends no request',
  async ({ make }) => {
    const { dir } = stranger(make);
    const before = treeOf(join(dir, '..'));
    const processes = SEES_PROCESSES ? processesOf(app.pid) : null;
    const calls = requests.length;
    const answer = await app.open(dir);
    const state = (await answer.json()) as SessionStateBody & { detail?: unknown };
    // A folder that is refused must be unchanged too.
    if (answer.status === 200) {
      expect(state.untrusted).toMatch(/^Nothing runs in this folder/);
      await lookAround(state.session_id);
      // The window sends its undo stack back after reading it.
      const body = JSON.stringify({ done: [], undone: [], gone: [] });
      const saved = await app.ask(`/v1/notebooks/${state.session_id}/x/undo`, { method: 'PUT', body });
      expect(await saved.json()).toEqual({ kept: 0 });
      for (const path of [`cells/${CELL}/execute`, 'environment/sync']) {
        const refused = await app.ask(`/v1/notebooks/${state.session_id}/${path}`, { method: 'POST' });
        expect([path, refused.status >= 400 && refused.status < 500]).toEqual([path, true]);
      }
      await close(state.session_id);
    } else expect(answer.status).toBe(400);
    expect(treeOf(join(dir, '..'))).toEqual(before);
    if (processes !== null) expect(processesOf(app.pid)).toBe(processes);
    expect(requests.slice(calls)).toEqual([]);
  },
);

it('[SG-20] a notebook that ran elsewhere opens with its results, unchanged', async () => {
  const dir = join(root, 'ran elsewhere');
  writeStranger(dir);
  const ran = await svc(['run', dir, '--format', 'json']);
  expect(ran.code).toBe(0);
  const before = treeOf(dir);
  const state = await opened(dir);
  await lookAround(state.session_id);
  const results = await app.ask(`/v1/notebooks/${state.session_id}/x/cells/${CELL}/results`);
  expect(await results.json()).toMatchObject({ results: [expect.objectContaining({ variable: 'x' })] });
  await close(state.session_id);
  expect(treeOf(dir)).toEqual(before);
  expect(readdirSync(join(app.cacheDir, 'untrusted'))).toEqual([]);
});

it('[SG-22] only the user’s changes are written, under the folder’s lock', async () => {
  const { dir } = stranger(() => undefined);
  const { session_id: sid } = await opened(dir);
  expect(readdirSync(join(dir, '.svc'))).toEqual([]);
  const body = JSON.stringify({ source: 'x = 2' });
  const edited = await app.ask(`/v1/notebooks/${sid}/cells/${CELL}`, { method: 'PUT', body });
  expect(edited.status).toBe(200);
  expect(readFileSync(join(dir, `cells/${CELL}.py`), 'utf8')).toBe('x = 2');
  expect(existsSync(join(dir, '.svc/writer.lock'))).toBe(true);
  expect(existsSync(join(dir, '.venv'))).toBe(false);
  await close(sid);
  expect(existsSync(join(dir, '.svc/writer.lock'))).toBe(false);
});

it('[SG-22] an untrusted folder that another program has open can be read but not written', async () => {
  const { dir } = stranger((folder) => {
    const holder = { pid: 1, host: 'another-machine', startedAt: '', processStart: null, token: 'a' };
    writeFileSync(join(folder, '.svc/writer.lock'), JSON.stringify(holder));
  });
  const { session_id: sid } = await opened(dir);
  const body = JSON.stringify({ source: 'x = 2' });
  const refused = await app.ask(`/v1/notebooks/${sid}/cells/${CELL}`, { method: 'PUT', body });
  expect([refused.status, JSON.stringify(await refused.json())]).toEqual([
    409,
    expect.stringContaining('another-machine'),
  ]);
  expect(readFileSync(join(dir, `cells/${CELL}.py`), 'utf8')).toBe('x = 1\n');
  expect(readdirSync(join(dir, '.svc'))).toEqual(['writer.lock']);
});

it('[SG-23] after the folder is trusted, pending work continues in the same session', async () => {
  const { dir } = stranger((folder) => {
    const place = join(folder, '.svc/running');
    mkdirSync(place);
    writeFileSync(
      join(place, '6331.json'),
      JSON.stringify({ id: CELL, run: 'r1', stdout: 'cut short\n', stderr: '' }),
    );
    writeFileSync(join(folder, '.svc/undo.json'), '{"half":');
    const note = { lockBefore: null, projectBefore: null, isEdit: false, projectAfter: null };
    writeFileSync(join(folder, '.svc/sync-in-progress.json'), JSON.stringify(note));
  });
  const { session_id: sid } = await opened(dir);
  await app.trust(dir);
  const state = async () =>
    (await (await app.ask(`/v1/notebooks/sessions/${sid}`)).json()) as SessionStateBody;
  expect(await state()).toMatchObject({ session_id: sid });
  expect((await state()).untrusted).toBeUndefined();
  await expect.poll(async () => (await state()).environment.sync_state).toBe('ready');
  expect(existsSync(join(dir, '.svc/running'))).toBe(false);
  expect((await app.ask(`/v1/notebooks/${sid}/x/undo`)).status).toBe(200);
  expect(existsSync(join(dir, '.svc/undo.json.bad'))).toBe(true);
  expect(existsSync(join(dir, '.svc/sync-in-progress.json'))).toBe(false);
  const ran = await app.ask(`/v1/notebooks/${sid}/cells/${CELL}/execute`, { method: 'POST' });
  expect(await ran.json()).toMatchObject({ status: 'ready' });
  await close(sid);
});
