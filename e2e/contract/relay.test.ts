/**
 * Runs the conformance tests of workers through a real relay process, and tests a relay and a worker that are killed.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src-main/lib/testing/freePort.ts';
import { pullConformance } from '../conformance/pullContract.ts';
import { envelope, push, type WorkerUnderTest } from '../conformance/workerCalls.ts';
import { workerConformance } from '../conformance/workerContract.ts';
import { type SvcProcess, startSvc } from '../support/svcProcess.ts';

const CONNECT = 'a-connect-token-of-the-tests';
const TOKEN = 'a-worker-token-of-the-tests';
const MAX_INPUT = 100_000;

/** A relay and a worker behind it, each a process. */
interface Behind {
  readonly relay: SvcProcess;
  readonly worker: SvcProcess;
  readonly port: number;
  readonly under: WorkerUnderTest;
}

function startRelay(port: number): SvcProcess {
  return startSvc(['relay', '--port', String(port)], { SVC_RELAY_WORKERS: `gpu=${CONNECT}` });
}

function startWorker(port: number, connectToken = CONNECT): SvcProcess {
  return startSvc(['worker', '--connect', `ws://127.0.0.1:${port}/connect/gpu`], {
    SVC_WORKER_TOKEN: TOKEN,
    SVC_WORKER_CONNECT_TOKEN: connectToken,
    SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1',
    SVC_WORKER_MAX_INPUT_BYTES: String(MAX_INPUT),
    SVC_WORKER_MAX_CONCURRENT: '3',
  });
}

async function startBoth(): Promise<Behind> {
  const port = await freePort();
  const relay = startRelay(port);
  await relay.firstLine;
  const worker = startWorker(port);
  await worker.said('connected to the relay');
  return { relay, worker, port, under: { url: `http://127.0.0.1:${port}/w/gpu`, token: TOKEN } };
}

describe('a worker behind a relay', () => {
  let behind: Behind;
  beforeAll(async () => {
    behind = await startBoth();
  });
  afterAll(async () => {
    await behind.worker.stop('SIGKILL');
    await behind.relay.stop('SIGKILL');
  });
  const worker = () => behind.under;
  workerConformance('[RL-29] passes the conformance tests of pushed cells', { worker });
  pullConformance('[RL-29] passes the conformance tests of pulled cells', {
    worker,
    placesHost: () => '127.0.0.1',
    maxInputBytes: MAX_INPUT,
  });
});

describe('a relay and a worker that are killed', () => {
  it('[RL-30] after the relay is killed, callers are notified, the cell keeps running, and the worker reconnects to a new relay', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'cellar-relay-kill-'));
    const { relay, worker, port, under } = await startBoth();
    const file = (name: string) => join(dir, name);
    /** A cell that marks its start with a file, waits for the file `go`, and marks its end. */
    const cell = (name: string) =>
      envelope(`
import pathlib, time
dir = pathlib.Path(${JSON.stringify(dir)})
(dir / "${name}-started").touch()
while not (dir / "${name}-go").exists():
    time.sleep(0.05)
(dir / "${name}-done").touch()
`);
    const fileExists = async (name: string) => {
      while (!existsSync(file(name))) await wait(20);
    };
    const firstRun = push(under, cell('lost')).then(
      () => 'answered',
      () => 'broken',
    );
    await fileExists('lost-started');
    await relay.stop('SIGKILL');
    expect(await firstRun).toBe('broken');
    const again = startRelay(port);
    await again.said('a worker connected');
    const pushed = push(under, cell('kept'));
    await fileExists('kept-started');
    await writeFile(file('lost-go'), '');
    await fileExists('lost-done');
    await writeFile(file('kept-go'), '');
    expect((await pushed).status).toBe(200);
    const killed = push(under, cell('killed'));
    await fileExists('killed-started');
    await worker.stop('SIGKILL');
    const { status, body } = await killed;
    expect([status, body?.['detail']]).toEqual([
      502,
      'The connection to worker gpu was lost; its cells may still be running there',
    ]);
    const next = startWorker(port);
    await next.said('connected to the relay');
    const { bundle } = await push(under, envelope('x = 6 * 7'));
    expect(bundle?.result.variables['x']).toMatchObject({ preview: 42 });
    expect([await next.stop(), await again.stop()]).toEqual([0, 0]);
    await rm(dir, { recursive: true, force: true });
  });

  it('[RL-9] a worker with a wrong connect token prints one line and exits with code 1', async () => {
    const relay = startRelay(0);
    const port = Number(/127\.0\.0\.1:(\d+):/.exec(await relay.firstLine)?.[1]);
    const worker = startWorker(port, 'a-token-of-another-worker');
    expect(await worker.exited).toBe(1);
    const lines = worker.stderr().split('\n');
    expect(lines.filter((line) => line.includes('the relay answered 401'))).toHaveLength(1);
    await relay.stop();
  });

  const USAGE: readonly (readonly [args: readonly string[], workers: string, words: string])[] = [
    [[], '', 'no workers are allowed to connect. List them in --workers FILE or SVC_RELAY_WORKERS'],
    [['--port', '70000'], `gpu=${CONNECT}`, '--port must be a whole number'],
    [['--max-streams', '0'], `gpu=${CONNECT}`, '--max-streams must be a whole number of at least 1'],
    [['--workers', '/nowhere/workers.toml'], '', '--workers: ENOENT'],
    [[], 'gpu=short', 'token of gpu has fewer than 16 characters'],
    [['more'], `gpu=${CONNECT}`, 'unexpected argument `more`'],
  ];
  it('[RL-31] a misconfigured relay exits with code 2 and prints the reason', async () => {
    const ends = await Promise.all(
      USAGE.map(async ([args, workers]) => {
        const relay = startSvc(['relay', ...args], { SVC_RELAY_WORKERS: workers });
        return [await relay.exited, relay.stderr()];
      }),
    );
    expect(ends).toEqual(USAGE.map(([, , words]) => [2, expect.stringContaining(words)]));
  });
});
