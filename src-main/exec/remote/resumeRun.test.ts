import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { createWorkerTokens } from './call/workerTokens.ts';
import { createRemoteExecutor } from './remoteExecutor.ts';
import { PROTOCOL, type StandIn, type StandInAnswers, standInWorker } from './testing/standInWorker.ts';

let dir = '';
let worker: StandIn | null = null;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'resumed-'));
  await mkdir(join(dir, '.svc'));
  await mkdir(join(dir, 'out'));
});
afterEach(async () => {
  await worker?.close();
  worker = null;
  await rm(dir, { recursive: true });
});

const HELD = { build_id: 'notebook-b', worker: 'gpu', provenance_hash: 'ph', source_hash: 'sh' };
const OFFERS = JSON.stringify({
  status: 'healthy',
  capabilities: { features: { reattach: true, console_stream: true } },
});

async function run(answers: StandInAnswers, held: object | string | null, keptRuns: readonly string[] = []) {
  const standIn = await standInWorker(answers);
  worker = standIn;
  const { url } = standIn;
  const text = typeof held === 'string' ? held : JSON.stringify({ url, ...held });
  const file = join(dir, '.svc/remote-run-c1.json');
  if (held !== null) await writeFile(file, text);
  const tokens = createWorkerTokens({});
  const executor = createRemoteExecutor({
    tokens,
    provisioningSeconds: 5,
    maxMemberBytes: 1e9,
    patienceMs: 500,
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
      env: {},
      store: ['x'],
      keptRuns: new Set(keptRuns),
      mutationDefines: [],
      timeoutSeconds: 60,
      cwd: dir,
      outputDir: join(dir, 'out'),
      worker: { name: 'gpu', backend: 'executor', runtime_id: null, config: { url } },
    },
    { signal: new AbortController().signal, onConsole: () => undefined, onProgress: () => undefined },
  );
  const record = (): Promise<string | null> => readFile(file, 'utf8').catch(nullIfMissing);
  const before = { record: await record(), requests: [...standIn.requests] };
  await outcome.discard?.();
  return { outcome, requests: standIn.requests, left: await record(), before };
}

describe('[BU-13] a run that was in progress when the program ended', () => {
  it.each([
    ['nothing', null, []],
    ['a damaged record', '{', []],
    [
      'a run at another address: no request is sent there',
      { ...HELD, url: 'http://127.0.0.1:1/v1/execute' },
      [],
    ],
    ['a run on another worker', { ...HELD, worker: 'other' }, []],
    ['a run on a worker without the feature', HELD, ['GET /health']],
  ])('%s: the cell is run', async (_name, held, before) => {
    const { outcome, requests, left } = await run({}, held);
    expect([outcome.kind, requests, left]).toEqual(['finished', [...before, 'POST /v1/execute'], null]);
  });

  it('a run of other inputs is stopped, and the cell is run', async () => {
    const { outcome, requests } = await run({}, { ...HELD, provenance_hash: 'old' });
    expect(outcome.kind).toBe('finished');
    await expect.poll(() => requests).toContain('DELETE /v1/x/builds/notebook-b');
    expect(requests).toContain('POST /v1/executions/notebook-b/cancel');
    expect(requests).toContain('POST /v1/execute');
  });

  it('a recorded run is fetched, once', async () => {
    const { outcome, requests, left, before } = await run(
      {
        health: (response) => response.end(OFFERS),
        execute: (request, response, tar) =>
          response
            .writeHead(request.method === 'GET' ? 200 : 500, { ...PROTOCOL, 'x-svc-reattach': '1' })
            .end(tar),
      },
      HELD,
    );
    expect(outcome).toMatchObject({ kind: 'finished', remote: { buildId: 'notebook-b' } });
    expect([requests.includes('POST /v1/execute'), left]).toEqual([false, null]);
    expect(requests).toContain('DELETE /v1/x/builds/notebook-b');
    // [BU-17] Until it is released, the next program finds it, on this machine and on the worker.
    expect([before.record, before.requests]).toEqual([
      expect.stringContaining('notebook-b'),
      expect.not.arrayContaining(['DELETE /v1/x/builds/notebook-b']),
    ]);
  });
});

describe('[BU-18] a recorded run whose result is stored', () => {
  const there: StandInAnswers = {
    health: (response) => response.end(OFFERS),
    execute: (_request, response, tar) =>
      response.writeHead(200, { ...PROTOCOL, 'x-svc-reattach': '1' }).end(tar),
  };
  it.each([
    ['is not fetched again', ['r0'], true],
    ['is fetched when the stored result is of another run', ['r1'], false],
  ])('%s', async (_name, keptRuns, isRunAgain) => {
    const { requests, outcome } = await run(there, { ...HELD, run_id: 'r0' }, keptRuns);
    expect([outcome.kind, requests.includes('POST /v1/execute')]).toEqual(['finished', isRunAgain]);
    await expect.poll(() => requests).toContain('DELETE /v1/x/builds/notebook-b');
  });

  it('is recorded under the run that fetched it', async () => {
    const { before } = await run(there, { ...HELD, run_id: 'r0' });
    expect(JSON.parse(before.record ?? '{}')).toMatchObject({ build_id: 'notebook-b', run_id: 'r' });
  });
});

describe('[BU-14] a lost connection', () => {
  const cut: StandInAnswers['execute'] = (request, response, tar) =>
    request.method === 'POST'
      ? response.socket?.destroy()
      : response.writeHead(200, { ...PROTOCOL, 'x-svc-reattach': '1' }).end(tar);
  const cutWithin: StandInAnswers['execute'] = (request, response, tar) => {
    if (request.method !== 'POST') return cut?.(request, response, tar);
    response.writeHead(200, { ...PROTOCOL, 'content-length': String(tar.length) });
    response.write(tar.subarray(0, 700), () => response.socket?.destroy());
  };
  it.each([
    ['before the answer', cut],
    ['within the bundle', cutWithin],
  ])('%s: the bundle is fetched', async (_name, execute) => {
    const { outcome, requests } = await run({ health: (response) => response.end(OFFERS), execute }, null);
    expect(outcome).toMatchObject({ kind: 'finished', stdout: 'hello\n' });
    expect(requests.filter((one) => one === 'POST /v1/execute')).toHaveLength(1);
  });

  it('a worker without the feature fails the cell, whose record stays for the next run', async () => {
    const { outcome, left } = await run({ execute: cut }, null);
    expect(outcome).toMatchObject({ kind: 'crashed', remote: { errorCode: 'REQUEST_FAILED' } });
    expect(JSON.parse(left ?? '{}')).toMatchObject({ worker: 'gpu', provenance_hash: 'ph' });
  });

  it('a worker that does not know the run fails the cell', async () => {
    const execute: StandInAnswers['execute'] = (request, response) =>
      request.method === 'POST' ? response.socket?.destroy() : response.writeHead(404).end('{}');
    const { outcome } = await run({ health: (response) => response.end(OFFERS), execute }, null);
    expect(outcome).toMatchObject({ kind: 'crashed', remote: { errorCode: 'REQUEST_FAILED' } });
  });

  it('a failure on the worker is the failure of the cell', async () => {
    const execute: StandInAnswers['execute'] = (request, response) =>
      request.method === 'POST'
        ? response.socket?.destroy()
        : response.writeHead(408).end('{"detail":"Cell execution timed out"}');
    const { outcome } = await run({ health: (response) => response.end(OFFERS), execute }, null);
    expect(outcome).toMatchObject({ kind: 'timeout', remote: { errorCode: 'TIMEOUT' } });
  });
});
