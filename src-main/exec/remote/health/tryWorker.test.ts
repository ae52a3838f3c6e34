import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorkerTokens } from '../call/workerTokens.ts';
import { createRemoteExecutor } from '../remoteExecutor.ts';
import { tryCell } from './tryCell.ts';
import { tryWorker } from './tryWorker.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Answers {
  readonly status?: number;
  readonly body?: unknown;
  /** The status for a cancel request. */
  readonly cancel?: number;
  /** The answer to a cell; null: no answer. */
  readonly execute?: { readonly status: number; readonly body: unknown } | null;
}

/** Starts a fake worker. @returns its origin */
async function fakeWorker({ status = 200, body, cancel = 200, execute = null }: Answers): Promise<string> {
  const server = createServer((request, response) => {
    const send = (code: number, value: unknown) =>
      response.writeHead(code).end(typeof value === 'string' ? value : JSON.stringify(value ?? null));
    if (request.url?.endsWith('/cancel')) return void send(cancel, {});
    if (request.url?.endsWith('/health')) return void send(status, body);
    request.resume();
    if (execute !== null) request.on('end', () => send(execute.status, execute.body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const GOOD = {
  status: 'healthy',
  capabilities: { transform_refs: ['notebook_cell@v1'], features: { languages: ['python'] } },
};
const BUSY = { ...GOOD, max_concurrent: 2, active_executions: 2 };

const withFree = (free_slots: number) => ({
  ...BUSY,
  capabilities: { ...GOOD.capabilities, features: { languages: ['python'], free_slots } },
});

async function tryAt(url: string, token: string | null = 'secret', patienceMs = 60_000) {
  const executor = createRemoteExecutor({
    tokens: createWorkerTokens({}),
    provisioningSeconds: 60,
    maxMemberBytes: 1e9,
  });
  const worker = { name: 'gpu', backend: 'executor', runtime_id: null, config: { url, token } } as const;
  return tryWorker({
    url,
    token,
    runCell: (language) => tryCell(executor, { worker, notebookId: 'n', language }, { patienceMs }),
  });
}

async function expectTrouble(
  answers: Answers,
  path: string,
  trouble: string,
  message: RegExp,
): Promise<void> {
  const trial = await tryAt(`${await fakeWorker(answers)}${path}`);
  expect(trial).toMatchObject({ trouble, problem: expect.stringMatching(message) });
  const order = ['address', 'answer', 'version', 'token', 'slot', 'cell'];
  expect(trial.checks.map(({ check }) => check)).toEqual(order.slice(0, trial.checks.length));
  expect(trial.checks.map(({ ok }) => ok)).toEqual(
    trial.checks.map((_check, at) => at < trial.checks.length - 1),
  );
}

describe('testing a worker', () => {
  it.each<readonly [string, Answers, string, string, RegExp]>([
    ['an address without a path', { body: GOOD }, '', 'bad_address', /Use http:\S+\d\/v1\/execute\.$/],
    [
      'the address of its health check',
      { body: GOOD },
      '/a/health',
      'bad_address',
      /Use http:\S+\d\/a\/v1\/execute\.$/,
    ],
    ['a web page', { body: '<html>' }, '/v1/execute', 'not_a_worker', /is not a worker/],
    ['not found', { status: 404 }, '/v1/execute', 'not_a_worker', /404/],
    ['a gateway', { status: 502 }, '/v1/execute', 'unreachable', /502/],
    ['another version', { body: { status: 'healthy' } }, '/v1/execute', 'wrong_version', /version/],
    ['another token', { body: GOOD, cancel: 401 }, '/v1/execute', 'unauthorized', /SVC_WORKER_TOKEN/],
    ['no free slot', { body: BUSY }, '/v1/execute', 'full', /2 of 2/],
    [
      'a refused cell',
      { body: GOOD, cancel: 404, execute: { status: 500, body: { detail: 'no Python' } } },
      '/v1/execute',
      'cell_failed',
      /returned 500: no Python/,
    ],
    [
      'another path',
      { body: GOOD, execute: { status: 404, body: {} } },
      '/v1/execute',
      'cell_failed',
      /end with \/v1\/execute/,
    ],
    ['no bundle', { body: GOOD, execute: { status: 200, body: '{}' } }, '/v1/execute', 'cell_failed', /gpu/],
  ])('[RW-8] ends with the problem and what to do: %s', (_what, answers, path, trouble, message) =>
    expectTrouble(answers, path, trouble, message),
  );

  it.each<readonly [string, Answers, string, RegExp]>([
    [
      'active uploads, which take no slot',
      { body: withFree(1), execute: { status: 500, body: { detail: 'taken' } } },
      'cell_failed',
      /returned 500: taken/,
    ],
    ['no free slot, although few cells are active', { body: withFree(0) }, 'full', /2 of 2/],
    ['no free GPU', { body: { ...GOOD, gpu_slots: 3, free_gpu_slots: 0 } }, 'full', /All 3 GPU slots/],
    ['a draining worker', { body: { ...GOOD, status: 'draining' } }, 'unreachable', /ready/],
    ['another service', { body: { status: 'UP' } }, 'not_a_worker', /is not a worker/],
  ])('[RW-49] uses what the health check reports: %s', (_what, answers, trouble, message) =>
    expectTrouble(answers, '/v1/execute', trouble, message),
  );

  it('[RW-8] no server at the address', async () => {
    const trial = await tryAt('http://127.0.0.1:9/v1/execute');
    expect(trial).toMatchObject({ trouble: 'unreachable', problem: expect.stringMatching(/refused/) });
  });

  it('[RW-47] a worker that accepts a cell and never ends it', async () => {
    const trial = await tryAt(`${await fakeWorker({ body: GOOD })}/v1/execute`, null, 200);
    expect(trial).toMatchObject({
      trouble: 'cell_failed',
      problem: expect.stringMatching(/has not ended there within 0\.2 s/),
    });
  });
});
