/** Decodes roaring bitmaps, the format of Iceberg's deletion vectors. */

/** The error for bytes that are not a roaring bitmap. The caller names the file. */
export class RoaringProblem extends Error {
  override readonly name = 'RoaringProblem';
}

const COOKIE_WITHOUT_RUNS = 12_346;
const COOKIE_WITH_RUNS = 12_347;
/** A bitmap with runs and fewer containers than this has no offset table. */
const OFFSETS_FROM = 4;
const CONTAINER_BITS = 16;
const MAX_ARRAY_VALUES = 4096;
const BITMAP_BYTES = 8192;

/**
 * Reads the portable format of 64-bit roaring bitmaps: 32-bit bitmaps, each with the upper half of its
 * values.
 */
export function* roaring64(bytes: Uint8Array): Generator<bigint> {
  const reader = new Reader(bytes);
  const bitmaps = reader.long();
  for (let i = 0n; i < bitmaps; i += 1n) {
    const upper = BigInt(reader.int()) << 32n;
    for (const lower of roaring32(reader)) yield upper | BigInt(lower);
  }
}

function* roaring32(reader: Reader): Generator<number> {
  const cookie = reader.int();
  const hasRuns = (cookie & 0xffff) === COOKIE_WITH_RUNS;
  if (!hasRuns && cookie !== COOKIE_WITHOUT_RUNS) throw new RoaringProblem('a bitmap has another form');
  const count = hasRuns ? (cookie >>> 16) + 1 : reader.int();
  if (count > 1 << CONTAINER_BITS) throw new RoaringProblem('a bitmap has too many containers');
  const runs = hasRuns ? reader.bytes((count + 7) >> 3) : null;
  const heads = Array.from({ length: count }, () => ({ key: reader.short(), size: reader.short() + 1 }));
  if (!hasRuns || count >= OFFSETS_FROM) reader.bytes(count * 4);
  for (const [i, { key, size }] of heads.entries()) {
    const upper = key * 2 ** CONTAINER_BITS;
    const isRun = runs !== null && (((runs[i >> 3] ?? 0) >> (i & 7)) & 1) === 1;
    const values = isRun
      ? runValues(reader)
      : size <= MAX_ARRAY_VALUES
        ? arrayValues(reader, size)
        : bitValues(reader);
    for (const value of values) yield upper + value;
  }
}

function* runValues(reader: Reader): Generator<number> {
  const runs = reader.short();
  for (let i = 0; i < runs; i += 1) {
    const first = reader.short();
    const more = reader.short();
    for (let value = first; value <= first + more; value += 1) yield value;
  }
}

function* arrayValues(reader: Reader, size: number): Generator<number> {
  for (let i = 0; i < size; i += 1) yield reader.short();
}

function* bitValues(reader: Reader): Generator<number> {
  const bits = reader.bytes(BITMAP_BYTES);
  for (let i = 0; i < BITMAP_BYTES * 8; i += 1) if ((((bits[i >> 3] ?? 0) >> (i & 7)) & 1) === 1) yield i;
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #take(count: number): number {
    if (this.#at + count > this.#bytes.byteLength) throw new RoaringProblem('it ends too early');
    const at = this.#at;
    this.#at += count;
    return at;
  }

  short(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  int(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  long(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  bytes(count: number): Uint8Array {
    const at = this.#take(count);
    return this.#bytes.subarray(at, at + count);
  }
}
