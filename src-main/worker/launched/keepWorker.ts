import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { endWorker } from './endWorker.ts';
import { type LaunchedPaths, runningWorker } from './record.ts';
import { saidLast } from './startWorker.ts';

export interface Keeping {
  readonly launchId: string;
  /** How long a worker stays when nobody looks after it any more. */
  readonly graceMs: number;
  /** Bytes of whoever keeps it; silence is as good as an end. */
  readonly from: NodeJS.ReadableStream;
  readonly say: (line: string) => void;
}

/** Silence after which the other side is taken for gone; it says something every fifteen seconds. */
const SILENCE_MS = 60_000;
const LOOK_MS = 500;

/**
 * Looks after a worker for as long as somebody far away holds on to it, and ends it when nobody came back within the
 * grace: no worker is left behind by a line that broke or a program that was killed. The newest keeper decides.
 * @returns the exit code
 */
export async function keepWorker(
  paths: LaunchedPaths,
  { launchId, graceMs, from, say }: Keeping,
): Promise<number> {
  const ours = async (): Promise<boolean> => (await runningWorker(paths))?.launch_id === launchId;
  if (!(await ours())) {
    say(`gone ${JSON.stringify(await saidLast(paths))}`);
    return 3;
  }
  const self = randomBytes(16).toString('hex');
  await writeFile(paths.keeper, self, { mode: 0o600 });
  const held = holding(from);
  say('keeping');
  while (held()) {
    if (!(await ours())) {
      say(`gone ${JSON.stringify(await saidLast(paths))}`);
      return 3;
    }
    await wait(LOOK_MS);
  }
  const isMine = async (): Promise<boolean> =>
    (await readFile(paths.keeper, 'utf8').catch(() => '')) === self && (await ours());
  const until = performance.now() + graceMs;
  while (await isMine()) {
    if (performance.now() >= until) {
      await endWorker(paths);
      break;
    }
    await wait(Math.min(LOOK_MS, Math.max(1, graceMs)));
  }
  return 0;
}

/** Whether the stream still says something now and then. */
function holding(from: NodeJS.ReadableStream): () => boolean {
  let heardAt = performance.now();
  let ended = false;
  from.on('data', () => {
    heardAt = performance.now();
  });
  for (const event of ['end', 'close', 'error']) {
    from.on(event, () => {
      ended = true;
    });
  }
  return () => !ended && performance.now() - heardAt < SILENCE_MS;
}
