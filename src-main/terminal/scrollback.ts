/**
 * Stores the last part of a notebook terminal's output, for windows that are opened later. Starts after a line break,
 * so that no escape sequence is cut.
 */
export class Scrollback {
  readonly #limit: number;
  #pieces: string[] = [];
  #length = 0;

  /** @param limit approximate maximum number of characters */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    // Trimmed only occasionally, because joining strings is slow.
    if (this.#length > 2 * this.#limit) this.#trim();
  }

  text(): string {
    if (this.#length > this.#limit) this.#trim();
    const all = this.#pieces.join('');
    this.#pieces = [all];
    return all;
  }

  #trim(): void {
    const all = this.#pieces.join('');
    const from = all.length - this.#limit;
    const line = all.indexOf('\n', from);
    const tail = all.slice(line === -1 ? from : line + 1);
    this.#pieces = [tail];
    this.#length = tail.length;
  }
}
