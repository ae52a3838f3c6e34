import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecOutcome } from '../executor.ts';
import { FOREIGN_BUNDLES } from '../outputBundle/testing/testBundles.ts';
import type { RemoteProgress, RemoteRequest } from './call/remoteRequest.ts';
import { createWorkerTokens } from './call/workerTokens.ts';
import { createRemoteExecutor } from './remoteExecutor.ts';
import { withSetupInFront } from './setupInFront.ts';
import {
  PROTOCOL,
  type StandIn,
  type StandInAnswers,
  sampleBundle,
  standInWorker,
} from './testing/standInWorker.ts';

/** A remote executor against a fake worker: requests, results, failures, waiting jobs, environments, set-up cells. */

let dir = '';
let worker: StandIn | null = null;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'remote-'));
});
afterEach(async () => {
  await worker?.close();
  worker = null;
  await rm(dir, { recursive: true });
});

interface RemoteTestRun {
  readonly outcome: ExecOutcome;
  readonly progress: readonly RemoteProgress[];
}

async function run(
  changes: Partial<RemoteRequest> & {
    readonly url?: string;
    readonly config?: Record<string, unknown>;
    readonly origin?: 'run';
  } = {},
  { signal = new AbortController().signal, provisioningSeconds = 60 } = {},
): Promise<RemoteTestRun> {
  const { url = worker?.url, config, origin, ...rest } = changes;
  const outputDir = join(dir, 'out');
  await mkdir(outputDir);
  const progress: RemoteProgress[] = [];
  const executor = createRemoteExecutor({
    tokens: createWorkerTokens({}),
    provisioningSeconds,
    maxMemberBytes: 1e9,
    pollMs: 5,
    ...(origin === undefined ? {} : { origin }),
    // Console requests are not part of what these tests count.
    consoleAfterMs: 60_000,
  });
  const outcome = await executor.run(
    {
      runId: 'r',
      cellId: 'c1',
      cellName: 'x',
      notebookId: 'n1',
      language: 'python',
      source: 'x = 42',
      sourceHash: 'sh',
      provenanceHash: 'ph',
      inputs: {},
      declaredMounts: [],
      keptRuns: new Set(),
      env: {},
      store: ['x'],
      mutationDefines: [],
      timeoutSeconds: 60,
      cwd: dir,
      outputDir,
      worker: {
        name: 'gpu',
        backend: 'executor',
        runtime_id: null,
        config: { url, token: 'tok', ...config },
      },
      ...rest,
    },
    { signal, onConsole: () => undefined, onProgress: (one) => progress.push(one) },
  );
  return { outcome, progress };
}

const messageOf = (outcome: ExecOutcome): string => ('message' in outcome ? outcome.message : '');

it.each(Object.entries(FOREIGN_BUNDLES))(
  '[WK-40] a push to a worker of another program: %s',
  async (_name, bundleOf) => {
    const tar = await bundleOf();
    worker = await standInWorker({ execute: (_q, response) => response.writeHead(200, PROTOCOL).end(tar) });
    const { outcome } = await run();
    expect(outcome).toMatchObject({
      kind: 'finished',
      stdout: 'hello\n',
      stderr: 'oh\n',
      result: { success: true, variables: { x: { bytes: 2 } }, displays: [{ bytes: 2 }] },
    });
  },
);

describe('[RW-14] a push', () => {
  it('returns the result of the cell; the envelope has the fields of the protocol', async () => {
    worker = await standInWorker();
    const input = join(dir, 'Mixed.arrow');
    await writeFile(input, 'ARROW');
    const inputs = {
      Mixed: { content_type: 'arrow/ipc', file: input },
      a: { content_type: 'json/object', file: input },
    };
    const { outcome } = await run({ inputs, mutationDefines: ['Mixed'] });
    expect(outcome).toMatchObject({
      kind: 'finished',
      method: 'executor',
      stdout: 'hello\n',
      result: { success: true, variables: { x: { content_type: 'json/object', preview: 42 } } },
      remote: {
        worker: 'gpu',
        transport: 'direct',
        buildId: expect.stringMatching(/^notebook-[0-9a-f]{12}$/),
        errorCode: null,
      },
    });
    if (outcome.kind !== 'finished') throw new Error('not finished');
    const x = outcome.result.variables['x'];
    expect(x !== undefined && 'file' in x && (await readFile(join(dir, 'out', x.file ?? ''), 'utf8'))).toBe(
      '42',
    );
    const [form] = worker.forms;
    expect(form?.headers).toMatchObject({ authorization: 'Bearer tok', 'x-svc-executor-protocol': 'v1' });
    expect(Number(form?.headers['content-length'])).toBe(form?.body.length);
    const parts = [...(form?.body ?? '').matchAll(/name="([^"]*)"; filename="([^"]*)"/g)].map((one) =>
      one.slice(1),
    );
    expect(parts).toEqual([
      ['metadata', 'metadata.json'],
      ['Mixed', 'Mixed-f340b6d6.arrow'],
      ['a', 'a.json'],
    ]);
    const envelope = JSON.parse(/application\/json\r\n\r\n(.*?)\r\n--/s.exec(form?.body ?? '')?.[1] ?? '');
    expect(envelope).toMatchObject({
      protocol_version: 'v1',
      tenant: null,
      principal: null,
      origin: 'notebook',
      transform: {
        ref: 'notebook_cell@v1',
        code_hash: 'sh',
        params: { source: 'x = 42', timeout_seconds: 60, mounts: [], env: {}, mutation_defines: ['Mixed'] },
      },
      inputs: [
        { name: 'Mixed', format: 'arrow/ipc', uri: null, byte_size: 5, file: 'Mixed-f340b6d6.arrow' },
        { name: 'a', format: 'json/object', uri: null, byte_size: 5, file: 'a.json' },
      ],
    });
  });
});

describe('[SG-28] a worker that may send only data', () => {
  it.each<readonly [string, string | undefined, RegExp]>([
    ['pickle/object', 'Model', /returned `m` \(Model\) as a pickle\..*run the worker's code on this machine/],
    ['module/cell-instance', 'Point', /returned `m` \(Point\) as an object/],
    ['module/cell', undefined, /returned `m` as a function or class/],
    ['application/x-r-rds', undefined, /returned `m` as an R object/],
  ])('%s is refused with its name, and accepted from other workers', async (type, of, messageOf) => {
    const m = { content_type: type, ...(of === undefined ? {} : { type: of }) };
    const bundle = await sampleBundle({ m });
    worker = await standInWorker({ execute: (_q, r) => r.writeHead(200, PROTOCOL).end(bundle) });
    const firstRun = await run({ config: { pickles: 'refuse' } });
    expect(firstRun.outcome).toMatchObject({
      kind: 'crashed',
      message: expect.stringMatching(messageOf),
      stdout: 'hello\n',
    });
    await rm(join(dir, 'out'), { recursive: true });
    expect((await run()).outcome).toMatchObject({ kind: 'finished' });
  });

  it('sends data as before', async () => {
    worker = await standInWorker({});
    expect((await run({ config: { pickles: 'refuse' } })).outcome).toMatchObject({ kind: 'finished' });
  });
});

const detail = (text: string): string => JSON.stringify({ detail: text });

describe('[RW-15] each failure of a push has a code and a message', () => {
  it.each<readonly [string, StandInAnswers, string, RegExp]>([
    [
      '401',
      { execute: (_q, r) => r.writeHead(401).end(detail('Invalid worker token')) },
      'EXECUTOR_HTTP_ERROR',
      /^Remote executor 'gpu' returned 401: Invalid worker token\n.*SVC_WORKER_TOKEN/,
    ],
    ['408', { execute: (_q, r) => r.writeHead(408).end(detail('too long')) }, 'TIMEOUT', /408: too long/],
    [
      '503',
      { execute: (_q, r) => r.writeHead(503).end(detail('Worker is running 1 of 1 executions')) },
      'EXECUTOR_HTTP_ERROR',
      /503: Worker is running 1 of 1/,
    ],
    [
      '500 with only an error',
      { execute: (_q, r) => r.writeHead(500).end('{"success":false,"error":"no Rscript"}') },
      'EXECUTOR_HTTP_ERROR',
      /500: no Rscript/,
    ],
    [
      '502 from a gateway',
      { execute: (_q, r) => r.writeHead(502).end('<h1>Bad</h1>') },
      'EXECUTOR_HTTP_ERROR',
      /502: <h1>Bad/,
    ],
    [
      'a redirect',
      { execute: (_q, r) => r.writeHead(302, { location: 'http://x/' }).end() },
      'EXECUTOR_HTTP_ERROR',
      /302/,
    ],
    [
      'another version',
      {
        execute: (_q, r, tar) => r.writeHead(200, { ...PROTOCOL, 'x-svc-executor-protocol': 'v2' }).end(tar),
      },
      'PROTOCOL_ERROR',
      /v2/,
    ],
    [
      'a body that is not a tar',
      { execute: (_q, r) => r.writeHead(200, PROTOCOL).end('hello') },
      'PROTOCOL_ERROR',
      /is not valid/,
    ],
    [
      'a truncated tar',
      { execute: (_q, r, tar) => r.writeHead(200, PROTOCOL).end(tar.subarray(0, 1500)) },
      'PROTOCOL_ERROR',
      /is not valid/,
    ],
    [
      'an interrupted connection',
      {
        execute: (_q, r, tar) => {
          r.writeHead(200, { ...PROTOCOL, 'content-length': String(tar.length) });
          r.write(tar.subarray(0, 700));
          setTimeout(() => r.destroy(), 30);
        },
      },
      'REQUEST_FAILED',
      /was interrupted/,
    ],
    [
      'a closed connection',
      { execute: (q) => q.socket.destroy() },
      'REQUEST_FAILED',
      /Couldn’t send the cell/,
    ],
    [
      '202 without an address',
      { execute: (_q, r) => r.writeHead(202).end('{}') },
      'PROTOCOL_ERROR',
      /no job_url/,
    ],
    [
      '202 to another host',
      { execute: (_q, r) => r.writeHead(202).end('{"job_url":"http://elsewhere/v1/jobs/1"}') },
      'PROTOCOL_ERROR',
      /another host/,
    ],
  ])('%s', async (_what, answers, code, message) => {
    worker = await standInWorker(answers);
    const { outcome } = await run();
    expect(outcome.remote?.errorCode, messageOf(outcome)).toBe(code);
    expect(messageOf(outcome)).toMatch(message);
    expect(outcome.kind).toBe(code === 'TIMEOUT' ? 'timeout' : 'crashed');
    expect(worker.forms).toHaveLength(1);
  });

  it('no worker at the address', async () => {
    const { outcome } = await run({ url: 'http://127.0.0.1:9/v1/execute' });
    expect([outcome.remote?.errorCode, messageOf(outcome)]).toEqual([
      'REQUEST_FAILED',
      expect.stringMatching(/refused/),
    ]);
  });

  it('protocol headers may be missing', async () => {
    worker = await standInWorker({ execute: (_q, r, tar) => r.end(tar) });
    expect((await run()).outcome.kind).toBe('finished');
  });

  it.each<readonly [string, Parameters<typeof run>[0], RegExp]>([
    [
      'a file:// mount',
      {
        declaredMounts: [
          { name: 'd', uri: 'file:///x', mode: 'ro', pin: null, options: {}, credential: null },
        ],
      },
      /^Remote execution does not support file:\/\/ mount 'd'$/,
    ],
    [
      'a path',
      { declaredMounts: [{ name: 'd', uri: './x', mode: 'ro', pin: null, options: {}, credential: null }] },
      /file:\/\/ mount 'd'/,
    ],
    ['a sweep to R', { language: 'r', inputs: { s: { kind: 'sweep_dict', variants: {} } } }, /per variant/],
    [
      '@fetch in R',
      { language: 'r', inputs: { f: { content_type: 'file/path', file: '/x' } } },
      /cannot @fetch/,
    ],
    ['no address', { config: { url: '' } }, /no address/],
  ])('[RW-16] %s is not sent', async (_what, changes, message) => {
    worker = await standInWorker();
    const { outcome } = await run(changes);
    expect(messageOf(outcome)).toMatch(message);
    expect(outcome.remote?.errorCode).toBeNull();
    expect(worker.requests).toEqual([]);
  });
});

const accepted: StandInAnswers['execute'] = (_q, r) => r.writeHead(202).end('{"job_url":"/v1/jobs/1"}');
const state = (value: object): string => JSON.stringify(value);

describe('[RW-17] a job to wait for', () => {
  it('reports its position while it starts, then once that it runs; its bundle is handled as any other', async () => {
    const states = [
      { state: 'queued', position: 2, detail: '  behind one other ' },
      { state: 'queued', position: 2, detail: 'behind one other' },
      { state: 'provisioning', position: 'x' },
      { state: 'running', position: 1 },
      { state: 'running' },
    ];
    worker = await standInWorker({
      execute: accepted,
      job: (r, tar, number) => {
        const next = states[number - 1];
        return next === undefined ? r.writeHead(200, PROTOCOL).end(tar) : r.end(state(next));
      },
    });
    const { outcome, progress } = await run();
    expect(progress.map(({ buildId: _, ...rest }) => rest)).toEqual([
      { state: 'starting', position: null, detail: null },
      { state: 'starting', position: 2, detail: 'behind one other' },
      { state: 'starting', position: null, detail: null },
      { state: 'running', position: null, detail: null },
    ]);
    expect(outcome).toMatchObject({ kind: 'finished', remote: { buildState: 'running' } });
    expect(new Set(worker.tokens)).toEqual(new Set(['Bearer tok']));
    expect(worker.requests.filter((one) => one.includes('cancel'))).toEqual([]);
  });

  it.each<readonly [string, NonNullable<StandInAnswers['job']>, string, RegExp, number]>([
    [
      'fails',
      (r) => r.end(state({ state: 'failed', status_code: 507, error: 'no disk' })),
      'EXECUTOR_HTTP_ERROR',
      /507: no disk/,
      60,
    ],
    ['fails without a status', (r) => r.end(state({ state: 'failed' })), 'EXECUTOR_HTTP_ERROR', /502/, 60],
    [
      'runs too long',
      (r) => r.end(state({ state: 'failed', status_code: 408, error: 'too long' })),
      'TIMEOUT',
      /too long/,
      60,
    ],
    [
      'finishes as JSON',
      (r) => r.end(state({ state: 'finished' })),
      'PROTOCOL_ERROR',
      /no output bundle/,
      60,
    ],
    ['is forgotten', (r) => r.writeHead(404).end(), 'JOB_STATUS_FAILED', /404/, 60],
    [
      'has an invalid status',
      (r) => r.end('hello'),
      'JOB_STATUS_FAILED',
      /the response is not a valid job status\./,
      60,
    ],
    [
      'waits endlessly',
      (r) => r.end(state({ state: 'queued' })),
      'PROVISIONING_TIMEOUT',
      /PROVISIONING/,
      0.02,
    ],
    ['passes its limit', (r) => r.end(state({ state: 'running' })), 'TIMEOUT', /longer than/, 60],
  ])('%s: the worker receives a stop request', async (_what, job, code, message, provisioningSeconds) => {
    worker = await standInWorker({ execute: accepted, job });
    const { outcome } = await run({ timeoutSeconds: 0.03 }, { provisioningSeconds });
    expect([outcome.remote?.errorCode, messageOf(outcome)]).toEqual([code, expect.stringMatching(message)]);
    expect(worker.requests.at(-1)).toBe(`POST /v1/executions/${buildOf(worker)}/cancel`);
  });
});

function buildOf({ forms }: StandIn): string {
  return /"build_id":"([^"]+)"/.exec(forms[0]?.body ?? '')?.[1] ?? '';
}

describe('[RW-18] a cell that is stopped', () => {
  it.each<readonly [string, StandInAnswers]>([
    ['while it runs', { execute: () => undefined }],
    ['while it waits', { execute: accepted, job: (r) => r.end(state({ state: 'queued' })) }],
  ])('%s is stopped on the worker too', async (_what, answers) => {
    worker = await standInWorker(answers);
    const stop = new AbortController();
    const running = run({}, { signal: stop.signal });
    const standIn = worker;
    await expect.poll(() => standIn.forms.length).toBe(1);
    stop.abort();
    expect((await running).outcome.kind).toBe('cancelled');
    expect(worker.requests).toContain(`POST /v1/executions/${buildOf(worker)}/cancel`);
  });
});

describe('[RW-19] the environment that a cell needs on the worker', () => {
  const LOCK = 'version = 1\nrequires-python = ">=3.13"\n';
  const health = (features: object) => (r: { end(text: string): unknown }) =>
    r.end(JSON.stringify({ status: 'healthy', capabilities: { features } }));
  it.each<readonly [string, StandInAnswers['health'], boolean]>([
    ['can build it', health({ locked_environments: true }), true],
    ['cannot', health({ locked_environments: false }), false],
    ['is too old to report it', (r) => r.writeHead(404).end(), false],
  ])('a worker that %s', async (_what, answer, isSent) => {
    await writeFile(join(dir, 'uv.lock'), LOCK);
    await writeFile(join(dir, 'pyproject.toml'), '[project]\nname = "n"\n');
    worker = await standInWorker({ ...(answer === undefined ? {} : { health: answer }) });
    expect((await run()).outcome.kind).toBe('finished');
    const key = '3725efb6cf10d85cb799ab7d84db514d8d205e2873cd05d83422c4530a9eb3b4';
    expect(worker.forms[0]?.body.includes(key)).toBe(isSent);
  });

  it('no cell is sent to a worker that does not answer', async () => {
    await writeFile(join(dir, 'uv.lock'), LOCK);
    await writeFile(join(dir, 'pyproject.toml'), '');
    worker = await standInWorker({ health: (r) => r.writeHead(500).end() });
    const { outcome } = await run();
    expect([outcome.remote?.errorCode, messageOf(outcome)]).toEqual([
      null,
      expect.stringMatching(/was not sent: it answered 500/),
    ]);
    expect(worker.forms).toEqual([]);
  });

  it('without a lock file the worker is not asked', async () => {
    worker = await standInWorker();
    await run();
    expect(worker.requests).toEqual(['POST /v1/execute']);
  });
});

describe('[SO-175] a set-up cell', () => {
  const setup = { source: '# @setup\nq = 1', cellName: 'start' };
  const paramsOf = ({ forms }: StandIn): Record<string, unknown> =>
    JSON.parse(/application\/json\r\n\r\n(.*?)\r\n--/s.exec(forms[0]?.body ?? '')?.[1] ?? '').transform
      .params;

  it('is a field of the request for a worker that supports it', async () => {
    worker = await standInWorker({
      health: (r) =>
        r.end(JSON.stringify({ status: 'healthy', capabilities: { features: { setup_cell: true } } })),
    });
    await run({ setup });
    expect(paramsOf(worker)).toMatchObject({
      source: 'x = 42',
      setup: { source: '# @setup\nq = 1', cell_name: 'start' },
    });
  });

  it('is in front of the source for other workers', async () => {
    worker = await standInWorker();
    await run({ setup });
    const { source, setup: part } = paramsOf(worker);
    expect(part).toBeUndefined();
    expect(source).toBe(withSetupInFront('x = 42', setup));
  });

  it('is not sent to a worker that does not answer', async () => {
    worker = await standInWorker({ health: (r) => r.writeHead(500).end() });
    const { outcome } = await run({ setup });
    expect(messageOf(outcome)).toMatch(/was not sent/);
    expect(worker.forms).toEqual([]);
  });
});

it('[RW-31] a run without a window has the origin `run`', async () => {
  worker = await standInWorker();
  await run({ origin: 'run' });
  expect(worker.forms[0]?.body).toContain('"origin":"run"');
});
