import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import WebSocket from 'ws';
import {
  LAUNCH_TOKEN_HEADER,
  readServerMessage,
  type ServerToShell,
  type ShellToServer,
} from '../../src-shared/shell/handshake.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

/** The server of the desktop app, spoken to as the shell speaks to it: by the channel of its process alone. */
const TOKEN = 'k'.repeat(43);
const home = realpathSync(mkdtempSync(join(tmpdir(), 'cellar-hosted-')));
const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'cellar-elsewhere-')));
let child: ChildProcess;
let port = 0;

function say(message: ShellToServer): void {
  child.send(message);
}

function heard<T extends ServerToShell['type']>(type: T): Promise<Extract<ServerToShell, { type: T }>> {
  return new Promise((resolve) => {
    const listener = (data: unknown): void => {
      const message = readServerMessage(data);
      if (message?.type !== type) return;
      child.off('message', listener);
      resolve(message as Extract<ServerToShell, { type: T }>); // its type was compared
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
  child = fork(join(PROJECT_ROOT, 'dist/hosted.mjs'), {
    cwd: home,
    env: { ...process.env, HOME: home, SVC_NOTEBOOK_STORAGE_DIR: join(home, 'notebooks') },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const listening = heard('listening');
  say({ type: 'start', token: TOKEN, roots: [], port: 0, resources: null });
  port = (await listening).port;
});
afterAll(() => {
  child.kill('SIGKILL');
  for (const folder of [home, elsewhere]) rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['health', '/health'],
  ['the page', '/'],
  ['a route', '/v1/notebooks/config'],
  ['an address nobody has', '/v1/nothing'],
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

it('[DK-2] the address and token lie in a file of the owner alone', () => {
  const path = join(home, '.svc/run/server.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ port, token: TOKEN, pid: child.pid });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, '.svc/run')).mode & 0o777).toBe(0o700);
});

it('[DK-3] a folder outside the storage root opens once it is granted by the channel, and by nothing else', async () => {
  const dir = await writeNotebook(join(elsewhere, 'weather 🌦'), { cells: [] });
  const refused = await open(dir);
  expect(refused.status).toBe(400);
  // Whatever a request says, the roots stay.
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

it('[DK-4] says what runs, and ends when asked, leaving no address behind', async () => {
  const running = heard('running');
  say({ type: 'ask_running', id: 9 });
  expect(await running).toEqual({ type: 'running', id: 9, names: [] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  say({ type: 'stop' });
  expect(await ended).toBe(0);
  expect(existsSync(join(home, '.svc/run/server.json'))).toBe(false);
});
