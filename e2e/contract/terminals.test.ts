/**
 * Tests the terminals of a notebook on a real server: an environment without keys, several windows, large output,
 * refusals.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { IS_LONG } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const CANARY = 'canary-key-that-no-shell-sees';
let root: string;
let server: ServerProcess;
let notebook: OpenNotebook;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-terminals-'));
  server = await startServerProcess({
    grants: [root],
    env: { SHELL: '/bin/sh', SVC_AI_API_KEY: CANARY, ENV: '' },
  });
  notebook = await openNotebook(server, join(root, 'shells'), [{ id: 'a0000001', source: '1' }]);
});
afterAll(async () => {
  await server?.dispose();
  await rm(root, { recursive: true, force: true });
});

const terminalsPath = () => `/v1/notebooks/${notebook.sid}/x/terminals`;

async function openTerminal(): Promise<string> {
  const { status, body } = await rest(server.url, 'POST', terminalsPath(), { columns: 90, rows: 20 });
  expect(status).toBe(200);
  return (body as { id: string }).id;
}

interface Shown {
  readonly text: () => string;
  readonly exitCode: () => number | null;
  readonly type: (text: string) => void;
  readonly send: (message: unknown) => void;
  readonly closed: Promise<number>;
  readonly leave: () => Promise<number>;
}

async function show(id: string, sid = notebook.sid, headers = {}): Promise<Shown> {
  const url = `${server.url.replace(/^http/, 'ws').replace(/\/$/, '')}/v1/notebooks/ws/${sid}/terminals/${id}`;
  const socket = new WebSocket(url, { headers });
  let text = '';
  let exitCode: number | null = null;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.type === 'exit') {
      exitCode = message.exit_code;
      return;
    }
    text += message.text;
    socket.send(JSON.stringify({ type: 'received', characters: message.text.length }));
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    text: () => text,
    exitCode: () => exitCode,
    send: (message) => socket.send(JSON.stringify(message)),
    type: (line) => socket.send(JSON.stringify({ type: 'input', text: `${line}\r` })),
    closed,
    leave: () => {
      socket.close();
      return closed;
    },
  };
}

describe('terminals of a notebook', () => {
  it('[TM-1] [TM-4] a terminal is a shell in the folder, with the notebook’s environment and without keys', async () => {
    const shell = await show(await openTerminal());
    shell.type(
      'echo "in $(pwd)" "python $(command -v python)" "key [$SVC_AI_API_KEY]" "tty $(stty size)" done',
    );
    await expect.poll(shell.text).toContain(`key [] tty 20 90 done`);
    expect(shell.text()).toContain(`in ${notebook.path}`);
    expect(shell.text()).toContain(`python ${notebook.path}/.venv/bin/python`);
    shell.send({ type: 'resize', columns: 60, rows: 10 });
    shell.type('echo "now $(stty size) rows"');
    await expect.poll(shell.text).toContain('now 10 60 rows');
    await shell.leave();
  });

  it('[TM-1] a second window sees the earlier output, and both see what follows', async () => {
    const id = await openTerminal();
    const first = await show(id);
    first.type('echo fir"st line"');
    await expect.poll(first.text).toContain('first line');
    const second = await show(id);
    await expect.poll(second.text).toContain('first line');
    second.type('echo seco"nd line"');
    await expect.poll(first.text).toContain('second line');
    await Promise.all([first.leave(), second.leave()]);
    const third = await show(id);
    await expect.poll(third.text).toContain('second line');
    third.type('exit 7');
    await expect.poll(third.exitCode).toBe(7);
    await third.leave();
  });

  it('[TM-2] megabytes arrive complete', async () => {
    // Several times what the server buffers for a window.
    const count = IS_LONG ? 1_500_000 : 400_000;
    const shell = await show(await openTerminal());
    shell.type(`seq 1 ${count}; echo "the e"nd`);
    await expect.poll(() => shell.text().includes('the end')).toBe(true);
    const lines = shell.text().split('\r\n');
    const start = lines.indexOf('1');
    expect(lines.slice(start, start + count).every((line, at) => line === String(at + 1))).toBe(true);
    await shell.leave();
  });

  it('[TM-3] closing a terminal ends its shell and notifies its windows', async () => {
    const id = await openTerminal();
    const shell = await show(id);
    const { status } = await rest(server.url, 'DELETE', `${terminalsPath()}/${id}`);
    expect(status).toBe(200);
    expect(await shell.closed).toBe(1000);
    expect((await rest(server.url, 'DELETE', `${terminalsPath()}/${id}`)).status).toBe(404);
    await expect(show(id)).rejects.toThrow('403');
  });

  it('[TM-3] closing the notebook ends its shells', async () => {
    const other = await openNotebook(server, join(root, 'other'), [{ id: 'a0000001', source: '1' }]);
    const { body } = await rest(server.url, 'POST', `/v1/notebooks/${other.sid}/x/terminals`, {
      columns: 80,
      rows: 24,
    });
    const shell = await show((body as { id: string }).id, other.sid);
    await rest(server.url, 'POST', `/v1/notebooks/${other.sid}/close`);
    expect(await shell.closed).toBe(1000);
  });

  it.each([
    ['a page of another origin', { headers: { origin: 'http://evil.example' } }],
    ['another host name', { headers: { host: 'evil.example' } }],
    ['another notebook', { sid: 'unknown' }],
  ])(
    '[TM-5] %s is refused',
    async (_what, { sid = notebook.sid, headers = {} }: { sid?: string; headers?: object }) => {
      const id = await openTerminal();
      await expect(show(id, sid, headers)).rejects.toThrow('403');
      await rest(server.url, 'DELETE', `${terminalsPath()}/${id}`);
    },
  );

  it.each([
    ['invalid JSON', 'x'],
    ['an unknown message', { type: 'run', text: 'rm' }],
    ['a size of zero', { type: 'resize', columns: 0, rows: 0 }],
  ])('[TM-5] %s ends the socket, not the shell', async (_what, message) => {
    const id = await openTerminal();
    const shell = await show(id);
    shell.send(message);
    expect(await shell.closed).toBe(1008);
    const again = await show(id);
    again.type('echo "still he"re');
    await expect.poll(again.text).toContain('still here');
    await again.leave();
    await rest(server.url, 'DELETE', `${terminalsPath()}/${id}`);
  });
});
