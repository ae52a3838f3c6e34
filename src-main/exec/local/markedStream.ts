import { TailBuffer } from '../tailBuffer.ts';

/**
 * What one stream printed, cut where a mark stands in it: the pipe and the answer are two ways, and only the mark says
 * which bytes came before the answer. Only the end of long texts is kept.
 */
export class MarkedStream {
  readonly #limit: number;
  #text: TailBuffer;
  #held = Buffer.alloc(0);
  #waiting: { readonly mark: Buffer; readonly found: () => void } | null = null;

  constructor(limit: number) {
    this.#limit = limit;
    this.#text = new TailBuffer(limit);
  }

  push(chunk: Buffer): void {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = Buffer.alloc(0);
    const mark = this.#waiting?.mark;
    const at = mark === undefined ? -1 : bytes.indexOf(mark);
    if (mark === undefined || at === -1) {
      // The beginning of the mark may be what this piece ends with.
      const kept = mark === undefined ? 0 : Math.min(bytes.length, mark.length - 1);
      this.#text.push(bytes.subarray(0, bytes.length - kept));
      this.#held = Buffer.from(bytes.subarray(bytes.length - kept));
      return;
    }
    this.#text.push(bytes.subarray(0, at));
    this.#held = Buffer.from(bytes.subarray(at + mark.length));
    const { found } = this.#waiting ?? { found: () => {} };
    this.#waiting = null;
    found();
  }

  /** From now on the text ends where this stands; `found` is called once it is there. */
  until(mark: string, found: () => void): void {
    this.#waiting = { mark: Buffer.from(mark, 'latin1'), found };
    this.push(Buffer.alloc(0));
  }

  /** Takes the text so far; what came behind the mark is the beginning of the next one. */
  take(): string {
    const text = this.#text.text();
    this.#text = new TailBuffer(this.#limit);
    if (this.#waiting !== null) {
      this.#waiting = null;
      const rest = this.#held.toString('utf8');
      this.#held = Buffer.alloc(0);
      return text + rest;
    }
    return text;
  }
}
