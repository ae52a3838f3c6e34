/** Limits how many cells this program sends to each worker at once, and queues the others. */

import { RemoteFailure } from './remoteRequest.ts';

/** A run's slot at a worker, from before it is sent until its answer has arrived. */
export interface Slot {
  /** Whether the run had to wait for it. */
  readonly wasQueued: boolean;
  /** Waits until another run of this program leaves the worker, or the time is up. @throws the signal's reason */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** May be called repeatedly. */
  release(): void;
}

export interface SlotRequest {
  /** The worker's name, for messages. */
  readonly worker: string;
  /** How many cells the worker runs at once, null for no limit; only called when more than one run needs a slot. */
  most(): Promise<number | null>;
  /** Called with the position in the queue, from 1, when it changes. */
  onWait(position: number): void;
  /** How long to wait in a queue that does not move. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** The runs of this program at each worker: at most as many at once as it takes, the others in order of arrival. */
export interface WorkerSlots {
  /** @throws RemoteFailure PROVISIONING_TIMEOUT; the signal's reason */
  take(key: string, request: SlotRequest): Promise<Slot>;
}

interface Waiting {
  readonly request: SlotRequest;
  /** False until the worker has answered how many cells it takes. */
  isReady: boolean;
  position: number;
  patience: NodeJS.Timeout | null;
  go(): void;
  fail(error: unknown): void;
}

interface Queue {
  held: number;
  most: number | null;
  readonly waiting: Waiting[];
  /** Wake-up functions of runs that have a slot but were refused by the worker. */
  readonly pausing: Set<() => void>;
}

export function createWorkerSlots(): WorkerSlots {
  const queues = new Map<string, Queue>();

  function advance(queue: Queue): void {
    for (;;) {
      const [first] = queue.waiting;
      const isFree = queue.held === 0 || queue.most === null || queue.held < queue.most;
      if (first === undefined || !first.isReady || !isFree) break;
      queue.waiting.shift();
      queue.held += 1;
      first.go();
    }
    for (const [index, one] of queue.waiting.entries()) if (one.isReady) reportPosition(one, index + 1);
  }

  function slotOf(key: string, queue: Queue, wasQueued: boolean): Slot {
    let isHeld = true;
    return {
      wasQueued,
      async pause(ms, signal) {
        signal.throwIfAborted();
        await new Promise<void>((resolve) => {
          const end = (): void => {
            clearTimeout(timer);
            signal.removeEventListener('abort', end);
            queue.pausing.delete(end);
            resolve();
          };
          const timer = setTimeout(end, ms);
          signal.addEventListener('abort', end, { once: true });
          queue.pausing.add(end);
        });
        signal.throwIfAborted();
      },
      release() {
        if (!isHeld) return;
        isHeld = false;
        queue.held -= 1;
        // A refused run came before those that have not been sent.
        const [paused] = queue.pausing;
        paused?.();
        for (const entry of queue.waiting) entry.patience?.refresh();
        advance(queue);
        if (queue.held === 0 && queue.waiting.length === 0) queues.delete(key);
      },
    };
  }

  return {
    async take(key, request) {
      const { signal, worker, patienceMs } = request;
      signal.throwIfAborted();
      const queue: Queue = queues.get(key) ?? { held: 0, most: null, waiting: [], pausing: new Set() };
      queues.set(key, queue);
      const isAlone = queue.held === 0 && queue.waiting.length === 0;
      const { promise, resolve: go, reject: fail } = Promise.withResolvers<void>();
      const entry: Waiting = { request, isReady: isAlone, position: 0, patience: null, go, fail };
      queue.waiting.push(entry);
      const leave = (error: unknown): void => {
        const at = queue.waiting.indexOf(entry);
        if (at >= 0) queue.waiting.splice(at, 1);
        fail(error);
        advance(queue);
        if (queue.held === 0 && queue.waiting.length === 0) queues.delete(key);
      };
      const onAbort = (): void => leave(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      entry.patience = setTimeout(() => leave(tooLong(worker, patienceMs)), patienceMs);
      try {
        if (!isAlone) {
          void request.most().then((most) => {
            queue.most = most;
            entry.isReady = true;
            advance(queue);
          }, leave);
        }
        advance(queue);
        await promise;
        return slotOf(key, queue, entry.position > 0);
      } finally {
        clearTimeout(entry.patience);
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

function reportPosition(one: Waiting, position: number): void {
  if (one.position === position) return;
  one.position = position;
  one.patience?.refresh();
  one.request.onWait(position);
}

function tooLong(worker: string, patienceMs: number): RemoteFailure {
  const message = `The cell waited ${patienceMs / 1000} s for a slot on worker '${worker}', and no cell there ended (SVC_WORKER_PROVISIONING_TIMEOUT_SECONDS). Run it again later, or choose another worker.`;
  return new RemoteFailure('PROVISIONING_TIMEOUT', message);
}
