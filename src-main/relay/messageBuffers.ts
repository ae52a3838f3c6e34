/** Reuses the buffers of messages that the relay and its workers have sent. */

/** Minimum size of a message whose buffer is reused. */
const LARGE_BYTES = 16 * 1024;

/**
 * Buffers of `size` bytes for messages; smaller and larger messages are allocated. With new buffers for each message, a
 * fast stream would keep the garbage collector busy.
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
