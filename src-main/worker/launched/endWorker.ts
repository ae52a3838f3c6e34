/** Ends a worker that was started over SSH, on its own machine. */

import { setTimeout as wait } from 'node:timers/promises';
import { signalGroup } from '../../lib/processGroup.ts';
import { startOf } from './processStart.ts';
import { type LaunchedPaths, type LaunchedWorker, removeLaunchRecord, runningWorker } from './record.ts';

const POLL_MS = 50;
/** The first signal makes the worker refuse new cells, the second ends running cells, the third kills it. */
const SIGNALS = [
  { signal: 'SIGTERM', waitMs: 1_000 },
  { signal: 'SIGTERM', waitMs: 2_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/** Ends a worker and everything it runs. @returns whether it was running */
export async function endWorker(paths: LaunchedPaths): Promise<boolean> {
  const worker = await runningWorker(paths);
  if (worker !== null) await end(worker);
  await removeLaunchRecord(paths);
  return worker !== null;
}

async function end({ pid, started }: LaunchedWorker): Promise<void> {
  for (const { signal, waitMs } of SIGNALS) {
    signalGroup(pid, signal);
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      const now = await startOf(pid);
      if (now === null || (started !== null && now !== started)) return;
      await wait(POLL_MS);
    }
  }
}
