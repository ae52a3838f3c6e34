import { createHash } from 'node:crypto';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { seeded } from '../../../e2e/support/seeded.ts';
import { dialRelay } from '../client/dialRelay.ts';
import { stayConnected } from '../client/stayConnected.ts';
import { serveRelay } from '../client/workerSocket.ts';
import { relativeTo } from './callerStream.ts';
import { RELAY_LIMITS, type RelayLimits } from './relayLimits.ts';
import { type RunningRelay, startRelay } from './relayServer.ts';
import { readRelayWorkers } from './relayWorkers.ts';

const nothing = (): void => {};
const log = pino({ level: 'silent' });
const TOKEN = 'a-connect-token-of-gpu';
const OTHER = 'a-connect-token-of-cpu';
const workers = readRelayWorkers({ toml: '', env: `gpu=${TOKEN},cpu=${OTHER}` });
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Relayed {
  readonly relay: RunningRelay;
  readonly base: string;
  /** Connects an app as a worker; returns a function that disconnects it. */
  readonly connect: (app: RequestListener, name?: string) => Promise<() => Promise<void>>;
  readonly connected: () => Promise<number>;
}

async function relayed(limits: Partial<RelayLimits> = {}): Promise<Relayed> {
  const relay = await startRelay(
    { workers, limits: { ...RELAY_LIMITS, ...limits }, log },
    { host: '127.0.0.1', port: 0 },
  );
  closing.push(() => relay.close());
  const base = `http://127.0.0.1:${relay.port}`;
  const connected = async () => {
    const health = (await (await fetch(`${base}/health`)).json()) as { workers_connected: number };
    return health.workers_connected;
  };
  const connect = async (app: RequestListener, name = 'gpu') => {
    const stop = new AbortController();
    const before = await countOf(base, 'svc_relay_worker_connections_total');
    const ended = stayConnected({
      url: `ws://127.0.0.1:${relay.port}/connect/${name}`,
      token: name === 'gpu' ? TOKEN : OTHER,
      server: createServer(app),
      signal: stop.signal,
      log,
    });
    while ((await countOf(base, 'svc_relay_worker_connections_total')) === before) await nextTurn();
    const leave = async () => {
      stop.abort();
      await ended;
    };
    closing.push(leave);
    return leave;
  };
  return { relay, base, connect, connected };
}

async function countOf(base: string, name: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

const detail = async (response: Response) => [
  response.status,
  ((await response.json()) as { detail: string }).detail,
];
const post = (url: string, body: string | Buffer = '') => fetch(url, { method: 'POST', body });

describe('svc relay', () => {
  it("[RL-17] a call is forwarded with its Authorization and returns the worker's reply", async () => {
    const { base, connect } = await relayed();
    await connect((request, response) => {
      const hash = createHash('sha256');
      request.on('data', (bytes) => hash.update(bytes));
      request.on('end', () => {
        response.writeHead(418, { 'X-Svc-Executor-Protocol': 'v1', 'content-type': 'application/x-tar' });
        response.end(
          `${request.method} ${request.url} ${request.headers.authorization} ${hash.digest('hex')}`,
        );
      });
    });
    const body = Buffer.alloc(3_000_001, 'cell');
    const response = await fetch(`${base}/w/gpu/v1/execute?a=%2F&b`, {
      method: 'POST',
      headers: { authorization: 'Bearer worker-token' },
      body,
    });
    const sha = createHash('sha256').update(body).digest('hex');
    expect([response.status, response.headers.get('x-svc-executor-protocol'), await response.text()]).toEqual(
      [418, 'v1', `POST /v1/execute?a=%2F&b Bearer worker-token ${sha}`],
    );
  });

  const ROUTES: readonly (readonly [method: string, path: string, status: number])[] = [
    ['POST', '/w/gpu/v1/execute', 200],
    ['POST', '/w/gpu/v1/notebook-execute', 200],
    ['POST', '/w/gpu/v1/execute-manifest', 200],
    ['POST', '/w/gpu/execute', 200],
    ['POST', '/w/gpu/v1/executions/b-1/cancel', 200],
    ['GET', '/w/gpu/health', 200],
    ['GET', '/w/gpu/v1/jobs/7', 200],
    ['POST', '/w/gpu/v1/hints', 200],
    ['GET', '/w/gpu/v1/x/executions/b-1/console', 200],
    ['GET', '/w/gpu/v1/execute', 405],
    ['DELETE', '/w/gpu/health', 405],
    ['GET', '/w/gpu/', 404],
    ['GET', '/w/gpu/docs', 404],
    ['POST', '/w/gpu/v1/execute/more', 404],
    ['GET', '/w/gpu/v1/x/%2e%2e/secret', 404],
    ['GET', '/w/gpu/v1/x//a', 404],
    ['POST', '/w/tpu/v1/execute', 404],
    ['POST', '/w/cpu/v1/execute', 502],
    ['GET', '/', 404],
  ];
  it('[RL-18] only the documented routes are forwarded', async () => {
    const { base, connect } = await relayed();
    await connect((_request, response) => response.end());
    const answers = [];
    for (const [method, path] of ROUTES) {
      // Not fetch, which would remove the dots.
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const outgoing = httpRequest(`${base}`, { method, path }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        outgoing.on('error', reject);
        outgoing.end();
      });
      answers.push([method, path, status]);
    }
    expect(answers).toEqual(ROUTES);
  });

  it('[RL-18] a path that is not forwarded gets the same reply as an unknown route of a worker', async () => {
    const { base } = await relayed();
    const details = await Promise.all(
      ['/', '/w/gpu/docs', '/w/gpu/v1/nothing'].map(async (path) => detail(await fetch(`${base}${path}`))),
    );
    expect(details).toEqual(details.map(() => [404, 'Not Found']));
  });

  const HANDSHAKES: readonly (readonly [what: string, path: string, token: string | null, reason: RegExp])[] =
    [
      [
        'another worker’s token',
        '/connect/gpu',
        OTHER,
        /answered 401: No such worker, or a wrong connect token/,
      ],
      ['no token', '/connect/gpu', null, /answered 401: No such worker, or a wrong connect token/],
      [
        'a worker that is not listed',
        '/connect/tpu',
        TOKEN,
        /answered 401: No such worker, or a wrong connect token/,
      ],
      ['another path', '/w/gpu', TOKEN, /answered 404: Workers connect at \/connect\/NAME/],
    ];
  for (const [what, path, token, reason] of HANDSHAKES) {
    it(`[RL-19] ${what} is refused permanently`, async () => {
      const { relay } = await relayed();
      const { signal } = new AbortController();
      const dialled = await dialRelay({ url: `ws://127.0.0.1:${relay.port}${path}`, token, signal });
      expect(dialled).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
    });
  }

  it('[RL-20] a worker that disconnects is 502 to its callers, and cuts a reply that has begun', async () => {
    const { relay, base } = await relayed();
    let waiting = 0;
    const server = createServer((request, response) => {
      waiting += 1;
      if (request.url === '/health') response.write('half');
    });
    const { signal } = new AbortController();
    const url = `ws://127.0.0.1:${relay.port}/connect/gpu`;
    const dialled = await dialRelay({ url, token: TOKEN, signal });
    if (dialled.kind !== 'connected') throw new Error(dialled.reason);
    const { socket, reportsReads } = dialled;
    void serveRelay({ socket, server, reportsReads, log, leaving: signal });
    const whole = post(`${base}/w/gpu/v1/execute`);
    const reply = await fetch(`${base}/w/gpu/health`);
    while (waiting < 2) await nextTurn();
    socket.terminate();
    expect(await detail(await whole)).toEqual([
      502,
      'The connection to worker gpu was lost; its cells may still be running there',
    ]);
    await expect(reply.text()).rejects.toThrow();
    expect(await detail(await post(`${base}/w/gpu/v1/execute`))).toEqual([
      502,
      'The worker gpu is not connected to this relay',
    ]);
  });

  it('[RL-20] a worker that aborts a request is 502', async () => {
    const { base, connect } = await relayed();
    await connect((_request, response) => {
      response.write('x', () => response.destroy());
    });
    await expect(post(`${base}/w/gpu/v1/execute`).then((response) => response.text())).rejects.toThrow();
  });

  it('[RL-32] a stopping worker answers its open requests before it disconnects', async () => {
    const { base, connect, connected } = await relayed();
    let finish = nothing;
    const leave = await connect((_request, response) => {
      finish = () => void response.end('answered');
    });
    const open = post(`${base}/w/gpu/v1/execute`);
    while ((await countOf(base, 'svc_relay_streams')) < 1) await nextTurn();
    while (finish === nothing) await nextTurn();
    const leaving = leave();
    expect(await connected()).toBe(1);
    finish();
    expect(await (await open).text()).toBe('answered');
    await leaving;
    while ((await connected()) > 0) await nextTurn();
  });

  it('[RL-21] a newer connection of a worker takes new calls, the older one ends with its last call', async () => {
    const { base, connect, connected } = await relayed();
    let finish = nothing;
    await connect((_request, response) => {
      finish = () => void response.end('older');
    });
    const first = post(`${base}/w/gpu/v1/execute`);
    while (finish === nothing) await nextTurn();
    await connect((_request, response) => response.end('newer'));
    const second = await (await post(`${base}/w/gpu/v1/execute`)).text();
    finish();
    expect([second, await (await first).text(), await connected()]).toEqual(['newer', 'older', 1]);
  });

  it('[RL-22] a caller that disconnects is a disconnect to the worker', async () => {
    const { base, connect } = await relayed();
    let opened = 0;
    const disconnected = new Promise<void>((resolve) => {
      void connect((request) => {
        opened += 1;
        request.on('close', () => resolve());
      });
    });
    while ((await countOf(base, 'svc_relay_worker_connections_total')) < 1) await nextTurn();
    const stop = new AbortController();
    const call = fetch(`${base}/w/gpu/v1/execute`, { method: 'POST', signal: stop.signal });
    while (opened < 1) await nextTurn();
    stop.abort();
    await expect(call).rejects.toThrow();
    await disconnected;
  });

  it('[RL-23] limits are reported: bodies, calls, headers; a cancel passes at the limit', async () => {
    const { base, connect } = await relayed({ maxBodyBytes: 1000, maxStreams: 1 });
    await connect((request, response) => {
      if (request.url?.endsWith('cancel')) response.end('cancelled');
    });
    const large = await post(`${base}/w/gpu/v1/execute`, 'x'.repeat(1001));
    const undeclared = await fetch(`${base}/w/gpu/v1/execute`, {
      method: 'POST',
      body: new Blob(['x'.repeat(1001)]).stream(),
      duplex: 'half',
    } as RequestInit);
    const stop = new AbortController();
    const pending = fetch(`${base}/w/gpu/v1/execute`, { method: 'POST', signal: stop.signal });
    pending.catch(() => undefined);
    while ((await countOf(base, 'svc_relay_streams')) < 1) await nextTurn();
    const full = await post(`${base}/w/gpu/v1/execute`);
    const cancel = await post(`${base}/w/gpu/v1/executions/b/cancel`);
    const headers = await fetch(`${base}/w/gpu/health`, { headers: { x: 'x'.repeat(70_000) } });
    stop.abort();
    expect([
      await detail(large),
      await detail(undeclared),
      [full.headers.get('retry-after'), ...(await detail(full))],
      await cancel.text(),
      headers.status,
    ]).toEqual([
      [413, 'This relay forwards bodies of at most 1000 bytes'],
      [413, 'This relay forwards bodies of at most 1000 bytes'],
      ['5', 503, 'The worker gpu has 1 calls in progress'],
      'cancelled',
      431,
    ]);
  });

  it('[RL-24] a caller that reads nothing blocks no other: its data is spooled, and delivered in order', async () => {
    const { base, connect } = await relayed();
    const size = 12 * 1024 * 1024;
    const random = seeded(7);
    const large = Buffer.from(Array.from({ length: 98_304 }, () => Math.floor(random() * 256)));
    await connect((request, response) => {
      if (request.url === '/health') response.end('healthy');
      else {
        for (let sent = 0; sent < size; sent += large.length) response.write(large);
        response.end();
      }
    });
    const slow = await post(`${base}/w/gpu/v1/execute`);
    while ((await countOf(base, 'svc_relay_response_bytes_total')) < size) await nextTurn();
    expect(await (await fetch(`${base}/w/gpu/health`)).text()).toBe('healthy');
    expect(await countOf(base, 'svc_relay_spooled_bytes')).toBeGreaterThan(1024 * 1024);
    const body = Buffer.from(await slow.arrayBuffer());
    const expected = Buffer.alloc(size, large);
    expect([body.length, body.equals(expected)]).toEqual([size, true]);
    while ((await countOf(base, 'svc_relay_spooled_bytes')) > 0) await nextTurn();
  });

  it('[RL-24] only answers beyond the spool limit break off', async () => {
    const { base, connect } = await relayed({ maxSpoolBytes: 2 * 1024 * 1024 });
    await connect((request, response) => {
      if (request.url === '/health') response.end('healthy');
      else response.end(Buffer.alloc(32 * 1024 * 1024));
    });
    const slow = await post(`${base}/w/gpu/v1/execute`);
    while ((await countOf(base, 'svc_relay_aborted_total')) < 1) await nextTurn();
    expect(await (await fetch(`${base}/w/gpu/health`)).text()).toBe('healthy');
    await expect(slow.arrayBuffer()).rejects.toThrow();
    expect(await countOf(base, 'svc_relay_spooled_bytes')).toBe(0);
  });

  it('[RL-6] an app that does not read one body blocks no other call', async () => {
    const { base, connect } = await relayed();
    let resume = nothing;
    await connect((request, response) => {
      if (request.url === '/health') response.end('healthy');
      else {
        request.on('end', () => response.end('read'));
        resume = () => void request.resume();
      }
    });
    const slow = post(`${base}/w/gpu/v1/execute`, Buffer.alloc(32 * 1024 * 1024));
    // The window of unread chunks is used up.
    while ((await countOf(base, 'svc_relay_request_bytes_total')) < 1.5 * 1024 * 1024) await nextTurn();
    for (let call = 0; call < 20; call += 1) {
      expect(await (await fetch(`${base}/w/gpu/health`)).text()).toBe('healthy');
    }
    while (resume === nothing) await nextTurn();
    resume();
    expect(await (await slow).text()).toBe('read');
  });

  it('[RL-13] after a reply that is sent before the body was read, the connection can be reused', async () => {
    const { base, connect } = await relayed();
    await connect((_request, response) => response.end('early'));
    for (let call = 0; call < 3; call += 1) {
      expect(await (await post(`${base}/w/gpu/v1/execute`, Buffer.alloc(8 * 1024 * 1024))).text()).toBe(
        'early',
      );
    }
  });

  it('[RL-25] draining refuses new calls, allows cancels and running calls, and ends', async () => {
    const { relay, base, connect } = await relayed();
    let finish = nothing;
    await connect((request, response) => {
      if (request.url?.endsWith('cancel')) response.end('cancelled');
      else finish = () => void response.end('done');
    });
    const under = post(`${base}/w/gpu/v1/execute`);
    while ((await countOf(base, 'svc_relay_streams')) < 1) await nextTurn();
    while (finish === nothing) await nextTurn();
    const drained = relay.drain();
    const earlierTexts = [
      await detail(await post(`${base}/w/gpu/v1/execute`)),
      await (await post(`${base}/w/gpu/v1/executions/b/cancel`)).text(),
      (await fetch(`${base}/health`)).status,
    ];
    finish();
    expect([...earlierTexts, await (await under).text()]).toEqual([
      [503, 'This relay is stopping'],
      'cancelled',
      503,
      'done',
    ]);
    await drained;
    await expect(fetch(`${base}/health`)).rejects.toThrow();
  });

  it('[RL-19] reloading the list disconnects workers that were removed or have another token', async () => {
    const { relay, base, connect, connected } = await relayed();
    await connect((_request, response) => response.end('gpu'));
    await connect((_request, response) => response.end('cpu'), 'cpu');
    relay.setWorkers(readRelayWorkers({ toml: '', env: `gpu=another-token-of-gpu,cpu=${OTHER}` }));
    while ((await connected()) > 1) await nextTurn();
    const [gpu, cpu] = [await post(`${base}/w/gpu/v1/execute`), await post(`${base}/w/cpu/v1/execute`)];
    expect([gpu.status, await cpu.text()]).toEqual([502, 'cpu']);
  });

  it('[RL-17] a caller that offers another protocol with its call still gets a reply', async () => {
    const { base, connect } = await relayed();
    await connect((_request, response) => response.end('served'));
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' };
      const outgoing = httpRequest(`${base}/w/gpu/v1/execute`, { method: 'POST', headers }, (response) => {
        response.on('data', (bytes) => resolve(String(bytes)));
      });
      outgoing.on('error', reject);
      outgoing.end('body');
    });
    expect(text).toBe('served');
  });

  it('[RL-26] the job_url of a 202 leads through the relay', async () => {
    const { base, connect } = await relayed();
    await connect((request, response) => {
      if (request.url === '/v1/jobs/7') response.end('{"state":"running"}');
      else {
        response.writeHead(202, { 'content-type': 'application/json' });
        response.end('{"job_url":"/v1/jobs/7","n":1}');
      }
    });
    const url = `${base}/w/gpu/v1/execute`;
    const job = (await (await post(url)).json()) as { job_url: string; n: number };
    expect([job.n, await (await fetch(new URL(job.job_url, url))).text()]).toEqual([
      1,
      '{"state":"running"}',
    ]);
  });

  const JOBS = [
    ['/v1/execute', '/v1/jobs/7?x=1', '../v1/jobs/7?x=1'],
    ['/execute', '/v1/jobs/7', './v1/jobs/7'],
    ['/v1/execute', 'jobs/7', 'jobs/7'],
    ['/v1/execute', 'https://elsewhere.example/v1/jobs/7', 'https://elsewhere.example/v1/jobs/7'],
    ['/v1/execute', '//elsewhere.example/v1/jobs/7', '//elsewhere.example/v1/jobs/7'],
  ] as const;
  it('[RL-26] a job_url is made relative if it is a path', () => {
    expect(JOBS.map(([asked, jobUrl]) => [asked, jobUrl, relativeTo(asked, jobUrl)])).toEqual(JOBS);
  });
});
