/**
 * Runs cells on a worker through a relay while one of the two is killed or the network between them fails: a cell runs
 * at most once, and its result or a message arrives. The worker has its own network namespace if possible.
 */

import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecOutcome } from '../../src-main/exec/executor.ts';
import { createWorkerTokens } from '../../src-main/exec/remote/call/workerTokens.ts';
import { createRemoteExecutor } from '../../src-main/exec/remote/remoteExecutor.ts';
import { freePort } from '../../src-main/lib/testing/freePort.ts';
import { type Namespace, openNamespace, whyNoNamespaces } from '../support/namespace.ts';
import { remoteRequest } from '../support/remoteRequest.ts';
import { pick, seeded } from '../support/seeded.ts';
import { type SvcProcess, startSvc } from '../support/svcProcess.ts';

const isLong = process.env['LONG'] === '1';
/** A normal run has one seed, with a network fault, because relay.test and reattach.test kill relay and worker. */
const FIRST = Number(process.env['CELLAR_SEED'] ?? (isLong ? 1 : 3));
const SEEDS = Array.from({ length: isLong ? 60 : 1 }, (_none, at) => FIRST + at);
const CELLS = isLong ? 8 : 4;
const CONNECT = 'a-connect-token-of-the-tests';
const TOKEN = 'a-worker-token';

const noNamespaces = whyNoNamespaces();
type Fault = 'relay' | 'worker' | 'network';
const FAULTS: readonly Fault[] = noNamespaces === null ? ['relay', 'worker', 'network'] : ['relay', 'worker'];

let root = '';
let network: Namespace | null = null;
let relay: SvcProcess;
let worker: SvcProcess;
let port = 0;

function startRelay(): SvcProcess {
  const host = network?.outside ?? '127.0.0.1';
  return startSvc(['relay', '--host', host, '--port', String(port)], { SVC_RELAY_WORKERS: `far=${CONNECT}` });
}

async function startWorker(): Promise<SvcProcess> {
  const { hostname } = new URL(base());
  const args = ['worker', '--connect', `ws://${hostname}:${port}/connect/far`];
  const env = { SVC_WORKER_TOKEN: TOKEN, SVC_WORKER_CONNECT_TOKEN: CONNECT };
  const started = startSvc(args, env, network?.command);
  await started.said('connected to the relay');
  return started;
}

const base = (): string => `http://${network?.outside ?? '127.0.0.1'}:${port}`;

async function healthOf(path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(base() + path);
  return (await answer.json()) as Record<string, unknown>;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'relay-kill-'));
  network = noNamespaces === null ? await openNamespace() : null;
  port = await freePort();
  relay = startRelay();
  await relay.firstLine;
  worker = await startWorker();
});
/** How the cells of each fault ended. */
const ends: Record<string, number> = {};
afterAll(async () => {
  process.stdout.write(`relay kills, ends of cells: ${JSON.stringify(ends)}\n`);
  await worker?.stop('SIGKILL');
  await relay?.stop('SIGKILL');
  await network?.dispose();
  await rm(root, { recursive: true, force: true });
});

const executor = createRemoteExecutor({
  tokens: createWorkerTokens({}),
  provisioningSeconds: 60,
  maxMemberBytes: 1e9,
});

/** Runs a cell that records each of its runs, takes `seconds`, and has a result. */
async function runCell(name: string, seconds: number): Promise<{ outcome: ExecOutcome; times: number }> {
  const ran = join(root, `${name}.ran`);
  const outputDir = join(root, name);
  await mkdir(outputDir);
  const source = `import time\nwith open(${JSON.stringify(ran)}, "a") as f:\n    f.write("x")\ntime.sleep(${seconds})\nprint("done ${name}")\nx = "${name}"`;
  const outcome = await executor.run(
    remoteRequest({
      runId: name,
      cellId: name,
      source,
      cwd: root,
      outputDir,
      worker: {
        name: 'far',
        backend: 'executor',
        runtime_id: null,
        config: { url: `${base()}/w/far/v1/execute`, token: TOKEN },
      },
    }),
    { signal: new AbortController().signal, onConsole: () => undefined, onProgress: () => undefined },
  );
  return { outcome, times: (await readFile(ran, 'utf8').catch(() => '')).length };
}

/** Causes a fault and repairs it. */
async function strike(fault: Fault, random: () => number): Promise<void> {
  const down = Math.floor(random() * (isLong ? 3_000 : 400));
  if (fault === 'relay') {
    await relay.stop('SIGKILL');
    await wait(down);
    relay = startRelay();
    await relay.firstLine;
  } else if (fault === 'worker') {
    await worker.stop('SIGKILL');
    await wait(down);
    worker = await startWorker();
  } else {
    await network?.setLink('down');
    // In a few cases the fault lasts longer than either side waits for the other's pong.
    await wait(isLong && random() < 0.1 ? 45_000 : down);
    await network?.setLink('up');
  }
}

/** The violation of the rule by one cell, as a message; null if there is none. */
function faultOf(
  { outcome, times }: Awaited<ReturnType<typeof runCell>>,
  name: string,
  fault: Fault,
): string | null {
  if (times > 1) return `${name} ran ${times} times`;
  if (outcome.kind === 'finished') {
    if (!outcome.result.success) return `${name}: ${outcome.result.error}`;
    const { x } = outcome.result.variables;
    const value = x !== undefined && 'preview' in x ? x.preview : null;
    return value === name && outcome.stdout === `done ${name}\n` ? null : `${name} answered ${String(value)}`;
  }
  const summary = `${name}: ${outcome.kind} ${outcome.remote?.errorCode}: ${outcome.message}`;
  if (outcome.remote?.errorCode === 'TIMEOUT') return `the loss was not reported: ${summary}`;
  if (fault !== 'worker' && times === 1) return `a result was lost by the ${fault}: ${summary}`;
  if (!/worker '?far/i.test(outcome.message ?? '') && !/executor 'far'/.test(outcome.message ?? '')) {
    return `the message does not name the worker: ${summary}`;
  }
  return null;
}

describe(`[RL-34] relay, worker${noNamespaces === null ? ' and network' : ` (no network: ${noNamespaces})`} with random faults`, () => {
  it.each(SEEDS)(
    'seed %i: no result of the worker is lost, none is computed twice, and both programs reconnect',
    async (seed) => {
      const random = seeded(seed);
      const fault = pick(random, FAULTS);
      const names = Array.from({ length: CELLS }, (_none, at) => `s${seed}c${at}`);
      const running = names.map((name) => runCell(name, 0.1 + random() * (isLong ? 4 : 0.5)));
      await wait(Math.floor(random() * (isLong ? 3_000 : 400)));
      await strike(fault, random);
      const ended = await Promise.all(running);
      for (const { outcome, times } of ended) {
        const end = `${fault}: ${outcome.kind === 'finished' ? 'whole' : times === 0 ? 'never ran' : 'lost'}`;
        ends[end] = (ends[end] ?? 0) + 1;
      }
      const faults = ended.flatMap((one, at) => faultOf(one, names[at] ?? '', fault) ?? []);
      expect(faults, `seed ${seed}, ${fault}`).toEqual([]);
      const workers = () => healthOf('/health').catch(() => ({}));
      await expect.poll(workers).toMatchObject({ workers_connected: 1, streams: 0 });
      const after = await runCell(`s${seed}after`, 0);
      expect(faultOf(after, `s${seed}after`, 'network'), `seed ${seed}, after ${fault}`).toBeNull();
      expect(after.outcome.kind).toBe('finished');
      await expect.poll(() => healthOf('/w/far/health')).toMatchObject({ active_executions: 0 });
    },
  );
});
