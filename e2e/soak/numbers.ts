import { median } from '../bench/row.ts';

/** A frame's number as one socket got it. */
export interface Numbered {
  readonly seq: number;
  /** The number this socket saw last, where the frames between were for others. */
  readonly prev: number | null;
}

/**
 * The numbers of one session, as its sockets saw them: none goes back, a gap is explained by the frame after it, and
 * together the sockets miss none (live-protocol 1).
 */
export class SessionNumbers {
  readonly #seen = new Set<number>();
  readonly #faults: string[] = [];
  #first = Number.POSITIVE_INFINITY;
  #last = 0;

  /** Takes what one socket gets, in order. */
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
 * Growth of `value` per unit of `at`: the median of the slopes between all pairs (Theil and Sen). Memory comes in
 * pages and pools; one that was taken once is no growth, what comes again and again is.
 */
export function slope(samples: readonly { readonly at: number; readonly value: number }[]): number {
  const slopes = samples.flatMap((one, first) =>
    samples.slice(first + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  );
  return median(slopes);
}
