/** Copies selected rows of Arrow columns, for scans that read only a part of a cache entry. */

import { type Data, type DataType, makeData, Type } from 'apache-arrow';

/**
 * The rows of a column at these positions, in this order. Supports all types of table columns.
 * @throws TypeError for another type
 */
export function takeRows(data: Data, rows: Uint32Array): Data {
  const { type } = data;
  const length = rows.length;
  const { nullBitmap, nullCount } = validityOf(data, rows);
  const common = { type, length, nullCount, nullBitmap };
  switch (type.typeId) {
    case Type.Null:
      return makeData({ type, length } as never);
    case Type.Bool: {
      const bits = new Uint8Array(bitmapBytes(length));
      for (let i = 0; i < length; i += 1) {
        if (bitAt(data.values as Uint8Array, data.offset + (rows[i] ?? 0))) setBit(bits, i);
      }
      return makeData({ ...common, data: bits } as never);
    }
    case Type.Utf8:
    case Type.Binary: {
      const [offsets, picked] = takeBytes(data, rows);
      return makeData({ ...common, valueOffsets: offsets, data: picked } as never);
    }
    case Type.List:
    case Type.Map: {
      const offsets = new Int32Array(length + 1);
      const from = data.valueOffsets as Int32Array;
      const inner: number[] = [];
      for (let i = 0; i < length; i += 1) {
        const row = rows[i] ?? 0;
        for (let at = from[row] ?? 0; at < (from[row + 1] ?? 0); at += 1) inner.push(at);
        offsets[i + 1] = inner.length;
      }
      const child = takeRows(childOf(data, 0), Uint32Array.from(inner));
      return makeData({ ...common, valueOffsets: offsets, child } as never);
    }
    case Type.Struct:
      return makeData({ ...common, children: data.children.map((child) => takeRows(child, rows)) } as never);
    default:
      return makeData({ ...common, data: takeFixed(data, rows) } as never);
  }
}

type Numbers = { readonly length: number; [index: number]: number | bigint };

/** Fixed-width values: elements per row. */
function takeFixed(data: Data, rows: Uint32Array): Numbers {
  const values = data.values as unknown as Numbers & {
    readonly constructor: new (length: number) => Numbers;
  };
  const width = strideOf(data.type);
  const picked = new values.constructor(rows.length * width);
  for (let i = 0; i < rows.length; i += 1) {
    const at = (rows[i] ?? 0) * width;
    for (let k = 0; k < width; k += 1) picked[i * width + k] = values[at + k] ?? 0;
  }
  return picked;
}

/** How many elements one row of a type takes. */
export function strideOf(type: DataType): number {
  const of = type as unknown as { readonly byteWidth: number; readonly bitWidth: number }; // by the type
  switch (type.typeId) {
    case Type.FixedSizeBinary:
      return of.byteWidth;
    case Type.Decimal:
      return of.bitWidth / 32;
    case Type.Int:
    case Type.Float:
    case Type.Date:
    case Type.Time:
    case Type.Timestamp:
      return 1;
    default:
      throw new TypeError(`rows of the type ${String(type)} cannot be taken`);
  }
}

function takeBytes(data: Data, rows: Uint32Array): readonly [Int32Array, Uint8Array] {
  const from = data.valueOffsets as Int32Array;
  const offsets = new Int32Array(rows.length + 1);
  let size = 0;
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] ?? 0;
    size += (from[row + 1] ?? 0) - (from[row] ?? 0);
    offsets[i + 1] = size;
  }
  const picked = new Uint8Array(size);
  const values = data.values as Uint8Array;
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] ?? 0;
    picked.set(values.subarray(from[row] ?? 0, from[row + 1] ?? 0), offsets[i]);
  }
  return [offsets, picked];
}

function validityOf(data: Data, rows: Uint32Array): { nullBitmap: Uint8Array | null; nullCount: number } {
  if (data.nullCount === 0) return { nullBitmap: null, nullCount: 0 };
  const bitmap = new Uint8Array(bitmapBytes(rows.length));
  let nullCount = 0;
  for (let i = 0; i < rows.length; i += 1) {
    if (data.getValid(rows[i] ?? 0)) setBit(bitmap, i);
    else nullCount += 1;
  }
  return nullCount === 0 ? { nullBitmap: null, nullCount: 0 } : { nullBitmap: bitmap, nullCount };
}

function childOf(data: Data, at: number): Data {
  const child = data.children[at];
  if (child === undefined) throw new TypeError('a nested column has no values');
  return child;
}

function bitmapBytes(length: number): number {
  return Math.ceil(length / 64) * 8;
}

export function bitAt(bits: Uint8Array, at: number): boolean {
  return ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
}

function setBit(bits: Uint8Array, at: number): void {
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
}
