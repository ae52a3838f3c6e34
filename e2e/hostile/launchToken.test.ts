/**
 * Tests a real server that requires a token: only the browser that opened the printed address and the command line of
 * the same user have access.
 */

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram } from '../support/chromium.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

let home = '';
let dir = '';
let server: ServerProcess;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'cellar-launch-'));
  dir = await writeNotebook(join(home, 'mine'), { cells: [{ id: 'a0000001', source: '# %% mine\nx = 1' }] });
  server = await startServerProcess({
    grants: [dir],
    args: ['--token', '--open', dir],
    env: { HOME: home },
  });
});
afterAll(async () => {
  await server.dispose();
  await rm(home, { recursive: true, force: true });
});

/** The addresses that the server has printed. */
const addresses = (): readonly string[] =>
  [...server.stdout().matchAll(/^Cellar is at (\S+)$/gm)].map(([, url = '']) => url);

describe('[SG-67] a server that requires a token (`npm start`, `svc serve --token`)', () => {
  it('serves page and socket only to the browser that opened the printed address', async () => {
    const [address = ''] = addresses();
    expect(address).toMatch(/\/\?ticket=[\w-]{43}#\/open\?path=/);
    expect((await fetch(`${server.url}/v1/notebooks/config`)).status).toBe(401);
    const browser = await chromium.launch({ ...chromiumProgram(), args: ['--no-sandbox'] });
    try {
      const mine = await (await browser.newContext()).newPage();
      await mine.goto(address);
      await mine.waitForURL((url) => url.search === '' && url.hash !== '');
      const [cookie] = await mine.context().cookies(server.url);
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', name: `svc_launch_${server.port}` });
      const results = await mine.evaluate(async (path) => {
        const opened = await fetch('/v1/notebooks/open', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ path }),
        });
        const { session_id: sid } = await opened.json();
        const socket = await new Promise<string>((resolve) => {
          const ws = new WebSocket(`${location.origin.replace('http', 'ws')}/v1/notebooks/ws/${sid}`);
          ws.onopen = () => resolve('open');
          ws.onerror = () => resolve('refused');
        });
        return [opened.status, socket];
      }, dir);
      expect(results).toEqual([200, 'open']);
      const other = await (await browser.newContext()).newPage();
      expect((await other.goto(address))?.status()).toBe(401);
      expect((await other.goto(server.url))?.status()).toBe(401);
    } finally {
      await browser.close();
    }
    // The server prints another address, so a user with access to the terminal can open another browser.
    await expect.poll(() => addresses().length).toBe(2);
    expect(addresses()[1]).not.toBe(address);
  });

  it('answers the command line of the same user, which reads the token automatically', async () => {
    const token = join(home, '.svc/run', `token-${server.port}`);
    if (process.platform !== 'win32') expect((await stat(token)).mode & 0o777).toBe(0o600);
    const args = ['watch', join(home, 'nowhere'), '--server', server.url];
    const mine = await svc(args, { env: { HOME: home } });
    expect([mine.code, mine.stderr]).toEqual([
      expect.any(Number),
      expect.not.stringContaining(
        'Access denied. This server accepts only the program that started it, and browsers that opened the address it printed.',
      ),
    ]);
    const other = await svc(args, { env: { HOME: join(home, 'elsewhere') } });
    expect([other.code === 0, other.stderr]).toEqual([
      false,
      expect.stringContaining(
        'Access denied. This server accepts only the program that started it, and browsers that opened the address it printed.',
      ),
    ]);
    expect(server.stderr()).not.toContain('WARNING');
  });
});

describe('[SG-69] svc serve --allow-other-users', () => {
  it('prints a warning that says who can use the server', async () => {
    const own = await startServerProcess({ args: ['--allow-other-users'] });
    try {
      expect(own.stderr()).toMatch(/WARNING: every user of this machine can use this server/);
      expect((await fetch(`${own.url}/v1/notebooks/config`)).status).toBe(200);
    } finally {
      await own.dispose();
    }
  });
});
