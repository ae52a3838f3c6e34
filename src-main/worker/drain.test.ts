import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestWorker } from './testWorker.ts';

/** A place that keeps an upload waiting until it is let go. */
interface HeldUpload {
  readonly url: string;
  readonly arrived: Promise<void>;
  letGo(): void;
  close(): void;
}

async function holdUploads(): Promise<HeldUpload> {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    request.on('error', () => undefined).resume();
    if (request.url?.startsWith('/upload')) {
      arrived.resolve();
      await released.promise;
    }
    response.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived: arrived.promise,
    letGo: released.resolve,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let worker: Awaited<ReturnType<typeof startTestWorker>>;
let places: HeldUpload;
beforeEach(async () => {
  worker = await startTestWorker({ SVC_WORKER_ALLOW_LOCAL_HOSTS: '1', SVC_WORKER_MAX_CONCURRENT: '1' });
  places = await holdUploads();
});
afterEach(async () => {
  places.letGo();
  await worker.close();
  places.close();
});

const params = (source: string) => ({ source, timeout_seconds: 60, mounts: [], env: {} });

function pull(source = 'x = 1'): Promise<Response> {
  const body = {
    build_id: 'b',
    metadata: { executor_ref: 'notebook_cell@v1', params: { ...params(source), input_specs: {} } },
    inputs: [],
    output: { url: `${places.url}/upload`, method: 'POST' },
    finalize_url: `${places.url}/finalize`,
  };
  const headers = { 'content-type': 'application/json' };
  return fetch(`${worker.url}/v1/execute-manifest`, { method: 'POST', headers, body: JSON.stringify(body) });
}

function push(source: string): Promise<Response> {
  const form = new FormData();
  const transform = { ref: 'notebook_cell@v1', params: params(source) };
  form.append('metadata', JSON.stringify({ protocol_version: 'v1', build_id: 'p', transform, inputs: [] }));
  return fetch(`${worker.url}/v1/execute`, { method: 'POST', body: form });
}

async function active(): Promise<unknown> {
  const said = (await (await fetch(`${worker.url}/health`)).json()) as Record<string, unknown>;
  return said['active_executions'];
}

describe('[WK-45] a worker that stops', () => {
  it('waits for an upload, counts it, and answers with it', async () => {
    const pulled = pull();
    await places.arrived;
    expect(await active()).toBe(1);
    let isDrained = false;
    const drained = worker.drain(60_000).then(() => {
      isDrained = true;
    });
    expect(await active()).toBe(1);
    expect(isDrained).toBe(false);
    places.letGo();
    expect(await (await pulled).json()).toMatchObject({ success: true, finalize: {} });
    await drained;
    expect(await active()).toBe(0);
  });

  it('has a place free for the next cell while a bundle is uploaded', async () => {
    const pulled = pull();
    await places.arrived;
    expect((await push('y = 2')).status).toBe(200);
    places.letGo();
    expect((await pulled).status).toBe(200);
  });

  it('gives an upload up when its time is over, and tells the caller', async () => {
    const pulled = pull();
    await places.arrived;
    await worker.drain(1);
    expect(await active()).toBe(1);
    await worker.close();
    expect((await pulled).status).toBe(502);
  });

  it('waits for a bundle that is read slowly', async () => {
    const response = await push('x = "y" * 40_000_000');
    expect(await active()).toBe(1);
    const drained = worker.drain(60_000);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(40_000_000);
    await drained;
    expect(await active()).toBe(0);
  });

  it('counts a cell whose caller has gone until it has ended', async () => {
    const away = new AbortController();
    const asked = fetch(`${worker.url}/v1/execute-manifest`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, signal: away.signal },
      body: JSON.stringify({
        ...{ build_id: 'gone', inputs: [], finalize_url: `${places.url}/finalize` },
        metadata: { executor_ref: 'notebook_cell@v1', params: { ...params('x = 1'), input_specs: {} } },
        output: { url: `${places.url}/upload`, method: 'POST' },
      }),
    }).catch((error: unknown) => error);
    await places.arrived;
    away.abort();
    await asked;
    expect(await active()).toBe(1);
    places.letGo();
    await vi.waitFor(async () => expect(await active()).toBe(0));
  });

  it('takes no new cell, and still cancels one and tells how it is', async () => {
    const pulled = pull('import time\nprint("on", flush=True)\ntime.sleep(600)');
    await vi.waitFor(async () => expect(await active()).toBe(1));
    const drained = worker.drain(60_000);
    const refused = await push('x = 1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    const cancelled = await fetch(`${worker.url}/v1/executions/b/cancel`, { method: 'POST' });
    expect(await cancelled.json()).toEqual({ build_id: 'b', cancelled: true });
    expect([409, 500]).toContain((await pulled).status);
    await drained;
  });

  it.each<readonly [string, (port: number) => Promise<unknown>]>([
    ['never sent a request', async () => undefined],
    ['sent half a request', async () => 'GET /health HTTP/1.1\r\nhost: x\r\n'],
    ['is kept open after an answer', async () => 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['listens to a console', async () => 'GET /v1/x/builds/none/console HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('is not held by a connection that %s', async (_name, words) => {
    const port = Number(new URL(worker.url).port);
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((done) => socket.once('connect', done));
    const text = await words(port);
    if (typeof text === 'string') {
      socket.write(text);
      if (text.endsWith('\r\n\r\n')) await new Promise((done) => socket.once('data', done));
    }
    const ended = new Promise<void>((done) => socket.once('close', () => done()));
    socket.on('error', () => undefined).resume();
    await worker.drain(60_000);
    await worker.close();
    await ended;
  });
});
