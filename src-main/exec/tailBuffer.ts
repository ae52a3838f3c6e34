/**
 * Keeps the last `limit` bytes of a cell's output stream, and counts how many came before them. Memory stays below
 * twice the limit.
 */
export class TailBuffer {
  readonly #limit: number;
  #bytes = Buffer.alloc(0);
  #length = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes pushed so far. */
  get total(): number {
    return this.#total;
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    const tail = chunk.length > this.#limit ? chunk.subarray(chunk.length - this.#limit) : chunk;
    this.#makeRoom(tail.length);
    tail.copy(this.#bytes, this.#length);
    this.#length += tail.length;
  }

  /** A view of the stored bytes, at most `limit`; valid until the next push. */
  held(): Buffer {
    return this.#bytes.subarray(Math.max(0, this.#length - this.#limit), this.#length);
  }

  /** The tail as text, starting at a whole character, after a line that says how much is missing. */
  text(): string {
    const bytes = this.held();
    const droppedBytes = this.#total - bytes.length;
    if (droppedBytes === 0) return bytes.toString('utf8');
    let start = 0;
    while (start < 4 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return `${omittedText(droppedBytes + start)}${bytes.toString('utf8', start)}`;
  }

  #makeRoom(needed: number): void {
    if (this.#length + needed <= this.#bytes.length) return;
    const tail = this.#bytes.subarray(Math.max(0, this.#length + needed - this.#limit), this.#length);
    const capacity = Math.min(2 * this.#limit, Math.max(4_096, 2 * (tail.length + needed)));
    if (this.#bytes.length >= 2 * this.#limit) {
      tail.copy(this.#bytes, 0);
    } else {
      const larger = Buffer.allocUnsafe(capacity);
      tail.copy(larger, 0);
      this.#bytes = larger;
    }
    this.#length = tail.length;
  }
}

/** The line that replaces omitted text. */
export function omittedText(bytes: number): string {
  return `[… ${bytes.toLocaleString('en-US')} bytes of earlier output left out …]\n`;
}
