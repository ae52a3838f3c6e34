/** Reuses the buffers in which pieces of cache entries are read, to avoid an allocation per piece. */

/** Bytes of a piece of a stored entry. */
export const PIECE_BYTES = 1024 * 1024;
/** Buffers that wait for use. */
const MAX_FREE = 16;

/**
 * Memory for pieces of entries. A new buffer for each piece would cost more than reading the piece: the system clears
 * its pages, and the collector runs for each few of them.
 */
export class PieceBuffers {
  readonly #free: ArrayBuffer[] = [];
  /** The buffers in use. A buffer that is not returned is garbage collected. */
  readonly #lent = new WeakSet<ArrayBufferLike>();

  /** @param length at most `PIECE_BYTES`. The initial bytes are arbitrary. */
  take(length: number): Buffer {
    // Many small pieces may wait for a slow reader.
    if (length < PIECE_BYTES / 4) return Buffer.allocUnsafeSlow(length);
    const memory = this.#free.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES).buffer;
    this.#lent.add(memory);
    return Buffer.from(memory, 0, length);
  }

  /** Call it when the piece is no longer read. Pieces from elsewhere are ignored. */
  giveBack({ buffer }: Uint8Array): void {
    if (!this.#lent.delete(buffer) || this.#free.length >= MAX_FREE) return;
    this.#free.push(buffer as ArrayBuffer); // created by `take`
  }
}

export const pieceBuffers = new PieceBuffers();
