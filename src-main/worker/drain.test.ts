import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestWorker } from './testing/testWorker.ts';

/** A server that holds uploads until they are released. */
interface HeldUpload {
  readonly url: string;
  readonly arrived: Promise<void>;
  release(): void;
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
    release: released.resolve,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let worker: Awaited<ReturnType<typeof startTestWorker>>;
let uploads: HeldUpload;
beforeEach(async () => {
  worker = await startTestWorker({ SVC_WORKER_ALLOW_LOCAL_HOSTS: '1', SVC_WORKER_MAX_CONCURRENT: '1' });
  uploads = await holdUploads();
});
afterEach(async () => {
  uploads.release();
  await worker.close();
  uploads.close();
});

const params = (source: string) => ({ source, timeout_seconds: 60, mounts: [], env: {} });

function pull(source = 'x = 1'): Promise<Response> {
  const body = {
    build_id: 'b',
    metadata: { executor_ref: 'notebook_cell@v1', params: { ...params(source), input_specs: {} } },
    inputs: [],
    output: { url: `${uploads.url}/upload`, method: 'POST' },
    finalize_url: `${uploads.url}/finalize`,
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
  const status = (await (await fetch(`${worker.url}/health`)).json()) as Record<string, unknown>;
  return status['active_executions'];
}

describe('[WK-45] a worker that stops', () => {
  it('waits for an upload, counts it as active, and responds after it', async () => {
    const response = pull();
    await uploads.arrived;
    expect(await active()).toBe(1);
    let isDrained = false;
    const drain = worker.drain(60_000).then(() => {
      isDrained = true;
    });
    expect(await active()).toBe(1);
    expect(isDrained).toBe(false);
    uploads.release();
    expect(await (await response).json()).toMatchObject({ success: true, finalize: {} });
    await drain;
    expect(await active()).toBe(0);
  });

  it('has a free slot for the next cell while a bundle is uploaded', async () => {
    const response = pull();
    await uploads.arrived;
    expect((await push('y = 2')).status).toBe(200);
    uploads.release();
    expect((await response).status).toBe(200);
  });

  it('stops waiting for an upload after the timeout, and reports an error to the caller', async () => {
    const response = pull();
    await uploads.arrived;
    await worker.drain(1);
    expect(await active()).toBe(1);
    await worker.close();
    expect((await response).status).toBe(502);
  });

  it('waits for a bundle that is read slowly', async () => {
    const response = await push('x = "y" * 40_000_000');
    expect(await active()).toBe(1);
    const drain = worker.drain(60_000);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(40_000_000);
    await drain;
    expect(await active()).toBe(0);
  });

  it('counts a cell as active until it has ended, even if its caller has disconnected', async () => {
    const disconnect = new AbortController();
    const request = fetch(`${worker.url}/v1/execute-manifest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      signal: disconnect.signal,
      body: JSON.stringify({
        build_id: 'gone',
        inputs: [],
        finalize_url: `${uploads.url}/finalize`,
        metadata: { executor_ref: 'notebook_cell@v1', params: { ...params('x = 1'), input_specs: {} } },
        output: { url: `${uploads.url}/upload`, method: 'POST' },
      }),
    }).catch((error: unknown) => error);
    await uploads.arrived;
    disconnect.abort();
    await request;
    expect(await active()).toBe(1);
    uploads.release();
    await vi.waitFor(async () => expect(await active()).toBe(0), { timeout: 60_000 });
  });

  it('refuses new cells, but still cancels a running one', async () => {
    const response = pull('import time\nprint("on", flush=True)\ntime.sleep(600)');
    await vi.waitFor(async () => expect(await active()).toBe(1), { timeout: 60_000 });
    const drain = worker.drain(60_000);
    const refusal = await push('x = 1');
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([503, '5']);
    const cancellation = await fetch(`${worker.url}/v1/executions/b/cancel`, { method: 'POST' });
    expect(await cancellation.json()).toEqual({ build_id: 'b', cancelled: true });
    expect([409, 500]).toContain((await response).status);
    await drain;
  });

  it.each<readonly [string, (port: number) => Promise<unknown>]>([
    ['never sent a request', async () => undefined],
    ['sent half a request', async () => 'GET /health HTTP/1.1\r\nhost: x\r\n'],
    ['is kept open after an answer', async () => 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['listens to a console', async () => 'GET /v1/x/builds/none/console HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('is not kept open by a connection that %s', async (_name, textFor) => {
    const port = Number(new URL(worker.url).port);
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((done) => socket.once('connect', done));
    const text = await textFor(port);
    if (typeof text === 'string') {
      socket.write(text);
      if (text.endsWith('\r\n\r\n')) await new Promise((done) => socket.once('data', done));
    }
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    socket.on('error', () => undefined).resume();
    await worker.drain(60_000);
    await worker.close();
    await closed;
  });
});
