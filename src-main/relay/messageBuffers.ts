/** Bytes of a message from which on its buffer is worth keeping. */
const LARGE_BYTES = 16 * 1024;

/**
 * Buffers of messages that are sent, to be written again: of new ones for each, a fast stream would keep the
 * collector busy. Buffers of `size` bytes; smaller and larger messages have their own.
 */
export class MessageBuffers {
  readonly #size: number;
  #spare: ArrayBuffer[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** A buffer of `length` bytes, whatever is in it. */
  take(length: number): Buffer {
    if (length < LARGE_BYTES || length > this.#size) return Buffer.allocUnsafe(length);
    return Buffer.from(this.#spare.pop() ?? new ArrayBuffer(this.#size), 0, length);
  }

  /** Nobody reads this message any more. */
  give(message: Buffer): void {
    const { buffer, byteOffset, length } = message;
    if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== this.#size) return;
    if (byteOffset === 0 && length >= LARGE_BYTES) this.#spare.push(buffer);
  }

  /** Keeps none. */
  clear(): void {
    this.#spare = [];
  }
}
