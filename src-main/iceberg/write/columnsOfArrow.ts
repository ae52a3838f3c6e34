/** Maps the columns of Arrow rows to Iceberg types, for writing them to a table. */

import { type Field as ArrowField, type DataType, Precision, type Schema, Type } from 'apache-arrow';
import { IcebergError } from '../icebergError.ts';
import type { Field, IcebergType } from '../metadata/types.ts';
import type { NewColumn } from './newColumns.ts';

const MAX_DIGITS = 38;
/** Maximum digits of an unsigned 64-bit integer. */
const UINT64_DIGITS = 20;

/** Fields of Arrow's types that depend on the type id. */
interface TypeFields {
  readonly bitWidth: number;
  readonly isSigned: boolean;
  readonly precision: number;
  readonly scale: number;
  readonly timezone?: string | null;
  readonly dictionary: DataType;
  readonly children: readonly ArrowField[] | null;
}

/**
 * The columns of an Arrow table as Iceberg columns, with types that lose no value.
 * @throws IcebergError for a column type that Iceberg lacks, and for names that differ only in case
 */
export function columnsOfArrow(schema: Schema): readonly NewColumn[] {
  if (schema.fields.length === 0)
    throw new IcebergError('invalid_request', 'The result has no columns, so it cannot be a table.');
  checkNames(schema.fields, 'The result');
  return schema.fields.map(({ name, type }) => ({ name, type: typeOf(type, name) }));
}

/** Engines such as Spark ignore the case of names. */
function checkNames(fields: readonly { readonly name: string }[], where: string): void {
  const namesByKey = new Map<string, string>();
  for (const { name } of fields) {
    if (name === '') throw new IcebergError('invalid_request', `${where} has a column without a name.`);
    const other = namesByKey.get(name.toLowerCase());
    if (other !== undefined) {
      const names = other === name ? `two columns named "${name}"` : `the columns "${other}" and "${name}"`;
      throw new IcebergError(
        'invalid_request',
        `${where} has ${names}. Names of columns must differ, also without regard to case; rename one of them.`,
      );
    }
    namesByKey.set(name.toLowerCase(), name);
  }
}

function typeOf(type: DataType, column: string): IcebergType {
  const of = type as unknown as TypeFields; // each case reads the fields of its type id
  switch (type.typeId) {
    case Type.Bool:
      return { kind: 'boolean' };
    case Type.Int:
      return wholeType(of);
    case Type.Float:
      return { kind: of.precision === Precision.DOUBLE ? 'double' : 'float' };
    case Type.Decimal:
      if (of.bitWidth <= 128 && of.precision <= MAX_DIGITS && of.scale >= 0 && of.scale <= of.precision)
        return { kind: 'decimal', precision: of.precision, scale: of.scale };
      break;
    // A column with only NULL can have any type; most later values can be stored as text.
    case Type.Null:
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return { kind: 'string' };
    case Type.Binary:
    case Type.LargeBinary:
    case Type.BinaryView:
    case Type.FixedSizeBinary:
      return { kind: 'binary' };
    case Type.Date:
      return { kind: 'date' };
    case Type.Time:
      return { kind: 'time' };
    case Type.Timestamp:
      return { kind: of.timezone ? 'timestamptz' : 'timestamp' };
    case Type.Dictionary:
      return typeOf(of.dictionary, column);
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList: {
      const [item] = of.children ?? [];
      if (item !== undefined) return { kind: 'list', element: partOf('element', item, column) };
      break;
    }
    case Type.Struct: {
      const fields = of.children ?? [];
      if (fields.length === 0) break;
      checkNames(fields, `The column "${column}"`);
      return { kind: 'struct', fields: fields.map((field) => partOf(field.name, field, column)) };
    }
    case Type.Map: {
      const [key, value] = of.children?.[0]?.type.children ?? [];
      if (key !== undefined && value !== undefined) {
        return {
          kind: 'map',
          key: { ...partOf('key', key as ArrowField, column), required: true },
          value: partOf('value', value as ArrowField, column),
        };
      }
      break;
    }
    default:
  }
  throw new IcebergError(
    'invalid_request',
    `The column "${column}" is of the type ${String(type)}, which Iceberg tables do not have. Convert it, or leave it out.`,
  );
}

function wholeType({ bitWidth, isSigned }: TypeFields): IcebergType {
  if (bitWidth < 32 || (bitWidth === 32 && isSigned)) return { kind: 'int' };
  if (bitWidth === 32 || isSigned) return { kind: 'long' };
  return { kind: 'decimal', precision: UINT64_DIGITS, scale: 0 };
}

/** Ids are assigned later. */
function partOf(name: string, { type }: ArrowField, column: string): Field {
  return { id: 0, name, required: false, type: typeOf(type, column) };
}
