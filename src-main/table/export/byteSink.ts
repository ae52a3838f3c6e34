/**
 * A buffer in which exports of tables are written sequentially, and which is taken in pieces. After `reserve`, writers
 * write to `bytes`, or to `view` of the same memory, and advance `used` themselves.
 */
export class ByteSink {
  bytes: Uint8Array;
  view: DataView;
  used = 0;

  /** Allocates this many bytes, or uses the given memory, which is replaced by a larger buffer if it is too small. */
  constructor(memory: number | SharedArrayBuffer) {
    this.bytes = typeof memory === 'number' ? new Uint8Array(memory) : new Uint8Array(memory);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for this many more bytes. */
  reserve(more: number): void {
    if (this.used + more <= this.bytes.length) return;
    const largerBuffer = new Uint8Array(Math.max(this.used + more, this.bytes.length * 2));
    largerBuffer.set(this.bytes.subarray(0, this.used));
    this.bytes = largerBuffer;
    this.view = new DataView(largerBuffer.buffer);
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.used++] = value;
  }

  /** Returns the written bytes in memory that the caller owns; the next piece starts empty. */
  take(nextSize: number): Uint8Array {
    const piece = this.bytes.subarray(0, this.used);
    this.bytes = new Uint8Array(nextSize);
    this.view = new DataView(this.bytes.buffer);
    this.used = 0;
    return piece;
  }
}
