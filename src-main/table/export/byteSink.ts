/**
 * Bytes written one after another, taken away in pieces. Writers use `bytes`, or `view` of the same memory, and `used`
 * themselves after `reserve`.
 */
export class ByteSink {
  bytes: Uint8Array;
  view: DataView;
  used = 0;

  /** Of so many bytes of its own, or in the memory given, which is left for larger where it does not do. */
  constructor(memory: number | SharedArrayBuffer) {
    this.bytes = typeof memory === 'number' ? new Uint8Array(memory) : new Uint8Array(memory);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for so many more bytes. */
  reserve(more: number): void {
    if (this.used + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.used + more, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.used));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.used++] = value;
  }

  /** What was written, in memory of its own that may be given away; the next piece starts at nothing. */
  take(nextSize: number): Uint8Array {
    const piece = this.bytes.subarray(0, this.used);
    this.bytes = new Uint8Array(nextSize);
    this.view = new DataView(this.bytes.buffer);
    this.used = 0;
    return piece;
  }
}
