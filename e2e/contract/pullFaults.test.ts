/** Tests a server against fake workers that fetch cells and deliver damaged, wrong, late or no results. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createBuilds } from '../../src-main/builds/builds.ts';
import type { ExecOutcome } from '../../src-main/exec/executor.ts';
import { packBundle } from '../../src-main/exec/outputBundle/packBundle.ts';
import { FOREIGN_BUNDLES } from '../../src-main/exec/outputBundle/testing/testBundles.ts';
import type { RemoteProgress, RemoteRequest } from '../../src-main/exec/remote/call/remoteRequest.ts';
import { createWorkerTokens } from '../../src-main/exec/remote/call/workerTokens.ts';
import { createRemoteExecutor } from '../../src-main/exec/remote/remoteExecutor.ts';
import { startTestServer, type TestServer } from '../../src-main/server/testing/testServer.ts';
import { LAUNCH_TOKEN_HEADER } from '../../src-shared/shell/handshake.ts';
import { BUNDLE_FORMAT } from '../../src-shared/wire/worker/protocol.ts';
import { type PullRequest, pullRequest } from '../../src-shared/wire/worker/pull.ts';
import { remoteRequest } from '../support/remoteRequest.ts';

const builds = createBuilds({ secret: null, expirySeconds: 600, maxOutputBytes: 100_000 });
let server: TestServer;
let root = '';
const closers: (() => void)[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pull-faults-'));
  // The server requires a launch token, which no worker has.
  server = await startTestServer({ builds, start: { port: 0, launchToken: 'of-the-app' } });
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true });
});

type Work = (request: PullRequest, response: ServerResponse) => unknown;

/** The address of a worker that does this work; if `job` is given, it also answers polls of the job. */
async function workerThat(work: Work, job?: (response: ServerResponse) => unknown): Promise<string> {
  const standIn = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (request.url === '/health') return response.end('{"status":"healthy"}');
    if (request.url?.startsWith('/v1/x/')) return response.writeHead(404).end();
    if (request.url?.startsWith('/v1/jobs/')) return job?.(response);
    if (request.url?.endsWith('/cancel')) return response.end('{"build_id":"b","cancelled":true}');
    return work(pullRequest.parse(JSON.parse(Buffer.concat(pieces).toString())), response);
  });
  await new Promise<void>((done) => standIn.listen(0, '127.0.0.1', done));
  closers.push(() => {
    standIn.closeAllConnections();
    standIn.close();
  });
  return `http://127.0.0.1:${(standIn.address() as AddressInfo).port}/v1/execute`;
}

let runs = 0;
async function run(
  url: string,
  changes: Partial<RemoteRequest> = {},
  { signal = new AbortController().signal, config = {} } = {},
): Promise<{ outcome: ExecOutcome; console: string; progress: RemoteProgress[] }> {
  const outputDir = join(root, `out-${++runs}`);
  await mkdir(outputDir);
  let console = '';
  const progress: RemoteProgress[] = [];
  const tokens = createWorkerTokens({});
  const executor = createRemoteExecutor({
    tokens,
    builds,
    origin: 'run',
    provisioningSeconds: 60,
    maxMemberBytes: 1e9,
    pollMs: 5,
  });
  const outcome = await executor.run(
    remoteRequest({
      source: 'x = 42',
      cwd: root,
      outputDir,
      worker: {
        name: 'gpu',
        backend: 'executor',
        runtime_id: null,
        config: { url, token: 'tok', transport: 'signed', ...config },
      },
      ...changes,
    }),
    {
      signal,
      onConsole: ({ text }) => {
        console += text;
      },
      onProgress: (one) => progress.push(one),
    },
  );
  return { outcome, console, progress };
}

async function bundle(file = 'x.json', text = '42'): Promise<Buffer> {
  const dir = await mkdtemp(join(root, 'bundle-'));
  await writeFile(join(dir, file), text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const x = { content_type: 'json/object', file, bytes: text.length, sha256, preview: 42 };
  const result = {
    success: true,
    variables: { x },
    displays: [],
    mutation_warnings: [],
    build_env: 'b',
  } as const;
  const packed = await packBundle({
    result: { ...result, displays: [], mutation_warnings: [] },
    outputDir: dir,
    durationMs: 1,
    stdout: 'hello\n',
    stderr: '',
    maxMemberBytes: 1e9,
  });
  return buffer(packed.stream());
}

/** A bundle with one more member, of this name. */
async function bundleWithMember(name: string): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name }, 'evil');
  tar.finalize();
  const whole = await bundle();
  // The member is put before the valid ones, because readers stop at the end of a tar.
  return Buffer.concat([(await buffer(tar)).subarray(0, 1024), whole]);
}

const post = (url: string, body: string | Uint8Array): Promise<Response> =>
  fetch(url, { method: 'POST', body: new Blob([typeof body === 'string' ? body : new Uint8Array(body)]) });
const finalize = (request: PullRequest): Promise<Response> =>
  post(request.finalize_url, JSON.stringify({ output_format: BUNDLE_FORMAT }));

async function deliver(request: PullRequest, tar?: Buffer): Promise<number> {
  await post(request.output.url, tar ?? (await bundle()));
  return (await finalize(request)).status;
}

function respond(response: ServerResponse, build_id: string, status = 200): void {
  const answer = {
    success: true,
    build_id,
    byte_size: 1,
    protocol_version: 'notebook-build-manifest@v1',
    finalize: {},
  };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

const words = (outcome: ExecOutcome): string => ('message' in outcome ? outcome.message : '');

it.each(Object.entries(FOREIGN_BUNDLES))(
  '[WK-40] a pull by a third-party worker: %s',
  async (_name, bundleOf) => {
    const url = await workerThat(async (request, response) => {
      expect(await deliver(request, await bundleOf())).toBe(200);
      respond(response, request.build_id ?? '');
    });
    const { outcome } = await run(url);
    expect(outcome).toMatchObject({
      kind: 'finished',
      stdout: 'hello\n',
      stderr: 'oh\n',
      result: { success: true, variables: { x: { bytes: 2 } }, displays: [{ bytes: 2 }] },
    });
  },
);

describe('[BU-2] [BU-7] a worker that fetches and delivers', () => {
  it('[RW-31] needs no launch token, gets its inputs, sends its console, and its bundle is accepted', async () => {
    const input = join(root, 'in.json');
    await writeFile(input, '41');
    const inputs = {
      a: { content_type: 'json/object', file: input, uri: 'svc://artifact/nb_n1_cell_a_var_a@v=3' },
      f: { content_type: 'file/path', file: input },
    };
    let fetched: string[] = [];
    const url = await workerThat(async (request, response) => {
      fetched = await Promise.all(request.inputs.map(async (one) => (await fetch(one.url)).text()));
      expect(request.inputs[0]).toMatchObject({ artifact_id: 'nb_n1_cell_a_var_a', version: 3 });
      expect(request.metadata.params.input_specs).toMatchObject({
        a: { uri: 'svc://artifact/nb_n1_cell_a_var_a@v=3', content_type: 'json/object' },
        f: { content_type: 'file/path', file: '__fetch_1_in.json' },
      });
      expect(request.metadata).toMatchObject({ cell_id: 'c1', cell_provenance_hash: 'ph', origin: 'run' });
      await post(`${request.log_url}&stream=stdout&seq=1`, 'lo\n');
      const log = await post(`${request.log_url}&stream=stdout&seq=0`, 'hel');
      expect([log.status, await log.json()]).toEqual([202, { delivered: true }]);
      expect(await deliver(request)).toBe(200);
      respond(response, request.build_id ?? '');
    });
    const { outcome, console } = await run(url, { inputs });
    expect(fetched).toEqual(['41', '41']);
    expect(console).toBe('hello\n');
    expect(outcome).toMatchObject({
      kind: 'finished',
      stdout: 'hello\n',
      result: { success: true, variables: { x: { preview: 42 } } },
      remote: {
        worker: 'gpu',
        transport: 'signed',
        buildId: expect.stringMatching(/^nbbuild-[0-9a-f]{12}$/),
        buildState: 'ready',
        errorCode: null,
      },
    });
    const id = outcome.remote?.buildId ?? '';
    const headers = { [LAUNCH_TOKEN_HEADER]: 'of-the-app' };
    expect((await server.fetch(`/v1/builds/${id}`)).status).toBe(401);
    const status = await server.fetch(`/v1/builds/${id}`, { headers });
    expect([status.status, await status.json()]).toEqual([
      200,
      expect.objectContaining({ state: 'ready', error_code: null }),
    ]);
  });

  it('a job can be followed to its end in JSON', async () => {
    const states = [
      { state: 'queued', position: 2 },
      { state: 'running' },
      { state: 'finished', result: {} },
    ];
    let pollCount = 0;
    let pull: PullRequest | null = null;
    const url = await workerThat(
      (request, response) => {
        pull = request;
        response.writeHead(202).end('{"job_url":"/v1/jobs/7"}');
      },
      async (response) => {
        const state = states[pollCount++];
        if (state?.state === 'finished' && pull !== null) await deliver(pull);
        response.end(JSON.stringify(state));
      },
    );
    const { outcome, progress } = await run(url);
    expect(outcome.kind).toBe('finished');
    expect(progress.map(({ state, position }) => [state, position])).toEqual([
      ['starting', null],
      ['starting', 2],
      ['running', null],
    ]);
  });

  it('a job whose build has ended sends nothing, and is not polled again', async () => {
    let pollCount = 0;
    const url = await workerThat(
      async (request, response) => {
        await deliver(request);
        response.writeHead(202).end('{"job_url":"/v1/jobs/7"}');
      },
      (response) => {
        pollCount += 1;
        response.end('{"state":"running"}');
      },
    );
    const { outcome, progress } = await run(url);
    await outcome.discard?.();
    expect([outcome.kind, progress]).toEqual(['finished', []]);
    // One late poll may arrive after the build has ended. If polling continued, the count would keep growing.
    const sinceAPause = async () => {
      const before = pollCount;
      await new Promise((done) => setTimeout(done, 50));
      return pollCount - before;
    };
    await expect.poll(sinceAPause).toBe(0);
  });
});

/** What a worker does, and the error code and message of the run. */
type Fault = readonly [string, Work, string, RegExp];
const FAULTS: readonly Fault[] = [
  [
    'never finalizes',
    async (request, response) => {
      await post(request.output.url, await bundle());
      respond(response, request.build_id ?? '');
    },
    'FINALIZE_FAILED',
    /'gpu' reports that the cell is done, but did not finalize build nbbuild-/,
  ],
  [
    'uploads nothing',
    async (request, response) => {
      await finalize(request);
      respond(response, request.build_id ?? '');
    },
    'MISSING_OUTPUT_BLOB',
    /No output was uploaded/,
  ],
  [
    'uploads bytes that are no bundle',
    async (request, response) => {
      expect(await deliver(request, Buffer.alloc(4096, 'x'))).toBe(400);
      response.writeHead(502).end('{"detail":"Finalizing the build failed"}');
    },
    'INVALID_NOTEBOOK_BUNDLE',
    /is not valid/,
  ],
  [
    'uploads an empty file',
    async (request, response) => {
      expect(await deliver(request, Buffer.alloc(0))).toBe(400);
      respond(response, request.build_id ?? '', 502);
    },
    'INVALID_NOTEBOOK_BUNDLE',
    /cut off before its end/,
  ],
  [
    'uploads half of its bundle as if it were complete',
    async (request, response) => {
      const tar = await bundle('x.json', '4'.repeat(3_000));
      expect(await deliver(request, tar.subarray(0, tar.length / 2))).toBe(400);
      respond(response, request.build_id ?? '', 502);
    },
    'INVALID_NOTEBOOK_BUNDLE',
    /is not valid/,
  ],
  ...['../../evil', '/tmp/evil-of-a-worker', 'outputs/../../../evil'].map(
    (name): Fault => [
      `uploads a bundle with the member ${name}`,
      async (request, response) => {
        expect(await deliver(request, await bundleWithMember(name))).toBe(400);
        expect(existsSync(join(root, 'evil')) || existsSync('/tmp/evil-of-a-worker')).toBe(false);
        respond(response, request.build_id ?? '', 502);
      },
      'INVALID_NOTEBOOK_BUNDLE',
      /evil/,
    ],
  ),
  [
    'uploads a value that does not match its manifest',
    async (request, response) => {
      const tar = await bundle('x.json', '4242424242');
      const at = tar.lastIndexOf('4242424242');
      tar.write('9', at);
      expect(await deliver(request, tar)).toBe(400);
      respond(response, request.build_id ?? '', 502);
    },
    'INVALID_NOTEBOOK_BUNDLE',
    /does not match its manifest|manifest/,
  ],
  [
    'uploads more than allowed',
    async (request, response) => {
      expect((await post(request.output.url, Buffer.alloc(100_001))).status).toBe(413);
      respond(response, request.build_id ?? '', 502);
    },
    'OUTPUT_TOO_LARGE',
    /at most 100000/,
  ],
  [
    'dies during the run',
    (_asked, response) => response.socket?.destroy(),
    'REQUEST_FAILED',
    /send the cell to worker 'gpu'/,
  ],
  [
    'dies during its upload',
    async (request, response) => {
      const upload = httpRequest(request.output.url, {
        method: 'POST',
        headers: { 'content-length': '5000' },
      });
      upload.on('error', () => undefined);
      upload.write('half');
      await new Promise<void>((done) => setImmediate(done));
      upload.destroy();
      response.socket?.destroy();
    },
    'REQUEST_FAILED',
    /'gpu'/,
  ],
  [
    'cannot reach the server',
    (_asked, response) =>
      response.writeHead(502).end('{"detail":"Downloading the input failed: connect ECONNREFUSED"}'),
    'EXECUTOR_HTTP_ERROR',
    /returned 502.*\n.*svc_url/s,
  ],
  [
    'runs out of time',
    (_asked, response) => response.writeHead(408).end('{"detail":"Cell execution timed out"}'),
    'TIMEOUT',
    /timed out/,
  ],
  [
    'reports a failure',
    (_asked, response) => response.end('{"success":false,"error":"no GPU"}'),
    'EXECUTOR_ERROR',
    /no GPU/,
  ],
];

describe('[BU-8] [BU-4] [BU-3] a worker that', () => {
  it.each(FAULTS)('%s', async (_name, work, code, message) => {
    const { outcome } = await run(await workerThat(work));
    expect(words(outcome)).toMatch(message);
    expect(outcome).toMatchObject({
      kind: code === 'TIMEOUT' ? 'timeout' : 'crashed',
      remote: { errorCode: code, buildState: 'failed', buildId: expect.stringMatching(/^nbbuild-/) },
    });
  });

  it('finalizes and dies before it answers has delivered its result', async () => {
    const url = await workerThat(async (request, response) => {
      await deliver(request);
      response.socket?.destroy();
    });
    expect((await run(url)).outcome).toMatchObject({ kind: 'finished', remote: { buildState: 'ready' } });
  });

  it('has sent no result when the run is cancelled can deliver nothing afterwards', async () => {
    const stop = new AbortController();
    let late: PullRequest | null = null;
    const url = await workerThat((request) => {
      late = request;
      stop.abort();
    });
    expect((await run(url, {}, { signal: stop.signal })).outcome.kind).toBe('cancelled');
    if (late === null) throw new Error('never requested');
    expect((await post((late as PullRequest).output.url, 'x')).status).toBe(409);
    expect(await (await finalize(late)).json()).toEqual({
      detail: 'Build lease is no longer held by this caller; nothing was published',
    });
  });
});

describe('[BU-8] before anything is sent, a run fails with', () => {
  it.each([
    ['an invalid address of the server', { svc_url: 'gopher://x' }, /svc_url gopher:\/\/x of worker/],
  ])('%s', async (_name, config, message) => {
    const { outcome } = await run('http://127.0.0.1:1/v1/execute', {}, { config });
    expect([words(outcome), outcome.remote?.errorCode]).toEqual([
      expect.stringMatching(message),
      'SETUP_FAILED',
    ]);
  });
});
