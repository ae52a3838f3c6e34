/** Converts DuckDB's types and values to those of SQL results. */

import {
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalType,
  DuckDBDecimalValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimeNSValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBType,
  DuckDBUUIDValue,
  type DuckDBValue,
  DuckDBTypeId as Id,
} from '@duckdb/node-api';
import { decimalText } from '../arrow/decimal.ts';
import { type ColumnType, FLOAT64, type RowValue, TEXT } from '../columnType.ts';
import { SqlError } from '../sqlError.ts';
import { UnsupportedValue } from '../unsupportedValue.ts';
import { infiniteTimeError } from './infiniteTime.ts';

const PLAIN: ReadonlyMap<Id, ColumnType> = new Map<Id, ColumnType>([
  [Id.BOOLEAN, { kind: 'bool' }],
  [Id.TINYINT, { kind: 'int', bits: 8, signed: true }],
  [Id.SMALLINT, { kind: 'int', bits: 16, signed: true }],
  [Id.INTEGER, { kind: 'int', bits: 32, signed: true }],
  [Id.BIGINT, { kind: 'int', bits: 64, signed: true }],
  [Id.UTINYINT, { kind: 'int', bits: 8, signed: false }],
  [Id.USMALLINT, { kind: 'int', bits: 16, signed: false }],
  [Id.UINTEGER, { kind: 'int', bits: 32, signed: false }],
  [Id.UBIGINT, { kind: 'int', bits: 64, signed: false }],
  // As in DuckDB's own Arrow export: sums have this type, and more libraries support 38 digits than 39.
  [Id.HUGEINT, { kind: 'decimal', precision: 38, scale: 0 }],
  [Id.UHUGEINT, { kind: 'decimal', precision: 38, scale: 0 }],
  [Id.FLOAT, { kind: 'float', bits: 32 }],
  [Id.DOUBLE, FLOAT64],
  [Id.BLOB, { kind: 'bytes' }],
  [Id.DATE, { kind: 'date' }],
  [Id.TIME, { kind: 'time' }],
  [Id.TIMESTAMP_S, { kind: 'timestamp', unit: 's', zone: null }],
  [Id.TIMESTAMP_MS, { kind: 'timestamp', unit: 'ms', zone: null }],
  [Id.TIMESTAMP, { kind: 'timestamp', unit: 'us', zone: null }],
  [Id.TIMESTAMP_NS, { kind: 'timestamp', unit: 'ns', zone: null }],
  [Id.TIMESTAMP_TZ, { kind: 'timestamp', unit: 'us', zone: 'UTC' }],
  [Id.SQLNULL, { kind: 'null' }],
]);

/** The column type of a DuckDB type; intervals, enums, UUIDs, bits, unions and other types are text. */
export function columnTypeOf(type: DuckDBType): ColumnType {
  const plain = PLAIN.get(type.typeId);
  if (plain !== undefined) return plain;
  if (type instanceof DuckDBDecimalType) return { kind: 'decimal', precision: type.width, scale: type.scale };
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
    return { kind: 'list', item: columnTypeOf(type.valueType) };
  }
  if (type instanceof DuckDBStructType) return structOf(type);
  if (type instanceof DuckDBMapType) {
    const fields = [
      { name: 'key', type: columnTypeOf(type.keyType) },
      { name: 'value', type: columnTypeOf(type.valueType) },
    ];
    return { kind: 'list', item: { kind: 'struct', fields } };
  }
  return TEXT;
}

function structOf({ entryNames, entryTypes }: DuckDBStructType): ColumnType {
  if (new Set(entryNames).size < entryNames.length) {
    throw new SqlError(
      "A column contains structs with unnamed or duplicate fields. Name the fields: {'a': x, 'b': y} instead of row(x, y).",
    );
  }
  return {
    kind: 'struct',
    fields: entryNames.map((name, i) => {
      const type = entryTypes[i];
      return { name, type: type === undefined ? TEXT : columnTypeOf(type) };
    }),
  };
}

/** A value in the form of its column type. @throws UnsupportedValue for a value that Arrow cannot represent */
export function rowValueOf(value: DuckDBValue, type: ColumnType): RowValue {
  if (value === null) return null;
  switch (type.kind) {
    case 'decimal':
      return value instanceof DuckDBDecimalValue ? decimalText(value.value, value.scale) : String(value);
    case 'uuid':
      return value instanceof DuckDBUUIDValue
        ? Buffer.from(value.toString().replaceAll('-', ''), 'hex')
        : null;
    case 'bytes':
    case 'fixed':
      return value instanceof DuckDBBlobValue ? value.bytes : null;
    case 'date':
      return value instanceof DuckDBDateValue ? finite(value.days, 'date') : null;
    case 'time':
      return timeOf(value);
    case 'timestamp': {
      const ticks = ticksOf(value);
      return ticks === null ? null : finite(ticks, 'timestamp');
    }
    case 'list':
      return itemsOf(value, type.item);
    case 'map':
      return entriesOf(value, type);
    case 'struct':
      return value instanceof DuckDBStructValue
        ? type.fields.map(({ name, type: inner }) => rowValueOf(value.entries[name] ?? null, inner))
        : null;
    case 'text':
      return typeof value === 'string' ? value : String(value);
    default:
      return typeof value === 'object' ? null : value;
  }
}

function finite<T extends number | bigint>(value: T, kind: 'date' | 'timestamp'): T {
  const problem = infiniteTimeError(value, kind);
  if (problem !== null) throw problem;
  return value;
}

const DAY_MICROS = 86_400_000_000n;

function timeOf(value: DuckDBValue): bigint | null {
  const isNanos = value instanceof DuckDBTimeNSValue;
  if (!isNanos && !(value instanceof DuckDBTimeValue)) return null;
  const micros = isNanos ? value.nanos / 1000n : value.micros;
  if (micros < DAY_MICROS) return micros;
  throw new UnsupportedValue(`${String(value)}, which Arrow has no time for; cast it: "column"::text.`);
}

function ticksOf(value: DuckDBValue): bigint | null {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) return value.micros;
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.nanos;
  if (value instanceof DuckDBTimestampMillisecondsValue) return value.millis;
  return value instanceof DuckDBTimestampSecondsValue ? value.seconds : null;
}

function itemsOf(value: DuckDBValue, item: ColumnType): RowValue {
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    return value.items.map((inner) => rowValueOf(inner, item));
  }
  if (item.kind !== 'struct') return null;
  const [key, mapped] = item.fields;
  return entriesOf(value, { key: key?.type ?? TEXT, value: mapped?.type ?? TEXT });
}

function entriesOf(
  value: DuckDBValue,
  types: { readonly key: ColumnType; readonly value: ColumnType },
): readonly RowValue[] | null {
  if (!(value instanceof DuckDBMapValue)) return null;
  return value.entries.map((entry) => [
    rowValueOf(entry.key, types.key),
    rowValueOf(entry.value, types.value),
  ]);
}
