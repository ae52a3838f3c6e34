/** Puts the console chunks that a worker posts for a build in order, before they are shown. */

/** Maximum number of chunks of one stream that wait for an earlier one. */
const MAX_WAITING = 64;

/**
 * Puts the chunks of a console stream in order (docs/spec/worker-protocol.md, 5.3; docs/spec/signed-builds.md, 4). A
 * known number is a repeat. After a missing chunk nothing more is shown: the complete console comes with the output.
 */
export class ChunkOrder {
  #next = 0;
  readonly #early = new Map<number, Buffer>();

  /** @returns what may be shown now */
  take(seq: number, chunk: Buffer): readonly Buffer[] {
    if (seq < this.#next || this.#early.has(seq)) return [];
    if (seq > this.#next) {
      if (this.#early.size < MAX_WAITING) this.#early.set(seq, chunk);
      return [];
    }
    const ready: Buffer[] = [];
    for (let due: Buffer | undefined = chunk; due !== undefined; due = this.#early.get(this.#next)) {
      this.#early.delete(this.#next);
      ready.push(due);
      this.#next += 1;
    }
    return ready;
  }
}
