/** Chooses column types for results of SQLite, whose columns can mix types. */

import { type Column, type ColumnType, FLOAT64, INT64, type RowValue, TEXT } from '../columnType.ts';

/** SQLite's storage class of a value, which is independent of its column. */
export type Storage = 'integer' | 'real' | 'text' | 'blob';

const BYTES: ColumnType = { kind: 'bytes' };
const NOTHING: ColumnType = { kind: 'null' };

/** The storage class that a declared type prefers (SQLite, "Datatypes", 3.1); null if it prefers none. */
export function declaredStorage(declared: string | null): Storage | null {
  const type = (declared ?? '').toUpperCase();
  if (type.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text';
  if (type.includes('BLOB')) return 'blob';
  return /REAL|FLOA|DOUB/.test(type) ? 'real' : null;
}

/** The storage class of a value. */
export function storageOf(value: Exclude<SqliteValue, null>): Storage {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return 'real';
  return typeof value === 'string' ? 'text' : 'blob';
}

export type SqliteValue = null | bigint | number | string | Uint8Array;

/**
 * The storage class that can hold both: float for whole numbers and floats, bytes for anything with bytes, text for any
 * other mixture. It only ever gets wider, so that a query runs again only a few times.
 */
export function widerStorage(a: Storage | null, b: Storage): Storage {
  if (a === null || a === b) return b;
  if (a === 'blob' || b === 'blob') return 'blob';
  if (a === 'text' || b === 'text') return 'text';
  return 'real';
}

const TYPES: Readonly<Record<Storage, ColumnType>> = {
  integer: INT64,
  real: FLOAT64,
  text: TEXT,
  blob: BYTES,
};

/** The result column for values of a storage class; null: a column with only NULL. */
export function columnOf(name: string, storage: Storage | null): Column {
  return { name, type: storage === null ? NOTHING : TYPES[storage] };
}

/** The value for a column of this storage class; undefined if the column must be wider. */
export function fitValue(value: SqliteValue, storage: Storage | null): RowValue | undefined {
  if (value === null) return null;
  if (storage === null) return undefined;
  const own = storageOf(value);
  if (own === storage) return value;
  if (storage === 'real' && own === 'integer') return exactFloat(value as bigint);
  if (storage === 'text' && own !== 'blob') return String(value);
  return storage === 'blob' ? Buffer.from(String(value)) : undefined;
}

/**
 * A whole number as a float; undefined if no float represents it: its column becomes text, so that no digit is lost.
 */
function exactFloat(value: bigint): number | undefined {
  const float = Number(value);
  return BigInt(float) === value ? float : undefined;
}
