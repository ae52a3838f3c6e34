/** Chunks of one stream that came before their turn; more are not waited for. */
const MOST_EARLY = 64;

/**
 * The chunks of a console stream in their order, whatever order they come in (worker-protocol 5.3, signed-builds 4). A number that came
 * already is a repeat. Where one is missing nothing more is shown: the whole console comes with the output.
 */
export class ChunkOrder {
  #next = 0;
  readonly #early = new Map<number, Buffer>();

  /** @returns what may be shown now */
  take(seq: number, chunk: Buffer): readonly Buffer[] {
    if (seq < this.#next || this.#early.has(seq)) return [];
    if (seq > this.#next) {
      if (this.#early.size < MOST_EARLY) this.#early.set(seq, chunk);
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
