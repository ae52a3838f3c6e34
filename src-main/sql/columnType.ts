/**
 * The type of a result column: plain data, so it can be sent between threads. Each kind has one Arrow type and one form
 * of values in a row (`RowValue`); null means NULL in every kind.
 *
 * | Kind | A value of a row |
 * |---|---|
 * | `null` | only null |
 * | `bool` | boolean |
 * | `int` of at most 32 bits, `float` | number |
 * | `int` of 64 bits | bigint, or a safe number |
 * | `decimal` | text: `-12.340`, no exponent; at most `scale` digits after the point |
 * | `text` | string |
 * | `bytes`, `fixed`, `uuid` | Uint8Array |
 * | `date` | days since 1970-01-01, a number |
 * | `time` | microseconds since midnight, bigint or a safe number |
 * | `timestamp` | `unit`s since the epoch, bigint or a safe number: the instant when `zone` is set, else the wall clock
 * as if it were UTC |
 * | `list` | array of the item's values |
 * | `map` | array of `[key, value]` pairs |
 * | `struct` | array of the fields' values, in order |
 */
export type ColumnType =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool' }
  | { readonly kind: 'int'; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: 'float'; readonly bits: 32 | 64 }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'text' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'fixed'; readonly size: number }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  | { readonly kind: 'timestamp'; readonly unit: TimeUnit; readonly zone: string | null }
  | { readonly kind: 'list'; readonly item: ColumnType }
  | { readonly kind: 'map'; readonly key: ColumnType; readonly value: ColumnType }
  | { readonly kind: 'struct'; readonly fields: readonly Column[] };

type TimeUnit = 's' | 'ms' | 'us' | 'ns';

/** A column of a result. */
export interface Column {
  /** The name in the database; duplicates are renamed when the table is written. */
  readonly name: string;
  readonly type: ColumnType;
}

export type RowValue = null | boolean | number | bigint | string | Uint8Array | readonly RowValue[];

/** The values of one row, in the order of the columns. */
export type Row = readonly RowValue[];

export const INT64: ColumnType = { kind: 'int', bits: 64, signed: true };
export const INT32: ColumnType = { kind: 'int', bits: 32, signed: true };
export const FLOAT64: ColumnType = { kind: 'float', bits: 64 };
export const TEXT: ColumnType = { kind: 'text' };
