/** Converts the column types of SQL results to types and schemas of Arrow. */

import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  FixedSizeBinary,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  Map_,
  Null,
  Schema,
  Struct,
  TimeMicrosecond,
  Timestamp,
  TimeUnit,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import type { Column, ColumnType } from '../columnType.ts';

/** Decimals with more digits need 256 bits. */
export const DIGITS_OF_128_BITS = 38;

const SIGNED = { 8: Int8, 16: Int16, 32: Int32, 64: Int64 } as const;
const UNSIGNED = { 8: Uint8, 16: Uint16, 32: Uint32, 64: Uint64 } as const;
const UNITS = {
  s: TimeUnit.SECOND,
  ms: TimeUnit.MILLISECOND,
  us: TimeUnit.MICROSECOND,
  ns: TimeUnit.NANOSECOND,
} as const;

/** The Arrow type of a column type. */
export function arrowTypeOf(type: ColumnType): DataType {
  switch (type.kind) {
    case 'null':
      return new Null();
    case 'bool':
      return new Bool();
    case 'int':
      return new (type.signed ? SIGNED : UNSIGNED)[type.bits]();
    case 'float':
      return type.bits === 32 ? new Float32() : new Float64();
    case 'decimal':
      return new Decimal(type.scale, type.precision, type.precision > DIGITS_OF_128_BITS ? 256 : 128);
    case 'text':
      return new Utf8();
    case 'bytes':
      return new Binary();
    case 'fixed':
      return new FixedSizeBinary(type.size);
    case 'uuid':
      return new FixedSizeBinary(UUID_BYTES);
    case 'date':
      return new DateDay();
    case 'time':
      return new TimeMicrosecond();
    case 'timestamp':
      return new Timestamp(UNITS[type.unit], type.zone);
    case 'list':
      return new List(fieldOf({ name: 'item', type: type.item }));
    case 'map':
      return new Map_(entriesField(type));
    case 'struct':
      return new Struct(type.fields.map(fieldOf));
  }
}

const UUID_BYTES = 16;
/** Makes other Arrow libraries show the sixteen bytes as a UUID. */
const UUID_METADATA = new Map([
  ['ARROW:extension:name', 'arrow.uuid'],
  ['ARROW:extension:metadata', ''],
]);

function fieldOf({ name, type }: Column): Field {
  return new Field(name, arrowTypeOf(type), true, type.kind === 'uuid' ? new Map(UUID_METADATA) : null);
}

/** Entries and keys of a map cannot be NULL. */
function entriesField({ key, value }: Extract<ColumnType, { kind: 'map' }>) {
  const keyField = new Field('key', arrowTypeOf(key), false, fieldOf({ name: 'key', type: key }).metadata);
  return new Field(
    'entries',
    new Struct<{ key: DataType; value: DataType }>([keyField, fieldOf({ name: 'value', type: value })]),
    false,
  );
}

/** Makes Python read the table as a pyarrow.Table, with or without pandas (docs/spec/values.md, 1). */
const METADATA = new Map([
  ['svc.arrow.shape', 'table'],
  ['svc.arrow.source', 'pyarrow.Table'],
]);

/** The Arrow schema of a result with these columns. */
export function schemaOf(columns: readonly Column[]): Schema {
  return new Schema(columns.map(fieldOf), new Map(METADATA));
}

/** The type's name in pyarrow, which users know from their own code. */
export function dtypeOf(type: ColumnType): string {
  switch (type.kind) {
    case 'null':
    case 'bool':
      return type.kind;
    case 'int':
      return `${type.signed ? '' : 'u'}int${type.bits}`;
    case 'float':
      return type.bits === 64 ? 'double' : 'float';
    case 'decimal':
      return `decimal${type.precision > DIGITS_OF_128_BITS ? 256 : 128}(${type.precision}, ${type.scale})`;
    case 'text':
      return 'string';
    case 'bytes':
      return 'binary';
    case 'fixed':
      return `fixed_size_binary[${type.size}]`;
    case 'uuid':
      return 'uuid';
    case 'date':
      return 'date32[day]';
    case 'time':
      return 'time64[us]';
    case 'timestamp':
      return `timestamp[${type.unit}${type.zone === null ? '' : `, tz=${type.zone}`}]`;
    case 'list':
      return `list<item: ${dtypeOf(type.item)}>`;
    case 'map':
      return `map<${dtypeOf(type.key)}, ${dtypeOf(type.value)}>`;
    case 'struct':
      return `struct<${type.fields.map(({ name, type: inner }) => `${name}: ${dtypeOf(inner)}`).join(', ')}>`;
  }
}

/** The columns with unique names: `id`, `id_1`, `id_2`, so that Python can access each. */
export function withUniqueNames(columns: readonly Column[]): readonly Column[] {
  const takenNames = new Set(columns.map(({ name }) => name));
  const usedNames = new Set<string>();
  return columns.map(({ name, type }) => {
    if (!usedNames.has(name)) {
      usedNames.add(name);
      return { name, type };
    }
    let next = 1;
    while (takenNames.has(`${name}_${next}`)) next += 1;
    const unique = `${name}_${next}`;
    takenNames.add(unique);
    usedNames.add(unique);
    return { name: unique, type };
  });
}
