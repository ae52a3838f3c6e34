/** Runs low-priority work of a session, one piece at a time, when no caller waits for a request. */

import { setTimeout as delay } from 'node:timers/promises';

/**
 * Low-priority work: one piece at a time, and not while a caller still waits for the request that caused it.
 */
interface BackgroundWork {
  /** `work` begins after all earlier work has ended, and at least `quietMs` from now. */
  add(work: (signal: AbortSignal) => Promise<void>, onError: (error: unknown) => void): void;
  /** Aborts the running piece and discards the waiting ones. */
  close(): Promise<void>;
}

/** Creates the background work of one session. */
export function createBackgroundWork({ quietMs }: { readonly quietMs: number }): BackgroundWork {
  const stopping = new AbortController();
  const { signal } = stopping;
  let last: Promise<void> = Promise.resolve();
  return {
    add(work, onError) {
      const quiet = delay(quietMs, undefined, { signal, ref: false });
      const turn = Promise.all([last, quiet]);
      last = turn
        .then(() => work(signal))
        .catch((error: unknown) => {
          if (!signal.aborted) onError(error);
        });
    },
    async close() {
      stopping.abort();
      await last;
    },
  };
}
