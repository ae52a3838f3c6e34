/** One column of a table in memory, with cached values that queries derive from it. */

import { type ArrowType, dtypeName } from './arrowType.ts';
import { type CellValue, cellValue, dictionaryCode } from './cellValue.ts';
import { type Chunk, isValid } from './chunk.ts';

/** One column of a table: its chunks in order, and a cache of values derived from them. */
export interface Column {
  /** The displayed name; the pandas index may be renamed. */
  readonly name: string;
  /** The stored name. */
  readonly fieldName: string;
  readonly dtype: string;
  readonly type: ArrowType;
  readonly chunks: readonly Chunk[];
  /** First row of each chunk. */
  readonly starts: readonly number[];
  readonly rows: number;
  readonly derived: Derived;
}

/** Values that queries compute once per column and cache with the table; `bytes` counts towards the cache's size. */
interface Derived {
  readonly kept: Map<string, unknown>;
  bytes: number;
}

export function makeColumn(
  names: { readonly name: string; readonly fieldName: string },
  chunks: {
    readonly type: ArrowType;
    readonly chunks: readonly Chunk[];
  },
): Column {
  const starts: number[] = [];
  let rows = 0;
  for (const chunk of chunks.chunks) {
    starts.push(rows);
    rows += chunk.length;
  }
  const { type } = chunks;
  return {
    ...names,
    dtype: dtypeName(type),
    type,
    chunks: chunks.chunks,
    starts,
    rows,
    derived: { kept: new Map(), bytes: 0 },
  };
}

/** Computes `name` at most once per column. `sizeOf` returns the bytes it needs beyond the file's. */
export function derive<T>(column: Column, name: string, compute: () => T, sizeOf: (value: T) => number): T {
  const { derived } = column;
  // Each name is only used with one type.
  if (derived.kept.has(name)) return derived.kept.get(name) as T;
  const value = compute();
  derived.kept.set(name, value);
  derived.bytes += sizeOf(value);
  return value;
}

/** Calls back with the chunk and the index in it. @throws RangeError if the row does not exist */
export function atRow<T>(column: Column, row: number, read: (chunk: Chunk, index: number) => T): T {
  const { starts, chunks } = column;
  const at = chunkOf(starts, row);
  const chunk = chunks[at];
  const index = row - (starts[at] ?? 0);
  if (chunk === undefined || index >= chunk.length) throw new RangeError(`no row ${row} in ${column.name}`);
  return read(chunk, index);
}

/** The index of the last chunk that starts at or before a row, which skips empty chunks. */
export function chunkOf(starts: readonly number[], row: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function valueAt(column: Column, row: number): CellValue {
  return atRow(column, row, cellValue);
}

/** A dictionary column as codes into one column of values; several dictionaries are concatenated. */
export interface CodedColumn {
  /** The code of each row; -1 for null. */
  readonly codes: Int32Array;
  readonly values: Column;
}

/** A dictionary column in its coded form, made once; null for other columns. */
export function codedColumnOf(column: Column): CodedColumn | null {
  const { type } = column;
  if (type.kind !== 'dictionary') return null;
  return derive(
    column,
    'coded',
    () => {
      const codes = new Int32Array(column.rows);
      const bases = new Map<object | null, number>();
      const parts: Chunk[] = [];
      let offset = 0;
      let row = 0;
      for (const chunk of column.chunks) {
        let base = bases.get(chunk.dictionaryId);
        if (base === undefined) {
          base = offset;
          bases.set(chunk.dictionaryId, base);
          for (const part of chunk.dictionary) offset += part.length;
          parts.push(...chunk.dictionary);
        }
        for (let index = 0; index < chunk.length; index += 1, row += 1) {
          codes[row] = isValid(chunk, index) ? base + dictionaryCode(chunk, index) : -1;
        }
      }
      const values = makeColumn(
        { name: column.name, fieldName: column.fieldName },
        { type: type.value, chunks: parts },
      );
      dropNullEntries(codes, values);
      return { codes, values };
    },
    ({ codes }) => codes.byteLength,
  );
}

/** A dictionary can contain null: a row with that entry is null. */
function dropNullEntries(codes: Int32Array, values: Column): void {
  if (values.chunks.every((chunk) => chunk.valid === null && chunk.type.kind !== 'null')) return;
  const isNull = new Uint8Array(values.rows);
  for (let entry = 0; entry < values.rows; entry += 1)
    isNull[entry] = valueAt(values, entry) === null ? 1 : 0;
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] ?? -1;
    if (code >= 0 && isNull[code] === 1) codes[row] = -1;
  }
}

export const VALUE = 0;
export const NAN = 1;
export const NULL = 2;

/** The state of each row, VALUE, NAN or NULL; null if every row has a value and none is NaN. */
export function statesOf(column: Column): Uint8Array | null {
  return derive(
    column,
    'states',
    () => computeStates(column),
    (states) => states?.byteLength ?? 0,
  );
}

function computeStates(column: Column): Uint8Array | null {
  const coded = codedColumnOf(column);
  if (coded !== null) return codedStates(coded);
  const { kind } = column.type;
  const nullable = kind === 'null' || kind === 'union' || column.chunks.some((chunk) => chunk.valid !== null);
  const states = new Uint8Array(column.rows);
  let plain = true;
  column.chunks.forEach((chunk, at) => {
    const start = column.starts[at] ?? 0;
    if (kind === 'float') plain = markNans(chunk, states.subarray(start, start + chunk.length)) && plain;
    if (nullable) plain = markNulls(chunk, states.subarray(start, start + chunk.length)) && plain;
  });
  return plain ? null : states;
}

/** Marks the nulls of a chunk. @returns true if there is none */
function markNulls(chunk: Chunk, states: Uint8Array): boolean {
  const { kind } = chunk.type;
  const { valid } = chunk;
  let nulls = 0;
  if (valid !== null) {
    for (let index = 0; index < states.length; index += 1) {
      const isNull = (((valid[index >> 3] ?? 0) >> (index & 7)) & 1) ^ 1;
      nulls += isNull;
      if (isNull === 1) states[index] = NULL;
    }
  } else if (kind === 'null' || kind === 'union') {
    for (let index = 0; index < states.length; index += 1) {
      if (kind === 'union' && cellValue(chunk, index) !== null) continue;
      nulls += 1;
      states[index] = NULL;
    }
  }
  return nulls === 0;
}

function codedStates({ codes, values }: CodedColumn): Uint8Array | null {
  const entryStates = statesOf(values);
  const states = new Uint8Array(codes.length);
  let plain = true;
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] ?? -1;
    const state = code < 0 ? NULL : (entryStates?.[code] ?? VALUE);
    states[row] = state;
    if (state !== VALUE) plain = false;
  }
  return plain ? null : states;
}

/**
 * Marks the NaNs of a chunk. A half float is NaN if its exponent is all ones and its mantissa is not zero.
 * @returns true if there is none
 */
function markNans(chunk: Chunk, states: Uint8Array): boolean {
  const { values } = chunk;
  if (values instanceof Float64Array && !hasNan(values, states.length)) return true;
  let none = true;
  const half = values instanceof Uint16Array;
  const numbers = values as Float64Array | Uint16Array;
  for (let index = 0; index < states.length; index += 1) {
    const value = numbers[index] ?? 0;
    if (half ? (value & 0x7fff) > 0x7c00 : Number.isNaN(value)) {
      states[index] = NAN;
      none = false;
    }
  }
  return none;
}

/**
 * Whether there is a NaN. Most columns have none, and a loop over one type of array is three times as fast as over
 * several.
 */
function hasNan(values: Float64Array, count: number): boolean {
  for (let index = 0; index < count; index += 1) {
    if (Number.isNaN(values[index] as number)) return true; // below its length
  }
  return false;
}
