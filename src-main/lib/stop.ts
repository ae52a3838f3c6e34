/**
 * Stopping a run, from the outside. It is asked for once and comes about by signals that grow harder; who has asked may
 * ask again and have the next one at once.
 */

/**
 * `gently`: what the run tidies up has its time. `soon`: something waits for its end. `harder`: asked for again, it goes
 * a step up.
 */
export type StopManner = 'gently' | 'soon' | 'harder';

/** What a run that is being stopped is told of the manner. */
export interface Patience {
  /** Whether it was asked gently, and nothing has come to wait for its end since. */
  isPatient(): boolean;
  /** Calls back for each step up; the answer ends that. */
  onHarder(harder: () => void): () => void;
}

export interface Stop {
  /** Aborted once it is asked for. */
  readonly signal: AbortSignal;
  readonly patience: Patience;
  ask(manner: StopManner): void;
}

export function createStop(): Stop {
  const controller = new AbortController();
  const listeners = new Set<() => void>();
  let patient = true;
  return {
    signal: controller.signal,
    patience: {
      isPatient: () => patient,
      onHarder(harder) {
        listeners.add(harder);
        return () => listeners.delete(harder);
      },
    },
    ask(manner) {
      const isStepUp = controller.signal.aborted && (manner === 'harder' || (manner === 'soon' && patient));
      if (manner === 'soon') patient = false;
      controller.abort();
      if (isStepUp) for (const harder of [...listeners]) harder();
    },
  };
}
