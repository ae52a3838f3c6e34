/**
 * Remote cells on a worker without a free slot: waiting, sending again after a 503, and stopping. The worker
 * is a fake HTTP server.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorkerTokens } from './call/workerTokens.ts';
import { createRemoteExecutor } from './remoteExecutor.ts';
import { PROTOCOL, type StandIn, type StandInAnswers, standInWorker } from './testing/standInWorker.ts';
import { testRun } from './testing/testRun.ts';

let dir = '';
let worker: StandIn | null = null;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'remote-full-'));
});
afterEach(async () => {
  await worker?.close();
  worker = null;
  await rm(dir, { recursive: true });
});

const executorOf = (provisioningSeconds = 60) =>
  createRemoteExecutor({
    tokens: createWorkerTokens({}),
    provisioningSeconds,
    maxMemberBytes: 1e9,
    consoleAfterMs: 60_000,
    pollMs: 5,
  });
const full = (response: ServerResponse, retryAfter: string | null = '0'): void => {
  const headers = retryAfter === null ? {} : { 'retry-after': retryAfter };
  response.writeHead(503, headers).end('{"detail":"Worker is running 1 of 1 executions"}');
};
const health = (more: object) => (response: ServerResponse) =>
  response.end(JSON.stringify({ status: 'healthy', ...more }));

/** A worker with this many slots that refuses further cells, and counts the cells that ran at the same time. */
function counting(
  most: number,
  more: Partial<StandInAnswers> = {},
): { readonly answers: StandInAnswers; peak(): number } {
  let active = 0;
  let peak = 0;
  return {
    answers: {
      health: health({ max_concurrent: most }),
      execute: async (_request, response, tar) => {
        active += 1;
        peak = Math.max(peak, active);
        if (active > most) full(response, null);
        else {
          // Other requests that are already on their way arrive first.
          await new Promise((later) => setTimeout(later, 5));
          response.writeHead(200, PROTOCOL).end(tar);
        }
        active -= 1;
      },
      ...more,
    },
    peak: () => peak,
  };
}

it('[RW-43] ten cells on a worker with two slots: all succeed, none is refused, and waiting cells show it', async () => {
  const { answers, peak } = counting(2);
  worker = await standInWorker(answers);
  const { url } = worker;
  const executor = executorOf();
  const runs = await Promise.all(Array.from({ length: 10 }, () => testRun(executor, { dir, url })));
  expect(runs.map(({ outcome }) => outcome.kind)).toEqual(Array.from({ length: 10 }, () => 'finished'));
  expect(peak()).toBeLessThanOrEqual(2);
  expect(worker.forms).toHaveLength(10);
  const updates = runs.flatMap(({ progress }) => progress);
  expect(updates).toContainEqual({
    buildId: null,
    state: 'starting',
    position: 1,
    detail: 'waiting for a slot on gpu, #1 in line',
  });
});

it('[RW-43] a cell that is stopped while it waits for a slot is never sent', async () => {
  let answer = (): void => undefined;
  worker = await standInWorker({
    health: health({ max_concurrent: 1 }),
    execute: (_request, response, tar) => {
      answer = () => response.writeHead(200, PROTOCOL).end(tar);
    },
  });
  const { url } = worker;
  const executor = executorOf();
  const first = testRun(executor, { dir, url });
  const standIn = worker;
  await expect.poll(() => standIn.forms.length).toBe(1);
  const stop = new AbortController();
  const second = testRun(executor, { dir, url, signal: stop.signal, onProgress: () => stop.abort() });
  expect((await second).outcome).toMatchObject({ kind: 'cancelled', remote: { buildId: null } });
  answer();
  expect((await first).outcome.kind).toBe('finished');
  expect(standIn.forms).toHaveLength(1);
});

it.each<[string, Partial<Parameters<typeof testRun>[1]>]>([
  ['with a small input', {}],
  ['with a large input, which is sent again only when the worker has a slot', { cellId: 'large' }],
])('[RW-44] after a 503 with Retry-After the cell is sent again: %s', async (_name, changes) => {
  const isLarge = changes.cellId === 'large';
  const input = join(dir, 'in.arrow');
  await writeFile(input, Buffer.alloc(isLarge ? 1_100_000 : 10));
  let checks = 0;
  let refusals = 0;
  worker = await standInWorker({
    health: (response) => {
      checks += 1;
      health({ max_concurrent: 1, active_executions: checks < 3 ? 1 : 0 })(response);
    },
    execute: (_request, response, tar) => {
      if (refusals < 2) {
        refusals += 1;
        return full(response);
      }
      return response.writeHead(200, PROTOCOL).end(tar);
    },
  });
  const inputs = { df: { content_type: 'arrow/ipc', file: input } };
  const { outcome, progress } = await testRun(executorOf(), { dir, url: worker.url, inputs, ...changes });
  expect(outcome).toMatchObject({ kind: 'finished', stdout: 'hello\n' });
  expect(worker.forms).toHaveLength(3);
  // The complete request each time, with the same build id.
  const builds = worker.forms.map(({ body }) => /"build_id":"([^"]+)"/.exec(body)?.[1]);
  expect(new Set(builds).size).toBe(1);
  expect(new Set(worker.forms.map(({ body }) => body.length)).size).toBe(1);
  expect(checks).toBe(isLarge ? 4 : 0);
  expect(progress).toContainEqual({
    buildId: builds[0],
    state: 'starting',
    position: null,
    detail: 'waiting for a slot on gpu',
  });
});

it('[RW-44] a worker that stays full ends the cell with a message', async () => {
  worker = await standInWorker({ execute: (_request, response) => full(response) });
  const { outcome } = await testRun(executorOf(0.3), { dir, url: worker.url });
  expect(outcome).toMatchObject({
    kind: 'crashed',
    message: expect.stringMatching(/no slot for the cell within 0\.3 s .* running 1 of 1 executions/s),
    remote: { errorCode: 'PROVISIONING_TIMEOUT' },
  });
});

it('[RW-44] a cell that is stopped while its worker is full is not sent again', async () => {
  worker = await standInWorker({ execute: (_request, response) => full(response, '3600') });
  const stop = new AbortController();
  const { outcome } = await testRun(executorOf(), {
    dir,
    url: worker.url,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  expect(outcome.kind).toBe('cancelled');
  expect(worker.forms).toHaveLength(1);
});

it.each([null, 'soon', ''])(
  '[RW-44] a 503 with Retry-After %j fails the cell immediately',
  async (retryAfter) => {
    worker = await standInWorker({ execute: (_request, response) => full(response, retryAfter) });
    const { outcome } = await testRun(executorOf(), { dir, url: worker.url });
    expect(outcome).toMatchObject({ kind: 'crashed', remote: { errorCode: 'EXECUTOR_HTTP_ERROR' } });
    expect(worker.forms).toHaveLength(1);
  },
);
