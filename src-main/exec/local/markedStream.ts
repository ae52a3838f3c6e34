import { TailBuffer } from '../tailBuffer.ts';

/**
 * The output of one stream of a console's process, split at marks. Output and answers arrive on different pipes, and
 * only the mark in the output tells which bytes were printed before an answer. Of a long text only the end is stored.
 */
export class MarkedStream {
  readonly #limit: number;
  #text: TailBuffer;
  #pending = Buffer.alloc(0);
  #waiting: { readonly mark: Buffer; readonly onMark: () => void } | null = null;

  constructor(limit: number) {
    this.#limit = limit;
    this.#text = new TailBuffer(limit);
  }

  push(chunk: Buffer): void {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = Buffer.alloc(0);
    const mark = this.#waiting?.mark;
    const at = mark === undefined ? -1 : bytes.indexOf(mark);
    if (mark === undefined || at === -1) {
      // The piece may end with the beginning of the mark.
      const pendingBytes = mark === undefined ? 0 : Math.min(bytes.length, mark.length - 1);
      this.#text.push(bytes.subarray(0, bytes.length - pendingBytes));
      this.#pending = Buffer.from(bytes.subarray(bytes.length - pendingBytes));
      return;
    }
    this.#text.push(bytes.subarray(0, at));
    this.#pending = Buffer.from(bytes.subarray(at + mark.length));
    const { onMark } = this.#waiting ?? { onMark: () => {} };
    this.#waiting = null;
    onMark();
  }

  /** Ends the text at the mark; calls `onMark` once it has arrived. */
  until(mark: string, onMark: () => void): void {
    this.#waiting = { mark: Buffer.from(mark, 'latin1'), onMark };
    this.push(Buffer.alloc(0));
  }

  /** Returns and clears the text so far; what follows the mark begins the next text. */
  take(): string {
    const text = this.#text.text();
    this.#text = new TailBuffer(this.#limit);
    if (this.#waiting !== null) {
      this.#waiting = null;
      const rest = this.#pending.toString('utf8');
      this.#pending = Buffer.alloc(0);
      return text + rest;
    }
    return text;
  }
}
