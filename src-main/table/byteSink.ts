/** Bytes written one after another, taken away in pieces. Writers use `bytes` and `used` themselves after `reserve`. */
export class ByteSink {
  bytes: Uint8Array<ArrayBuffer>;
  used = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  /** Makes room for so many more bytes. */
  reserve(more: number): void {
    if (this.used + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.used + more, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.used));
    this.bytes = grown;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.used++] = value;
  }

  /** What was written, in memory of its own that may be given away; the next piece starts at nothing. */
  take(nextSize: number): Uint8Array<ArrayBuffer> {
    const piece = this.bytes.subarray(0, this.used);
    this.bytes = new Uint8Array(nextSize);
    this.used = 0;
    return piece;
  }
}
