/** Lays out the texts of a column as one block of bytes with offsets, for fast searching and sorting. */

import { cellText } from './cellValue.ts';
import { bytesOf, type Chunk, isValid, offsetAt, valueBytes } from './chunk.ts';
import { type Column, derive } from './column.ts';

/**
 * The UTF-8 (or raw) bytes of every row, concatenated: row `r` is `bytes[offsets[r] … offsets[r + 1])`. A null row is
 * empty.
 */
export interface FlatText {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array | Float64Array;
}

/**
 * The bytes of a text or bytes column, or the displayed text of any other. Not copied if the memory already has this
 * layout.
 */
export function flatText(column: Column): FlatText {
  return derive(
    column,
    'flat',
    () => (column.chunks.every(hasOffsets) ? joinFlat(column) : copyFlat(column)),
    (flat) => {
      const own = column.chunks.length === 1 && column.chunks.every(hasOffsets) ? 0 : flat.bytes.byteLength;
      const isShared = column.chunks.some((chunk) => chunk.offsets.buffer === flat.offsets.buffer);
      return own + (isShared ? 0 : flat.offsets.byteLength);
    },
  );
}

/** Whether the chunk's nulls have no bytes; others may have bytes, which must not be shown. */
function hasOffsets(chunk: Chunk): boolean {
  const { type, offsets } = chunk;
  const flat = (type.kind === 'text' || type.kind === 'bytes') && type.layout !== 'view';
  return flat && offsets.length > chunk.length && nullsAreEmpty(chunk);
}

function nullsAreEmpty(chunk: Chunk): boolean {
  const { offsets } = chunk;
  if (chunk.valid === null) return true;
  for (let index = 0; index < chunk.length; index += 1) {
    if (!isValid(chunk, index) && offsets[index] !== offsets[index + 1]) return false;
  }
  return true;
}

/** A single chunk is used in place; several are concatenated, whole chunks at a time. */
function joinFlat(column: Column): FlatText {
  const [only] = column.chunks;
  if (only !== undefined && column.chunks.length === 1) {
    // The buffer may be padded: exclude rows beyond the length.
    const offsets = only.offsets.subarray(0, only.length + 1);
    return { bytes: bytesOf(only), offsets: offsets instanceof Int32Array ? offsets : narrow(offsets) };
  }
  const sizes = column.chunks.map((chunk) => offsetAt(chunk, chunk.length) - offsetAt(chunk, 0));
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  const offsets =
    bytes.length < 2 ** 31 ? new Int32Array(column.rows + 1) : new Float64Array(column.rows + 1);
  let used = 0;
  column.chunks.forEach((chunk, at) => {
    const size = sizes[at] ?? 0;
    const from = offsetAt(chunk, 0);
    bytes.set(bytesOf(chunk).subarray(from, from + size), used);
    const source = chunk.offsets instanceof Int32Array ? chunk.offsets : narrow(chunk.offsets);
    const start = column.starts[at] ?? 0;
    for (let index = 0; index <= chunk.length; index += 1) {
      offsets[start + index] = (source[index] ?? 0) - from + used;
    }
    used += size;
  });
  return { bytes, offsets };
}

/**
 * Converts 64-bit offsets to numbers. They are read as 32-bit halves, since a BigInt for each would be slow. Offsets
 * never decrease, so the last one gives the range.
 */
function narrow(offsets: BigInt64Array): Int32Array | Float64Array {
  const words = new Uint32Array(offsets.buffer, offsets.byteOffset, offsets.length * 2);
  if ((offsets[offsets.length - 1] ?? 0n) < 0x80000000n) {
    const low = new Int32Array(offsets.length);
    for (let at = 0; at < low.length; at += 1) low[at] = words[at * 2] as number; // two words each
    return low;
  }
  const numbers = new Float64Array(offsets.length);
  for (let at = 0; at < numbers.length; at += 1) {
    numbers[at] = (words[at * 2] as number) + (words[at * 2 + 1] as number) * 0x100000000;
  }
  return numbers;
}

function copyFlat(column: Column): FlatText {
  const writer = new FlatWriter(column.rows);
  const { kind } = column.type;
  const raw = kind === 'text' || kind === 'bytes' || kind === 'fixed_bytes';
  for (const chunk of column.chunks) {
    for (let index = 0; index < chunk.length; index += 1) {
      if (!raw) writer.text(cellText(chunk, index) ?? '');
      else if (isValid(chunk, index)) writer.bytes(valueBytes(chunk, index));
      else writer.text('');
    }
  }
  return writer.done();
}

/** Appends to one growing buffer; the offsets are doubles, because they may exceed 2^31. */
export class FlatWriter {
  #bytes: Buffer;
  #used = 0;
  #row = 0;
  readonly #offsets: Float64Array;

  constructor(rows: number) {
    this.#offsets = new Float64Array(rows + 1);
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(64, rows * 12));
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.byteLength);
    this.#bytes.set(bytes, this.#used);
    this.#end(bytes.byteLength);
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#end(text === '' ? 0 : this.#bytes.write(text, this.#used, 'utf8'));
  }

  /** Appends a short ASCII text, for which a call into the runtime costs more than this loop. */
  ascii(text: string): void {
    const { length } = text;
    this.#reserve(length);
    for (let at = 0; at < length; at += 1) this.#bytes[this.#used + at] = text.charCodeAt(at);
    this.#end(length);
  }

  done(): FlatText {
    return { bytes: this.#bytes.subarray(0, this.#used), offsets: this.#offsets };
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#bytes.length) return;
    const largerBuffer = Buffer.allocUnsafeSlow(Math.max(this.#used + more, this.#bytes.length * 2));
    largerBuffer.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = largerBuffer;
  }

  #end(size: number): void {
    this.#used += size;
    this.#row += 1;
    this.#offsets[this.#row] = this.#used;
  }
}
