/**
 * Checks the frame numbers that the sockets of a session received, and estimates growth from samples, for the soak
 * test.
 */

import { median } from '../bench/row.ts';

/** The number of a frame that one socket received. */
export interface Numbered {
  readonly seq: number;
  /** The number of the previous frame of this socket, if the frames between were for other sockets. */
  readonly prev: number | null;
}

/**
 * Checks the frame numbers that the sockets of one session received: no number decreases, the frame after a gap
 * declares it, and together the sockets receive every number (docs/spec/live-protocol.md, 1).
 */
export class SessionNumbers {
  readonly #seen = new Set<number>();
  readonly #faults: string[] = [];
  #first = Number.POSITIVE_INFINITY;
  #last = 0;

  /** Returns a function that takes the frames of one socket, in order. */
  socket(): (frame: Numbered) => void {
    let before: number | null = null;
    return ({ seq, prev }) => {
      const follows = before === null || seq === before || seq === before + 1 || prev === before;
      if (!follows || (before !== null && seq < before))
        this.#faults.push(`${seq} (prev ${prev}) after ${before}`);
      before = seq;
      this.#seen.add(seq);
      this.#first = Math.min(this.#first, seq);
      this.#last = Math.max(this.#last, seq);
    };
  }

  get count(): number {
    return this.#seen.size;
  }

  /** The problems, as messages; empty if there are none. */
  faults(): readonly string[] {
    const missing: string[] = [];
    for (let seq = this.#first; seq <= this.#last; seq += 1)
      if (!this.#seen.has(seq)) missing.push(`${seq} was never received`);
    return [...this.#faults, ...missing];
  }
}

/**
 * The growth of `value` per unit of `at`: the median of the slopes between all pairs (Theil–Sen estimator). Memory is
 * allocated in pages and pools, and a single allocation must not count as growth.
 */
export function slope(samples: readonly { readonly at: number; readonly value: number }[]): number {
  const slopes = samples.flatMap((one, first) =>
    samples.slice(first + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  );
  return median(slopes);
}
