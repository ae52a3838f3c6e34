import { setTimeout as delay } from 'node:timers/promises';

/** Work nobody waits for: one piece at a time, and not while what caused it is still being waited for. */
export interface BackgroundWork {
  /** `work` begins after what was added before it has ended, and at the earliest `quietMs` from now. */
  add(work: (signal: AbortSignal) => Promise<void>, onError: (error: unknown) => void): void;
  /** Stops what runs and forgets what waits. */
  close(): Promise<void>;
}

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
