/** Adjusts how many scans of the data plane may run at once, by how long scans take and wait. */

/** The range of the slots of a tier. */
interface AdaptiveRange {
  readonly min: number;
  readonly max: number;
  readonly targetP95Ms: number;
  /** Consecutive signals before the slots change. */
  readonly hysteresis: number;
}

const MIN_SAMPLES = 10;
const WINDOW = 100;
const AGE_MS = 60_000;
/** Below this fraction of the target, more scans may run. */
const LOW_LOAD = 0.8;
const LONG_WAIT_MS = 100;

/**
 * How many scans of a tier may run, adjusted by how long they hold their slots and how long others wait for one. It has
 * no clock: callers pass the times.
 */
export class AdaptiveSlots {
  readonly #range: AdaptiveRange;
  readonly #held = new Samples();
  readonly #waited = new Samples();
  #slots: number;
  #fewer = 0;
  #more = 0;

  constructor(slots: number, range: AdaptiveRange) {
    this.#slots = slots;
    this.#range = range;
  }

  /** A scan held its slot for some time. */
  held(milliseconds: number, nowMs: number): void {
    this.#held.add(milliseconds, nowMs);
  }

  /** A scan waited some time for its slot, even if it got none. */
  waited(milliseconds: number, nowMs: number): void {
    this.#waited.add(milliseconds, nowMs);
  }

  /** Decides at the end of an interval. @returns the slots from now on */
  adjust(nowMs: number): number {
    const recentSlots = this.#held.recent(nowMs);
    if (recentSlots.length < MIN_SAMPLES) return this.#slots;
    const { min, max, targetP95Ms, hysteresis } = this.#range;
    const p95 = p95Of(recentSlots);
    const isSlow = p95 > targetP95Ms;
    const hasRoom = p95 < LOW_LOAD * targetP95Ms && p95Of(this.#waited.recent(nowMs)) > LONG_WAIT_MS;
    this.#fewer = isSlow ? this.#fewer + 1 : 0;
    this.#more = hasRoom ? this.#more + 1 : 0;
    if (this.#fewer >= hysteresis) {
      this.#fewer = 0;
      // A number that is already below its range stays: a step down must never become a step up.
      this.#slots = Math.min(this.#slots, Math.max(min, this.#slots - 1));
    }
    if (this.#more >= hysteresis) {
      this.#more = 0;
      this.#slots = Math.max(this.#slots, Math.min(max, this.#slots + 1));
    }
    return this.#slots;
  }
}

/** The newest samples, at most as many as the window size. */
class Samples {
  #all: { readonly value: number; readonly atMs: number }[] = [];

  add(value: number, atMs: number): void {
    this.#all.push({ value, atMs });
    if (this.#all.length > WINDOW) this.#all.shift();
  }

  /** The samples that are not too old. */
  recent(nowMs: number): readonly number[] {
    this.#all = this.#all.filter(({ atMs }) => nowMs - atMs <= AGE_MS);
    return this.#all.map(({ value }) => value);
  }
}

/** 0 without samples. */
function p95Of(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
}
