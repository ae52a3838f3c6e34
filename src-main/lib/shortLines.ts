/** Splits an untrusted stream into lines: a line that is too long is skipped without being stored. */

const END = 10;

export class ShortLines {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(END); at !== -1; at = rest.indexOf(END)) {
      this.#take(rest.subarray(0, at));
      const isShort = this.#length <= this.#maxBytes;
      const line = isShort ? Buffer.concat(this.#parts).toString('utf8') : null;
      this.#parts = [];
      this.#length = 0;
      if (line !== null) this.#onLine(line);
      rest = rest.subarray(at + 1);
    }
    this.#take(rest);
  }

  #take(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= this.#maxBytes) this.#parts.push(part);
    else this.#parts = [];
  }
}
