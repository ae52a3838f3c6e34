import type { IncomingMessage } from 'node:http';
import { refusalOf } from './dispatch.ts';
import { RemoteFailure, type RemoteProgress } from './remoteRequest.ts';
import type { Slot } from './workerSlots.ts';

/** Of Retry-After: a worker that names more is looked at earlier, one that names nothing is left a moment. */
const LONGEST_PAUSE_MS = 60_000;
const SHORTEST_PAUSE_MS = 200;
/** A worker that refuses says so at once: after that a cell that waited is shown as running. */
const RUNS_AFTER_MS = 1_000;

export interface PostOptions {
  readonly worker: string;
  readonly slot: Slot;
  /** How long a worker that has no slot is asked again. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Pick<RemoteProgress, 'state' | 'position' | 'detail'>) => void;
  /** Whether the worker says that it is still full; absent: it is sent the cell again to find out. */
  readonly isFull?: () => Promise<boolean>;
}

/**
 * Sends a cell until the worker has a slot for it: a 503 with Retry-After ran nothing there, and is waited out.
 * @param post sends the whole of it again each time
 * @returns the first other answer
 * @throws RemoteFailure PROVISIONING_TIMEOUT; what `post` throws; the signal's reason
 */
export async function postWhenFree(
  post: () => Promise<IncomingMessage>,
  { worker, slot, patienceMs, signal, onProgress, isFull }: PostOptions,
): Promise<IncomingMessage> {
  const startedAt = performance.now();
  let hasWaited = slot.wasQueued;
  for (;;) {
    const answer = await shownRunning(post, hasWaited ? onProgress : null);
    const pauseMs = pauseOf(answer);
    if (pauseMs === null) return answer;
    const refusal = await refusalOf(answer, worker);
    hasWaited = true;
    onProgress({ state: 'starting', position: null, detail: waitingWords(worker) });
    do {
      const leftMs = patienceMs - (performance.now() - startedAt);
      if (leftMs <= 0) throw tooLong(worker, patienceMs, refusal);
      await slot.pause(Math.min(pauseMs, leftMs), signal);
    } while ((await isFull?.()) === true);
  }
}

/** What the cell says while it waits. */
export function waitingWords(worker: string, position: number | null = null): string {
  return `waiting for a slot on ${worker}${position === null ? '' : `, #${position} in line`}`;
}

async function shownRunning(
  post: () => Promise<IncomingMessage>,
  onProgress: PostOptions['onProgress'] | null,
): Promise<IncomingMessage> {
  const runs = (): void => onProgress?.({ state: 'running', position: null, detail: null });
  const timer = setTimeout(runs, RUNS_AFTER_MS);
  try {
    return await post();
  } finally {
    clearTimeout(timer);
  }
}

/** How long a full worker wants to be left alone; null for any other answer. */
function pauseOf({ statusCode, headers }: IncomingMessage): number | null {
  const said = headers['retry-after'];
  if (statusCode !== 503 || said === undefined) return null;
  const ms = /^\d+$/.test(said.trim()) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  if (Number.isNaN(ms)) return null;
  return Math.min(Math.max(ms, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}

function tooLong(worker: string, patienceMs: number, last: RemoteFailure): RemoteFailure {
  const words = `Worker '${worker}' had no slot for the cell within ${patienceMs / 1000} s (SVC_WORKER_PROVISIONING_TIMEOUT_SECONDS). ${last.message}`;
  return new RemoteFailure('PROVISIONING_TIMEOUT', words);
}
