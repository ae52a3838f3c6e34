/**
 * A request to stop a run: it is made once and proceeds through increasingly hard signals; a second request sends the
 * next signal at once.
 * `gently`: the run gets time to clean up. `soon`: a caller waits for its end. `harder`: a repeated request, which
 * sends the next signal.
 */

/**
 * `gently`: the run gets time to clean up. `soon`: a caller waits for its end. `harder`: a repeated request,
 * which sends the next signal.
 */
export type StopManner = 'gently' | 'soon' | 'harder';

/** How a run is being stopped, as seen by the run. */
export interface StopPatience {
  /** Whether it was requested gently, and no caller has started to wait for its end since. */
  isPatient(): boolean;
  /** Calls back for each further step; the returned function unsubscribes. */
  onHarder(harder: () => void): () => void;
}

export interface Stop {
  /** Aborted once a stop is requested. */
  readonly signal: AbortSignal;
  readonly patience: StopPatience;
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
