/**
 * Runs the same cells locally and on every kind of worker: pushed, pulled, through a relay and, with LONG=1, over ssh.
 * Each run must store the same bytes and show the same displays and error messages.
 */

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBuilds } from '../../src-main/builds/builds.ts';
import { environmentIdentity } from '../../src-main/environment/venv/venv.ts';
import type { ExecOutcome } from '../../src-main/exec/executor.ts';
import { createLocalExecutor } from '../../src-main/exec/local/localExecutor.ts';
import { createWorkerTokens } from '../../src-main/exec/remote/call/workerTokens.ts';
import { createRemoteExecutor } from '../../src-main/exec/remote/remoteExecutor.ts';
import { createSshWorkers } from '../../src-main/exec/remote/ssh/sshWorkers.ts';
import { dialRelay } from '../../src-main/relay/client/dialRelay.ts';
import { stayConnected } from '../../src-main/relay/client/stayConnected.ts';
import { RELAY_LIMITS } from '../../src-main/relay/server/relayLimits.ts';
import { startRelay } from '../../src-main/relay/server/relayServer.ts';
import { readRelayWorkers } from '../../src-main/relay/server/relayWorkers.ts';
import { startTestServer } from '../../src-main/server/testing/testServer.ts';
import { startTestWorker } from '../../src-main/worker/testing/testWorker.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { startSshServer, whyNoSshd } from '../support/sshServer.ts';

const python = process.env['CELLAR_TEST_PYTHON'] ?? 'python3';
const isLong = process.env['LONG'] === '1';
const NODE = dirname(process.execPath);
const HARNESS = join(PROJECT_ROOT, 'harness');
const CONNECT = 'a-connect-token-of-gpu';
const BOOK = 'a-notebook';
let root = '';
const closers: (() => unknown)[] = [];
const opened = <T>(thing: T, close: (thing: T) => unknown): T => {
  closers.push(() => close(thing));
  return thing;
};

const local = createLocalExecutor({ harnessDir: HARNESS, envAllowlist: null, poolSize: 0 });
const tokens = createWorkerTokens({});
const builds = createBuilds({ secret: null, expirySeconds: 600, maxOutputBytes: 1e9 });
const remote = createRemoteExecutor({ tokens, builds, provisioningSeconds: 60, maxMemberBytes: 1e9 });

/** The worker's configuration for each transport. */
const places = new Map<string, Readonly<Record<string, string>>>();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'same-everywhere-'));
  opened(await startTestServer({ builds }), (server) => server.close());
  const env = { SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1' };
  const worker = opened(await startTestWorker(env), (one) => one.close());
  places.set('pushed', { url: `${worker.url}/v1/execute` });
  places.set('pulled', { url: `${worker.url}/v1/execute`, transport: 'signed' });
  const log = pino({ level: 'silent' });
  const workers = readRelayWorkers({ toml: '', env: `gpu=${CONNECT}` });
  const at = { host: '127.0.0.1', port: 0 };
  const relay = opened(await startRelay({ workers, limits: RELAY_LIMITS, log }, at), (one) => one.close());
  const leaving = new AbortController();
  closers.push(() => leaving.abort());
  const connect = { url: `ws://127.0.0.1:${relay.port}/connect/gpu`, token: CONNECT, log };
  let tell = (): void => undefined;
  const connected = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const dial: typeof dialRelay = async (options) => {
    const dialled = await dialRelay(options);
    if (dialled.kind === 'connected') tell();
    return dialled;
  };
  void stayConnected({ ...connect, server: worker.server, signal: leaving.signal, dial });
  await connected;
  places.set('relayed', { url: `http://127.0.0.1:${relay.port}/w/gpu/v1/execute` });
  if (!isLong || whyNoSshd !== null) return;
  // Commands over ssh find the same Python as the other workers.
  const path = [dirname(python), NODE, '/usr/bin', '/bin'];
  const sshd = opened(await startSshServer({ path }), (one) => one.dispose());
  const files = { program: join(PROJECT_ROOT, 'dist/svc-worker.cjs'), harnessDir: HARNESS };
  const ssh = createSshWorkers({ files, tokens, program: [join(sshd.bin, 'ssh')] });
  const request = { target: sshd.target, name: 'ssh', remotePort: null, localPort: null, install: true };
  const brought = await ssh.connect({ ...request, notebookId: BOOK, wanted: new AbortController().signal });
  closers.push(async () => {
    await ssh.disconnect(BOOK, 'ssh', { stopRemote: true });
    await ssh.close();
  });
  places.set('ssh', { url: brought.executor_url });
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await local.close();
  await rm(root, { recursive: true, force: true });
});

async function run(
  place: string,
  source: string,
): Promise<{ readonly outcome: ExecOutcome; readonly dir: string }> {
  const dir = await mkdtemp(join(root, `${place}-`));
  return { outcome: await runInto(dir, place, source), dir };
}

async function runInto(outputDir: string, place: string, source: string): Promise<ExecOutcome> {
  const cwd = join(outputDir, 'cwd');
  await mkdir(cwd);
  const request = {
    ...({ runId: 'r', cellId: 'c1', cellName: 'cell', language: 'python', store: 'all' } as const),
    source,
    inputs: {},
    env: {},
    mutationDefines: [],
    timeoutSeconds: 60,
    cwd,
    outputDir,
  };
  const options = { signal: new AbortController().signal, onConsole: () => undefined };
  if (place === 'local') {
    const interpreter = { path: python, identity: await environmentIdentity(python, null) };
    return local.run({ ...request, interpreter, mounts: {}, mode: 'cold' }, options);
  }
  const worker = {
    name: place,
    backend: 'executor',
    runtime_id: null,
    config: places.get(place) ?? {},
  } as const;
  const sent = {
    notebookId: BOOK,
    sourceHash: 's',
    provenanceHash: 'p',
    declaredMounts: [],
    keptRuns: new Set<string>(),
    worker,
  };
  return remote.run({ ...request, ...sent }, { ...options, onProgress: () => undefined });
}

/** What a run stored, with a digest of each file's bytes, without fields that differ from run to run. */
async function storedBy(place: string, source: string) {
  const { outcome, dir } = await run(place, source);
  if (outcome.kind !== 'finished') throw new Error(`${place}: ${outcome.message}`);
  const { result, stdout, stderr, method } = outcome;
  expect(method).toBe(place === 'local' ? 'cold' : 'executor');
  const digest = async (file: string) =>
    createHash('sha256')
      .update(await readFile(join(dir, file)))
      .digest('hex');
  const described = async (one: object) => {
    const { file, ...rest } = one as { readonly file?: string };
    return file === undefined ? rest : { ...rest, file: null, digest: await digest(file) };
  };
  const variables = Object.entries(result.success ? result.variables : {});
  return {
    variables: Object.fromEntries(
      await Promise.all(variables.map(async ([name, one]) => [name, await described(one)] as const)),
    ),
    displays: await Promise.all((result.success ? result.displays : []).map(described)),
    error: result.success ? null : [result.error, result.traceback],
    printed: [stdout, stderr],
  };
}

const CELLS: readonly (readonly [string, string])[] = [
  [
    'plain values',
    'from datetime import date, timedelta\nwhole = 42\nbig = 10 ** 40\nnothing = None\ntext = "né 🌦"\nraw = bytes(range(256))\nnested = {"a": [1, 2.5, None], "b": {"c": True}}\npair = (1, "two")\nday = date(2026, 1, 2)\nspan = timedelta(days=3, microseconds=5)\nprint("said", whole)',
  ],
  [
    'frames, arrays and a figure',
    `
import matplotlib
import numpy as np
import pandas as pd
import pyarrow as pa

frame = pd.DataFrame({"n": range(1000), "s": [f"row {i}" for i in range(1000)], "t": pd.date_range("2026-01-01", periods=1000, tz="UTC")})
table = pa.table({"x": [1, None, 3], "y": ["a", "b", None]})
series = frame["n"]
flat = np.arange(10_000, dtype="float32")
cube = np.ones((3, 4, 5), dtype="complex128")
scalar = np.int64(7)
words = np.array(["a", "bb"])

def picture():
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    # The object itself is pickled as no two processes do it; its picture is the same.
    figure, axes = plt.subplots(figsize=(3, 2))
    axes.plot([1, 3, 2])
    return figure

display(frame)
display(picture())`,
  ],
  [
    'an exception',
    'import sys\nprint("before")\nprint("beside", file=sys.stderr)\ndef deep(n):\n    return 1 / n if n == 0 else deep(n - 1)\ndeep(3)',
  ],
];

describe('[RW-29] the same cell locally and remotely', () => {
  it.each(CELLS)('%s: the same bytes, displays, messages', async (_name, source) => {
    const here = await storedBy('local', source);
    expect(Object.keys(here.variables).length + (here.error?.length ?? 0)).toBeGreaterThan(0);
    const elsewhere = await Promise.all(
      [...places.keys()].map(async (place) => [place, await storedBy(place, source)] as const),
    );
    for (const [place, kept] of elsewhere) expect([place, kept]).toEqual([place, here]);
  });
});
