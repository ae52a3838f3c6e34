import { setTimeout as wait } from 'node:timers/promises';
import { signalGroup } from '../../lib/processGroup.ts';
import { startOf } from './processStart.ts';
import { dropRecord, type Launched, type LaunchedPaths, runningWorker } from './record.ts';

const LOOK_MS = 50;
/** The first signal takes no new cell, the second ends what runs, the third is not asked. */
const RUNGS = [
  { signal: 'SIGTERM', waitMs: 1_000 },
  { signal: 'SIGTERM', waitMs: 2_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/** Ends the worker of a name, and what it runs. @returns whether there was one */
export async function endWorker(paths: LaunchedPaths): Promise<boolean> {
  const worker = await runningWorker(paths);
  if (worker !== null) await end(worker);
  await dropRecord(paths);
  return worker !== null;
}

async function end({ pid, started }: Launched): Promise<void> {
  for (const { signal, waitMs } of RUNGS) {
    signalGroup(pid, signal);
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      const now = await startOf(pid);
      if (now === null || (started !== null && now !== started)) return;
      await wait(LOOK_MS);
    }
  }
}
