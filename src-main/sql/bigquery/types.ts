/** Converts BigQuery's column types and values to those of SQL results. */

import type { Column, ColumnType, RowValue } from '../columnType.ts';
import { FLOAT64, INT64, TEXT } from '../columnType.ts';
import { SqlError } from '../sqlError.ts';

/** A field in the schema of a table or a result, as in the API. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
  readonly precision?: string;
  readonly scale?: string;
  readonly fields?: readonly SchemaField[];
}

/** A value of a row: text, null, a struct, or the items of a repeated field. */
type ApiValue = string | null | { readonly f: readonly { v: ApiValue }[] } | readonly { v: ApiValue }[];

/** A row as the API sends it: its values in order. */
export interface ApiRow {
  readonly f: readonly { readonly v: ApiValue }[];
}

const SCALARS: Readonly<Record<string, ColumnType>> = {
  STRING: TEXT,
  BYTES: { kind: 'bytes' },
  INTEGER: INT64,
  INT64,
  FLOAT: FLOAT64,
  FLOAT64,
  BOOLEAN: { kind: 'bool' },
  BOOL: { kind: 'bool' },
  DATE: { kind: 'date' },
  TIME: { kind: 'time' },
  DATETIME: { kind: 'timestamp', unit: 'us', zone: null },
  TIMESTAMP: { kind: 'timestamp', unit: 'us', zone: 'UTC' },
};

/** The result column of a field. */
export function columnOf(field: SchemaField): Column {
  return { name: field.name, type: columnTypeOf(field) };
}

/** The column type of a field; JSON, GEOGRAPHY, INTERVAL, RANGE and unknown types are text, as BigQuery writes them. */
function columnTypeOf(field: SchemaField): ColumnType {
  if (field.mode === 'REPEATED') return { kind: 'list', item: columnTypeOf({ ...field, mode: 'NULLABLE' }) };
  if (field.type === 'RECORD' || field.type === 'STRUCT') {
    return { kind: 'struct', fields: (field.fields ?? []).map(columnOf) };
  }
  if (field.type === 'NUMERIC') return decimalOf(field, { precision: 38, scale: 9 });
  if (field.type === 'BIGNUMERIC') return decimalOf(field, { precision: 76, scale: 38 });
  return SCALARS[field.type] ?? TEXT;
}

function decimalOf(field: SchemaField, widest: { precision: number; scale: number }): ColumnType {
  if (field.precision === undefined) return { kind: 'decimal', ...widest };
  return { kind: 'decimal', precision: Number(field.precision), scale: Number(field.scale ?? 0) };
}

/**
 * Returns a function that reads one value of a column.
 * @throws from that function: SqlError for a value that Arrow cannot represent
 */
export function readerOf({ name, type }: Column): (value: ApiValue) => RowValue {
  switch (type.kind) {
    case 'list': {
      const item = readerOf({ name, type: type.item });
      return (value) => (Array.isArray(value) ? value.map(({ v }) => item(v)) : null);
    }
    case 'struct': {
      const fields = type.fields.map(readerOf);
      return (value) => (isRecord(value) ? value.f.map(({ v }, at) => fields[at]?.(v) ?? null) : null);
    }
    case 'decimal':
      return (value) => (typeof value === 'string' ? decimal(value, name, type.precision) : null);
    default: {
      const readText = TEXTS[type.kind as keyof typeof TEXTS] ?? ((text: string) => text);
      return (value) => (typeof value === 'string' ? readText(text(value), type) : null);
    }
  }
}

function text(value: string): string {
  return value;
}

function isRecord(value: ApiValue): value is { f: readonly { v: ApiValue }[] } {
  return typeof value === 'object' && value !== null && 'f' in value;
}

const TEXTS = {
  bool: (value: string) => value === 'true',
  int: (value: string) => BigInt(value),
  float: (value: string) => Number(value),
  bytes: (value: string) => Buffer.from(value, 'base64'),
  date: (value: string) => Date.parse(`${value}T00:00:00Z`) / 86_400_000,
  time: (value: string) => micros(`1970-01-01T${value}`),
  // An instant is sent as microseconds, a wall clock time as text.
  timestamp: (value: string, type: ColumnType) =>
    type.kind === 'timestamp' && type.zone !== null ? BigInt(value) : micros(value),
} satisfies Partial<Record<ColumnType['kind'], (value: string, type: ColumnType) => RowValue>>;

/** `2024-02-29T13:05:09.000120` → microseconds as if in UTC. Date only keeps three digits of the fraction. */
function micros(value: string): bigint {
  const [whole = '', fraction = ''] = value.split('.');
  return BigInt(Date.parse(`${whole}Z`)) * 1_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** BigQuery's widest decimals have one digit more than Arrow's. */
function decimal(value: string, name: string, precision: number): string {
  if (value.replace(/[-.]/g, '').replace(/^0+/, '').length <= precision && !value.includes('e')) return value;
  throw new SqlError(
    `The column "${name}" holds a number of more than ${precision} digits; cast it: CAST(x AS STRING).`,
  );
}
