/**
 * Tests the built server of the desktop app, driven as the shell does it: by messages over the channel of its process,
 * and by HTTP with the launch token.
 */

import { type ChildProcess, fork } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import WebSocket from 'ws';
import { createHttpIndex, type TestHttpIndex } from '../../src-main/environment/testing/testHttpIndex.ts';
import { createTestIndex, type TestIndex } from '../../src-main/environment/testing/testIndex.ts';
import {
  LAUNCH_TOKEN_HEADER,
  readServerMessage,
  type ServerToShell,
  type ShellToServer,
} from '../../src-shared/shell/handshake.ts';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

const TOKEN = 'k'.repeat(43);
const home = realpathSync(mkdtempSync(join(tmpdir(), 'cellar-hosted-')));
const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'cellar-elsewhere-')));
const HELLO = { id: 'hello', source: 'print("hello")' };
let child: ChildProcess;
let port = 0;
let packages: TestIndex;
let index: TestHttpIndex;

function say(message: ShellToServer): void {
  child.send(message);
}

function heard<T extends ServerToShell['type']>(type: T): Promise<Extract<ServerToShell, { type: T }>> {
  return new Promise((resolve) => {
    const listener = (data: unknown): void => {
      const message = readServerMessage(data);
      if (message?.type !== type) return;
      child.off('message', listener);
      resolve(message as Extract<ServerToShell, { type: T }>); // the type was checked above
    };
    child.on('message', listener);
  });
}

const ask = (path: string, init: RequestInit = {}, token: string | null = TOKEN): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { [LAUNCH_TOKEN_HEADER]: token }),
    },
  });
const open = (path: string): Promise<Response> =>
  ask('/v1/notebooks/open', { method: 'POST', body: JSON.stringify({ path }) });

beforeAll(async () => {
  packages = await createTestIndex();
  await packages.wheel({ name: 'apple', version: '1.0' });
  index = await createHttpIndex(packages);
  child = fork(join(PROJECT_ROOT, 'dist/hosted.mjs'), {
    cwd: home,
    env: { ...index.behindProxy, HOME: home, SVC_NOTEBOOK_STORAGE_DIR: join(home, 'notebooks') },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const listening = heard('listening');
  say({ type: 'start', token: TOKEN, roots: [], trusted: [], port: 0, resources: null });
  port = (await listening).port;
});
afterAll(async () => {
  child.kill('SIGKILL');
  await index.close();
  await packages.close();
  for (const folder of [home, elsewhere]) rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['health', '/health'],
  ['the page', '/'],
  ['a route', '/v1/notebooks/config'],
  ['an unknown address', '/v1/nothing'],
])('[DK-1] %s is refused without the launch token and with a wrong one', async (_name, path) => {
  for (const token of [null, 'x'.repeat(43), `${TOKEN}x`, '']) {
    expect((await ask(path, {}, token)).status).toBe(401);
  }
  expect((await ask(path)).status).not.toBe(401);
});

it('[DK-1] a WebSocket upgrade is refused without the launch token', async () => {
  const dir = await writeNotebook(join(home, 'notebooks', 'live'), { cells: [] });
  const { session_id: sid } = (await (await open(dir)).json()) as { session_id: string };
  const upgrade = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/notebooks/ws/${sid}`, { headers });
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.once('open', () => {
        socket.close();
        resolve(101);
      });
      socket.once('error', reject);
    });
  expect(await upgrade({})).toBe(403);
  expect(await upgrade({ [LAUNCH_TOKEN_HEADER]: 'x'.repeat(43) })).toBe(403);
  expect(await upgrade({ [LAUNCH_TOKEN_HEADER]: TOKEN })).toBe(101);
});

it('[DK-2] the address and token are in a file that only its owner can read', () => {
  const path = join(home, '.svc/run/server.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ port, token: TOKEN, pid: child.pid });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, '.svc/run')).mode & 0o777).toBe(0o700);
});

it('[DK-3] a folder outside the storage root opens only after the channel has granted it', async () => {
  const dir = await writeNotebook(join(elsewhere, 'weather 🌦'), { cells: [] });
  const refused = await open(dir);
  expect(refused.status).toBe(400);
  // A request cannot extend the roots.
  await ask('/v1/notebooks/open', {
    method: 'POST',
    body: JSON.stringify({ path: dir, roots: [elsewhere], grant: elsewhere }),
  });
  expect((await open(dir)).status).toBe(400);
  const granted = heard('granted');
  say({ type: 'grant', id: 7, root: dir });
  expect((await granted).id).toBe(7);
  expect((await open(dir)).status).toBe(200);
  expect((await open(elsewhere)).status).toBe(400);
});

it('[DK-30] packages are downloaded through the proxy that the shell names', async () => {
  const synced = async (name: string): Promise<SessionStateBody> => {
    const dir = await writeNotebook(join(home, 'notebooks', name), {
      cells: [HELLO],
      dependencies: ['apple'],
    });
    const { session_id: sid } = (await (await open(dir)).json()) as SessionStateBody;
    const state = async (): Promise<SessionStateBody> =>
      (await ask(`/v1/notebooks/sessions/${sid}`)).json() as Promise<SessionStateBody>;
    await expect.poll(async () => (await state()).environment_job?.status).not.toBe('running');
    return state();
  };
  const without = await synced('without a proxy');
  expect(without.environment.sync_error).toContain('packages.invalid cannot be reached');
  say({ type: 'network', variables: { HTTP_PROXY: index.proxy, NO_PROXY: 'localhost,127.0.0.1' } });
  const by = await synced('by the proxy');
  expect(by.environment).toMatchObject({ sync_state: 'ready', sync_error: null, resolved_package_count: 1 });
});

it('[DK-24] a granted folder can be read and edited, but runs nothing until it is trusted over the channel', async () => {
  const dir = await writeNotebook(join(elsewhere, 'from a friend'), { cells: [HELLO] });
  // The interpreter in this folder writes a file if it is started.
  const mark = join(elsewhere, 'started');
  mkdirSync(join(dir, '.venv/bin'), { recursive: true });
  writeFileSync(join(dir, '.venv/bin/python'), `#!/bin/sh\ntouch '${mark}'\nexit 1\n`, { mode: 0o755 });
  const granted = heard('granted');
  say({ type: 'grant', id: 1, root: dir });
  await granted;
  const opened = (await (await open(dir)).json()) as SessionStateBody;
  const base = `/v1/notebooks/${opened.session_id}`;
  const state = async (): Promise<SessionStateBody> =>
    (await ask(`/v1/notebooks/sessions/${opened.session_id}`)).json();
  expect(opened.untrusted).toMatch(/^Nothing runs in this folder until you trust it\./);
  expect(opened.environment).toMatchObject({ sync_state: 'unknown' });
  expect(opened.environment_job).toBeNull();
  const edited = await ask(`${base}/cells/hello`, {
    method: 'PUT',
    body: JSON.stringify({ source: 'print("hi", 6 * 7)' }),
  });
  expect(edited.status).toBe(200);
  const refused = await ask(`${base}/cells/hello/execute`, { method: 'POST' });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toEqual({
    detail: { code: 'NOTEBOOK_UNTRUSTED', message: opened.untrusted },
  });
  expect((await ask(`${base}/r-packages`)).status).toBe(403);
  expect(existsSync(mark)).toBe(false);
  expect((await state()).environment_job).toBeNull();

  const trusted = heard('granted');
  say({ type: 'trust', id: 2, root: dir });
  expect((await trusted).id).toBe(2);
  await expect.poll(async () => (await state()).environment_job?.status).not.toBe('running');
  expect((await state()).untrusted).toBeUndefined();
  const ran = (await (await ask(`${base}/cells/hello/execute`, { method: 'POST' })).json()) as {
    status: string;
    stdout: string;
  };
  expect(ran).toMatchObject({ status: 'ready', stdout: 'hi 42\n' });
});

it('[DK-26] [DK-28] new notebooks of the user are trusted immediately, and the shell stores the trust', async () => {
  const parent = join(elsewhere, 'new');
  mkdirSync(parent);
  const granted = heard('granted');
  say({ type: 'grant', id: 3, root: parent });
  await granted;
  const made = heard('made');
  const answer = await ask('/v1/notebooks/create', {
    method: 'POST',
    body: JSON.stringify({ parent_path: parent, name: 'Mine' }),
  });
  expect(answer.status).toBe(200);
  const created = (await answer.json()) as SessionStateBody;
  expect(created.untrusted).toBeUndefined();
  expect((await made).path).toBe(created.path);
  // After a deletion the path is untrusted again. (The environment of the notebook above is still being created.)
  const other = await writeNotebook(join(parent, 'other'), { cells: [] });
  const removed = heard('removed');
  const gone = await ask('/v1/notebooks/delete-by-path', {
    method: 'POST',
    body: JSON.stringify({ path: other }),
  });
  expect(gone.status).toBe(200);
  expect((await removed).path).toBe(other);
});

it('[DK-4] the server reports what is running, and on request ends and removes its address file', async () => {
  const running = heard('running');
  say({ type: 'ask_running', id: 9 });
  expect(await running).toEqual({ type: 'running', id: 9, names: [] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  say({ type: 'stop' });
  expect(await ended).toBe(0);
  expect(existsSync(join(home, '.svc/run/server.json'))).toBe(false);
});
