import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { sampleCell } from '../../src-shared/wire/testing/sampleNotebook.ts';
import { loadConfig } from '../config/loadConfig.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { MemorySessions } from './testing/memorySessions.ts';
import { startTestServer } from './testing/testServer.ts';

describe('starting and stopping', () => {
  it('skips a busy port, or names it in the error', async () => {
    const first = await startTestServer();
    const second = await startTestServer({ start: { port: first.port, whenBusy: 'next' } });
    expect(second.port).toBeGreaterThan(first.port);
    expect(second.url).toBe(`http://127.0.0.1:${second.port}/`);
    await expect(startTestServer({ start: { port: first.port } })).rejects.toThrow(
      `Port ${first.port} is in use on 127.0.0.1`,
    );
    await Promise.all([first.close(), second.close()]);
  });

  it('[RE-4] refuses service mode, because there is no authentication yet', async () => {
    const server = await startTestServer();
    const config = loadConfig({
      cwd: tmpdir(),
      env: { SVC_DEPLOYMENT_MODE: 'service', SVC_AUTH_MODE: 'trusted_proxy', SVC_PROXY_TOKEN: 't' },
    });
    await server.close();
    await expect(startTestServer({ config })).rejects.toThrow(/no authentication yet/);
  });

  it('[RE-11] drains: the running cell is cancelled, its caller is answered, the port is free', async () => {
    const sessions = new MemorySessions({ cells: [sampleCell({ id: 'a' })] });
    const server = await startTestServer({ sessions, start: { drainMs: 20 } });
    const session = await sessions.open(notebookFolder('/nb'));
    const running = server.fetch(`/v1/notebooks/${session.id}/cells/a/execute`, { method: 'POST' });
    await expect.poll(() => session.runningCell).toBe('a');
    const closing = server.close();
    expect(server.close()).toBe(closing);
    expect(await (await running).json()).toMatchObject({ status: 'error', error_code: 'cancelled' });
    await closing;
    expect(sessions.list()).toEqual([]);
    await expect(server.fetch('/health')).rejects.toThrow();
  });

  it('[RE-11] accepts no new run while it drains', async () => {
    const sessions = new MemorySessions({ cells: [sampleCell({ id: 'a' }), sampleCell({ id: 'b' })] });
    const server = await startTestServer({ sessions, start: { drainMs: 10_000 } });
    const session = await sessions.open(notebookFolder('/nb'));
    const path = `/v1/notebooks/${session.id}/cells/a/execute`;
    const running = server.fetch(path, { method: 'POST' });
    await expect.poll(() => session.runningCell).toBe('a');
    // While draining, the only remaining way in is a connection that was made before, with an unfinished request.
    const late = request({
      port: server.port,
      host: '127.0.0.1',
      path,
      method: 'POST',
      headers: { 'content-length': '1' },
    });
    const answer = new Promise<number | undefined>((resolve, reject) => {
      late.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      late.on('error', reject);
    });
    late.flushHeaders();
    await new Promise((resolve) =>
      late.on('socket', (socket) => (socket.connecting ? socket.once('connect', resolve) : resolve(0))),
    );
    await (await server.fetch('/health')).text();
    const closing = server.close();
    late.end('x');
    expect(await answer).toBe(503);
    session.finishRun();
    expect((await running).status).toBe(200);
    await closing;
  });
});
