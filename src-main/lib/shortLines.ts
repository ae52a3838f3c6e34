/** Splits an untrusted stream into lines: a line longer than `mostBytes` is skipped without being stored. */

const END = 10;

export class ShortLines {
  readonly #mostBytes: number;
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(mostBytes: number, onLine: (line: string) => void) {
    this.#mostBytes = mostBytes;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(END); at !== -1; at = rest.indexOf(END)) {
      this.#take(rest.subarray(0, at));
      const isShort = this.#length <= this.#mostBytes;
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
    if (this.#length <= this.#mostBytes) this.#parts.push(part);
    else this.#parts = [];
  }
}
