import type { Executor } from '../executor.ts';
import { followRun, type RunStarts } from './followRun.ts';

/** The runs of one executor: closing it ends them. */
export interface RunsUnderWay extends Pick<Executor, 'run'> {
  /** Aborted once it is closed. */
  readonly closing: AbortSignal;
  /** Ends every run, and resolves when none is left. */
  close(): Promise<void>;
}

export function createRuns(starts: RunStarts): RunsUnderWay {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    closing: closing.signal,
    run(request, runOptions) {
      const signal = AbortSignal.any([runOptions.signal, closing.signal]);
      const outcome = followRun(request, { ...runOptions, signal }, starts);
      const settled = outcome.then(
        () => {},
        () => {},
      );
      running.add(settled);
      void settled.then(() => running.delete(settled));
      return outcome;
    },
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}
