/** A timer that lets the server fail abandoned builds and delete old ones every ten minutes. */

/** Delay of the first sweep, until the program has started, and the interval of later ones. */
const FIRST_SWEEP_MS = 60_000;
const SWEEP_MS = 10 * 60_000;

interface Sweeping {
  /** Starts; a second call restarts the timer. */
  start(): void;
  /** Stops for good. */
  stop(): void;
}

/** Calls `sweep` periodically; `onProblem` gets its error, and the next call is made all the same. */
export function createSweepTimer(sweep: () => Promise<void>, onProblem: (error: unknown) => void): Sweeping {
  let next: NodeJS.Timeout | undefined;
  let isStopped = false;
  const after = (ms: number): void => {
    clearTimeout(next);
    if (isStopped) return;
    next = setTimeout(
      () =>
        void sweep()
          .catch(onProblem)
          .finally(() => after(SWEEP_MS)),
      ms,
    ).unref();
  };
  return {
    start: () => after(FIRST_SWEEP_MS),
    stop: () => {
      isStopped = true;
      clearTimeout(next);
    },
  };
}
