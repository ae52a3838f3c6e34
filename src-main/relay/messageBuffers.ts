/** Minimum size of a message whose buffer is reused. */
const LARGE_BYTES = 16 * 1024;

/**
 * Reuses the buffers of sent messages: with new ones for each message, a fast stream would keep the garbage
 * collector busy. Buffers of `size` bytes; smaller and larger messages are allocated.
 */
export class MessageBuffers {
  readonly #size: number;
  #spare: ArrayBuffer[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** A buffer of `length` bytes with undefined content. */
  take(length: number): Buffer {
    if (length < LARGE_BYTES || length > this.#size) return Buffer.allocUnsafe(length);
    return Buffer.from(this.#spare.pop() ?? new ArrayBuffer(this.#size), 0, length);
  }

  /** Returns the buffer of a message that is no longer read. */
  give(message: Buffer): void {
    const { buffer, byteOffset, length } = message;
    if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== this.#size) return;
    if (byteOffset === 0 && length >= LARGE_BYTES) this.#spare.push(buffer);
  }

  /** Drops all buffers. */
  clear(): void {
    this.#spare = [];
  }
}
