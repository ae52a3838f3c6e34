/**
 * Passes on the output of a process up to a mark and drops what comes after it: the mark ends the output of a run whose
 * process stays.
 */
export class OutputUntilMark {
  readonly seen: Promise<void>;
  readonly #mark: Buffer;
  readonly #before: (bytes: Buffer) => void;
  #pending: Buffer = Buffer.alloc(0);
  #isPast = false;
  #onSeen: () => void = () => {};

  constructor(mark: string, before: (bytes: Buffer) => void) {
    this.#mark = Buffer.from(mark, 'latin1');
    this.#before = before;
    this.seen = new Promise((resolve) => {
      this.#onSeen = resolve;
    });
  }

  push(chunk: Buffer): void {
    if (this.#isPast) return;
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const at = bytes.indexOf(this.#mark);
    if (at >= 0) {
      this.#isPast = true;
      this.#pending = Buffer.alloc(0);
      this.#emit(bytes.subarray(0, at));
      this.#onSeen();
      return;
    }
    const heldBytes = this.#heldBack(bytes);
    this.#emit(bytes.subarray(0, bytes.length - heldBytes));
    // A view would keep the whole chunk in memory, and its memory may be used again.
    this.#pending = Buffer.from(bytes.subarray(bytes.length - heldBytes));
  }

  /** Passes on what looked like the beginning of a mark. */
  flush(): void {
    this.#emit(this.#pending);
    this.#pending = Buffer.alloc(0);
  }

  #emit(bytes: Buffer): void {
    if (bytes.length > 0) this.#before(bytes);
  }

  /** How many of the last bytes may be the beginning of the mark. */
  #heldBack(bytes: Buffer): number {
    const most = Math.min(this.#mark.length - 1, bytes.length);
    for (let length = most; length > 0; length -= 1) {
      if (bytes.subarray(bytes.length - length).equals(this.#mark.subarray(0, length))) return length;
    }
    return 0;
  }
}
