/** The values of one column in one record batch of a table, in their Arrow memory layout. */

import type { Data } from 'apache-arrow';
import { type ArrowType, arrowTypeOf } from './arrowType.ts';

/**
 * One column's values in one record batch, in their memory layout. Only the fields that `kind` needs are set:
 * `values` = the fixed-width values, bits, views or bytes; `offsets` = the starts of variable-width ones.
 */
export interface Chunk {
  readonly type: ArrowType;
  readonly length: number;
  /** One bit per row, low bit first, set = not null; null = no row is null. */
  readonly valid: Uint8Array | null;
  readonly values: ArrayBufferView;
  readonly offsets: Int32Array | BigInt64Array;
  readonly codes: Int8Array;
  readonly views: readonly Uint8Array[];
  readonly children: readonly Chunk[];
  /** The chunks of the dictionary, in order. */
  readonly dictionary: readonly Chunk[];
  /** An object that chunks with the same dictionary share. */
  readonly dictionaryId: object | null;
}

/** The parts of the library's Data that its own types hide behind `any`. */
interface LibraryData {
  readonly type: Data['type'];
  readonly length: number;
  readonly nullCount: number;
  readonly nullBitmap: Uint8Array | null | undefined;
  readonly values: ArrayBufferView | undefined;
  readonly valueOffsets: Int32Array | BigInt64Array | undefined;
  readonly typeIds: Int8Array | undefined;
  readonly variadicBuffers: readonly Uint8Array[] | undefined;
  readonly children: readonly LibraryData[];
  readonly dictionary?: { readonly data: readonly LibraryData[] } | undefined;
}

const NO_BYTES = new Uint8Array(0);
const NO_OFFSETS = new Int32Array(0);
const NO_CODES = new Int8Array(0);

/** Reads the library's record of a column without copying. IPC data never starts at an offset. */
export function chunkOf(data: Data): Chunk {
  // The class declares every buffer as `any`; this is the shape that its loader fills in.
  return convert(data as unknown as LibraryData);
}

function convert(data: LibraryData): Chunk {
  const type = arrowTypeOf(data.type);
  const bitmap = data.nullBitmap;
  // A union has no bitmap of its own; its children have.
  const nullable = type.kind !== 'union' && data.nullCount > 0 && bitmap != null && bitmap.length > 0;
  return {
    type,
    length: data.length,
    valid: nullable ? bitmap : null,
    values: data.values ?? NO_BYTES,
    offsets: data.valueOffsets ?? NO_OFFSETS,
    codes: data.typeIds ?? NO_CODES,
    views: data.variadicBuffers ?? [],
    children: data.children.map(convert),
    dictionary: (data.dictionary?.data ?? []).map(convert),
    dictionaryId: data.dictionary ?? null,
  };
}

export function isValid(chunk: Chunk, index: number): boolean {
  const { valid } = chunk;
  return valid === null || (((valid[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
}

/** The words of the last chunk: values are mostly read in order. */
let last: { readonly values: ArrayBufferView; readonly words: Uint32Array } | null = null;

/** The values as 32-bit words, low word first if a value has several. */
export function wordsOf(chunk: Chunk): Uint32Array {
  const { values } = chunk;
  if (last?.values === values) return last.words;
  const words = new Uint32Array(values.buffer, values.byteOffset, values.byteLength >> 2);
  last = { values, words };
  return words;
}

export function bytesOf(chunk: Chunk): Uint8Array {
  const { buffer, byteOffset, byteLength } = chunk.values;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A value of several 32-bit words as one two's complement number. */
export function bigAt(words: Uint32Array, stride: number, index: number): bigint {
  let value = 0n;
  for (let word = stride - 1; word >= 0; word -= 1) {
    value = (value << 32n) | BigInt(words[index * stride + word] ?? 0);
  }
  return BigInt.asIntN(stride * 32, value);
}

/** The start of item `index` in a variable-width column. */
export function offsetAt(chunk: Chunk, index: number): number {
  return Number(chunk.offsets[index] ?? 0);
}

/** The bytes of one value of a text or bytes column, in any layout. */
export function valueBytes(chunk: Chunk, index: number): Uint8Array {
  const bytes = bytesOf(chunk);
  const { type } = chunk;
  if (type.kind === 'fixed_bytes') return bytes.subarray(index * type.width, (index + 1) * type.width);
  if ((type.kind === 'text' || type.kind === 'bytes') && type.layout === 'view') {
    const at = index * 16;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, 16);
    const size = view.getInt32(0, true);
    if (size <= 12) return bytes.subarray(at + 4, at + 4 + size);
    const start = view.getInt32(12, true);
    return (chunk.views[view.getInt32(8, true)] ?? NO_BYTES).subarray(start, start + size);
  }
  return bytes.subarray(offsetAt(chunk, index), offsetAt(chunk, index + 1));
}
