/** Tracks the active runs of the executor of this machine, so that closing the executor ends them. */

import type { StopPatience } from '../../lib/stop.ts';
import type { Executor } from '../executor.ts';
import { followRun, type RunStarts } from './followRun.ts';

/** The active runs of one executor; closing it ends them. */
interface RunTracker extends Pick<Executor, 'run'> {
  /** Aborted once the executor is closed. */
  readonly closing: AbortSignal;
  /** Cancels every run; resolves when all have ended. */
  close(): Promise<void>;
}

export function createRunTracker(starts: RunStarts): RunTracker {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    closing: closing.signal,
    run(request, runOptions) {
      const signal = AbortSignal.any([runOptions.signal, closing.signal]);
      const patience = untilClosing(runOptions.patience, closing.signal);
      const outcome = followRun(request, { ...runOptions, signal, patience }, starts);
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

/** The patience of a run, which ends when its executor closes. */
function untilClosing(patience: StopPatience | undefined, closing: AbortSignal): StopPatience {
  return {
    isPatient: () => !closing.aborted && (patience?.isPatient() ?? false),
    onHarder(harder) {
      const unsubscribe = patience?.onHarder(harder);
      const onClose = (): void => {
        if (patience?.isPatient()) harder();
      };
      closing.addEventListener('abort', onClose, { once: true });
      return () => {
        closing.removeEventListener('abort', onClose);
        unsubscribe?.();
      };
    },
  };
}
