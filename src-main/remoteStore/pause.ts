/** How long a store that failed is left alone: longer each time, up to the second. */
const FIRST_MS = 30_000;
const LONGEST_MS = 5 * 60_000;

/** Whether a store is worth asking. */
interface Pause {
  /** Whether it is left alone for now. */
  isOn(): boolean;
  /** It failed. @returns for how many seconds it is left alone */
  begin(): number;
  /** It answered. */
  end(): void;
}

/** @param now milliseconds of a clock that only moves forward */
export function createPause(now: () => number = () => performance.now()): Pause {
  let until = Number.NEGATIVE_INFINITY;
  let nextMs = FIRST_MS;
  return {
    isOn: () => now() < until,
    begin() {
      // Requests that were under way together fail together: they count once.
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
