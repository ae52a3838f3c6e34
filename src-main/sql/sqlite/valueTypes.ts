import { type Column, type ColumnType, FLOAT64, INT64, type RowValue, TEXT } from '../columnType.ts';

/** What SQLite keeps in a value, whatever its column says. */
export type Storage = 'integer' | 'real' | 'text' | 'blob';

const BYTES: ColumnType = { kind: 'bytes' };
const NOTHING: ColumnType = { kind: 'null' };

/** The kind of storage a declared type prefers (SQLite, "Datatypes", 3.1); null where it says nothing sure. */
export function declaredStorage(declared: string | null): Storage | null {
  const type = (declared ?? '').toUpperCase();
  if (type.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text';
  if (type.includes('BLOB')) return 'blob';
  return /REAL|FLOA|DOUB/.test(type) ? 'real' : null;
}

export function storageOf(value: Exclude<SqliteValue, null>): Storage {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return 'real';
  return typeof value === 'string' ? 'text' : 'blob';
}

export type SqliteValue = null | bigint | number | string | Uint8Array;

/**
 * The kind both fit in: whole numbers among floats become floats, anything among bytes becomes bytes, any other
 * mixture text. Only ever wider, so that a query is asked again a few times at most.
 */
export function widened(a: Storage | null, b: Storage): Storage {
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

export function columnOf(name: string, storage: Storage | null): Column {
  return { name, type: storage === null ? NOTHING : TYPES[storage] };
}

/** The value in a column of that storage; undefined where the column has to be wider. */
export function fitted(value: SqliteValue, storage: Storage | null): RowValue | undefined {
  if (value === null) return null;
  if (storage === null) return undefined;
  const own = storageOf(value);
  if (own === storage) return value;
  if (storage === 'real' && own === 'integer') return exactFloat(value as bigint);
  if (storage === 'text' && own !== 'blob') return String(value);
  return storage === 'blob' ? Buffer.from(String(value)) : undefined;
}

/** A whole number no float holds makes the column text: nothing is lost. */
function exactFloat(value: bigint): number | undefined {
  const float = Number(value);
  return BigInt(float) === value ? float : undefined;
}
