/** Sends a cell to a worker, and repeats the request while the worker has no free slot. */

import type { IncomingMessage } from 'node:http';
import { refusalOf } from './dispatch.ts';
import { RemoteFailure, type RemoteProgress } from './remoteRequest.ts';
import type { Slot } from './workerSlots.ts';

/** Bounds of the pause that Retry-After asks for. */
const LONGEST_PAUSE_MS = 60_000;
const SHORTEST_PAUSE_MS = 200;
/** A full worker refuses at once, so after this time a cell that waited is shown as running. */
const RUNS_AFTER_MS = 1_000;

interface PostOptions {
  readonly worker: string;
  readonly slot: Slot;
  /** How long to keep asking a worker that has no slot. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Pick<RemoteProgress, 'state' | 'position' | 'detail'>) => void;
  /** Whether the worker reports that it is still full; absent: the cell is sent again to find out. */
  readonly isFull?: () => Promise<boolean>;
}

/**
 * Sends a cell again until the worker has a slot for it: after a 503 with Retry-After, which ran nothing.
 * @param post sends the complete request each time
 * @returns the first other answer
 * @throws RemoteFailure PROVISIONING_TIMEOUT; errors of `post`; the signal's reason
 */
export async function postWhenFree(
  post: () => Promise<IncomingMessage>,
  { worker, slot, patienceMs, signal, onProgress, isFull }: PostOptions,
): Promise<IncomingMessage> {
  const startedAt = performance.now();
  let hasWaited = slot.wasQueued;
  for (;;) {
    const answer = await postAsRunning(post, hasWaited ? onProgress : null);
    const pauseMs = pauseOf(answer);
    if (pauseMs === null) return answer;
    const refusal = await refusalOf(answer, worker);
    hasWaited = true;
    onProgress({ state: 'starting', position: null, detail: waitingMessage(worker) });
    do {
      const leftMs = patienceMs - (performance.now() - startedAt);
      if (leftMs <= 0) throw tooLong(worker, patienceMs, refusal);
      await slot.pause(Math.min(pauseMs, leftMs), signal);
    } while ((await isFull?.()) === true);
  }
}

/** The status of a cell that waits for a slot. */
export function waitingMessage(worker: string, position: number | null = null): string {
  return `waiting for a slot on ${worker}${position === null ? '' : `, #${position} in line`}`;
}

async function postAsRunning(
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

/** How long a full worker asks to wait; null for any other answer. */
function pauseOf({ statusCode, headers }: IncomingMessage): number | null {
  const header = headers['retry-after'];
  if (statusCode !== 503 || header === undefined) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  if (Number.isNaN(ms)) return null;
  return Math.min(Math.max(ms, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}

function tooLong(worker: string, patienceMs: number, last: RemoteFailure): RemoteFailure {
  const message = `Worker '${worker}' had no slot for the cell within ${patienceMs / 1000} s (SVC_WORKER_PROVISIONING_TIMEOUT_SECONDS). ${last.message}`;
  return new RemoteFailure('PROVISIONING_TIMEOUT', message);
}
