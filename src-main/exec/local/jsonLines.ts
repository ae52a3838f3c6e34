/**
 * Splits the output of a harness process into lines and parses each as JSON. A line longer than `limit` ends the
 * reading and calls `onBroken`.
 */
export class JsonLines {
  readonly #limit: number;
  readonly #onLine: (value: unknown) => void;
  readonly #onBroken: () => void;
  #parts: Buffer[] = [];
  #length = 0;
  #broken = false;

  constructor(options: {
    readonly limit: number;
    readonly onLine: (value: unknown) => void;
    /** A line was too long or not JSON, so what follows cannot be trusted. */
    readonly onBroken: () => void;
  }) {
    this.#limit = options.limit;
    this.#onLine = options.onLine;
    this.#onBroken = options.onBroken;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(10); at !== -1 && !this.#broken; at = rest.indexOf(10)) {
      this.#parts.push(rest.subarray(0, at));
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#length = 0;
      rest = rest.subarray(at + 1);
      this.#read(line);
    }
    if (this.#broken) return;
    this.#parts.push(Buffer.from(rest));
    this.#length += rest.length;
    if (this.#length > this.#limit) this.#break();
  }

  #read(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#break();
      return;
    }
    this.#onLine(value);
  }

  #break(): void {
    this.#broken = true;
    this.#parts = [];
    this.#onBroken();
  }
}
