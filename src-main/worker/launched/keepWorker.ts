/** Keeps a worker that was started over SSH running while its client is connected, and ends it afterwards. */

import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { endWorker } from './endWorker.ts';
import { type LaunchedPaths, runningWorker } from './record.ts';
import { logTail } from './startWorker.ts';

interface KeepOptions {
  readonly launchId: string;
  /** How long the worker stays after its keeper has disconnected. */
  readonly graceMs: number;
  /** The keeper's input, which must arrive regularly; silence counts as its end. */
  readonly from: NodeJS.ReadableStream;
  readonly say: (line: string) => void;
}

/** Silence after which the other side counts as disconnected; it sends something every fifteen seconds. */
const SILENCE_MS = 60_000;
const POLL_MS = 500;

/**
 * Keeps a worker running while a remote client holds the connection, and ends it if no client reconnects within the
 * grace period. So a broken connection or a killed program leaves no worker behind. Only the newest keeper ends the
 * worker.
 * @returns the exit code
 */
export async function keepWorker(
  paths: LaunchedPaths,
  { launchId, graceMs, from, say }: KeepOptions,
): Promise<number> {
  const isCurrent = async (): Promise<boolean> => (await runningWorker(paths))?.launch_id === launchId;
  if (!(await isCurrent())) {
    say(`gone ${JSON.stringify(await logTail(paths))}`);
    return 3;
  }
  const self = randomBytes(16).toString('hex');
  await writeFile(paths.keeper, self, { mode: 0o600 });
  const isConnected = watch(from);
  say('keeping');
  while (isConnected()) {
    if (!(await isCurrent())) {
      say(`gone ${JSON.stringify(await logTail(paths))}`);
      return 3;
    }
    await wait(POLL_MS);
  }
  const isMine = async (): Promise<boolean> =>
    (await readFile(paths.keeper, 'utf8').catch(() => '')) === self && (await isCurrent());
  const until = performance.now() + graceMs;
  while (await isMine()) {
    if (performance.now() >= until) {
      await endWorker(paths);
      break;
    }
    await wait(Math.min(POLL_MS, Math.max(1, graceMs)));
  }
  return 0;
}

/** Returns a function that tells whether the stream is open and has sent something recently. */
function watch(from: NodeJS.ReadableStream): () => boolean {
  let lastDataAt = performance.now();
  let isEnded = false;
  from.on('data', () => {
    lastDataAt = performance.now();
  });
  for (const event of ['end', 'close', 'error']) {
    from.on(event, () => {
      isEnded = true;
    });
  }
  return () => !isEnded && performance.now() - lastDataAt < SILENCE_MS;
}
