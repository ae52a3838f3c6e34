/** Stops requests to the shared artifact store for a while after a failure, so that runs do not wait for it. */

/** How long to leave a failed store alone: initially, and at most after repeated failures. */
const FIRST_MS = 30_000;
const LONGEST_MS = 5 * 60_000;

/** Whether requests to a store are currently worth trying. */
interface Pause {
  /** Whether the store is left alone for now. */
  isOn(): boolean;
  /**
   * Call after a failure.
   * @returns the seconds for which the store is left alone
   */
  begin(): number;
  /** Call after an answer. */
  end(): void;
}

/** @param now milliseconds of a clock that only moves forward */
export function createPause(now: () => number = () => performance.now()): Pause {
  let until = Number.NEGATIVE_INFINITY;
  let nextMs = FIRST_MS;
  return {
    isOn: () => now() < until,
    begin() {
      // Concurrent requests fail together and count once.
      if (now() < until) return Math.round((until - now()) / 1000);
      const lengthMs = nextMs;
      nextMs = Math.min(LONGEST_MS, nextMs * 2);
      until = now() + lengthMs;
      return Math.round(lengthMs / 1000);
    },
    end() {
      nextMs = FIRST_MS;
      until = Number.NEGATIVE_INFINITY;
    },
  };
}
