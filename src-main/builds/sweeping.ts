/** Not while a program starts; then seldom. */
const FIRST_SWEEP_MS = 60_000;
const SWEEP_MS = 10 * 60_000;

export interface Sweeping {
  /** From now on; asked again it begins anew. */
  start(): void;
  /** For good. */
  stop(): void;
}

/** Calls `sweep` now and then; `onProblem` hears what went wrong, and the next one comes all the same. */
export function createSweeping(sweep: () => Promise<void>, onProblem: (error: unknown) => void): Sweeping {
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
