/** Arrays that grow while they are written: of numbers, and of validity bits as Arrow stores them. */

/** A typed array that grows while it is written; `take` returns what was written and starts again. */
export class GrowableArray<A extends Numbers> {
  readonly #make: (length: number) => A;
  #items: A;
  #length = 0;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#items = make(1024);
  }

  get length(): number {
    return this.#length;
  }

  /** Reserves `count` more items; write them at `items[at]`. */
  reserve(count: number): { readonly items: A; readonly at: number } {
    const at = this.#length;
    const needed = at + count;
    if (needed > this.#items.length) {
      const larger = this.#make(Math.max(needed, this.#items.length * 2));
      larger.set(this.#items.subarray(0, at) as never);
      this.#items = larger;
    }
    this.#length = needed;
    return { items: this.#items, at };
  }

  /** Returns reserved items that were not written. */
  shrink(length: number): void {
    this.#length = length;
  }

  take(): A {
    const result = this.#items.subarray(0, this.#length) as A;
    this.#items = this.#make(Math.max(1024, Math.min(this.#items.length, 1 << 20)));
    this.#length = 0;
    return result;
  }
}

export type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** Arrow's validity bitmap: one bit per value. */
export class ValidityBitmap {
  #bits = new Uint8Array(128);
  #length = 0;
  #nulls = 0;

  get length(): number {
    return this.#length;
  }

  push(isPresent: boolean): void {
    const at = this.#length >> 3;
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(this.#bits.length * 2);
      larger.set(this.#bits);
      this.#bits = larger;
    }
    if (isPresent) this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (this.#length & 7));
    else this.#nulls += 1;
    this.#length += 1;
  }

  /** Adds so many values that are all present. */
  pushPresent(count: number): void {
    const end = this.#length + count;
    if (end > this.#bits.length * 8) {
      const larger = new Uint8Array(Math.max((end + 7) >> 3, this.#bits.length * 2));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    // Whole bytes at once, the bits before and after one by one.
    const [firstByte, lastByte] = [(this.#length + 7) >> 3, end >> 3];
    if (firstByte < lastByte) {
      this.#mark(this.#length, firstByte * 8);
      this.#bits.fill(0xff, firstByte, lastByte);
      this.#mark(lastByte * 8, end);
    } else this.#mark(this.#length, end);
    this.#length = end;
  }

  #mark(from: number, before: number): void {
    for (let at = from; at < before; at += 1)
      this.#bits[at >> 3] = (this.#bits[at >> 3] ?? 0) | (1 << (at & 7));
  }

  /** `nullBitmap` is null when no value is NULL: Arrow does not need it then. */
  take(): { readonly nullBitmap: Uint8Array | null; readonly nullCount: number; readonly length: number } {
    const result = {
      nullBitmap: this.#nulls === 0 ? null : this.#bits.slice(0, (this.#length + 7) >> 3),
      nullCount: this.#nulls,
      length: this.#length,
    };
    this.#bits = new Uint8Array(this.#bits.length);
    this.#length = 0;
    this.#nulls = 0;
    return result;
  }
}
