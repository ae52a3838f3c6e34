/** Writes the SQL expression that reads one column of a data file as the table's current type. */

import { damaged } from '../icebergError.ts';
import {
  childrenOf,
  type Field,
  type IcebergType,
  isPrimitive,
  type Primitive,
  typeText,
} from '../metadata/types.ts';
import { literalOf } from '../plan/literals.ts';
import { duckdbTypeOf, literalSql } from './literalSql.ts';
import type { ParquetNode } from './parquetTree.ts';

/** A data file from which a column is read. */
interface ColumnSource {
  readonly location: string;
  /** Values of columns that the file does not contain, by field id: those of identity partitions. */
  readonly constants: ReadonlyMap<number, string>;
}

/**
 * The SQL for a column of the table: the column with its field id in the file, converted to its current type.
 * @param node null if the file has no such column
 * @param reference SQL for the column in the file
 * @throws IcebergError if the type in the file is not an earlier type of the column
 */
export function columnSql(
  field: Field,
  node: ParquetNode | null,
  reference: string,
  source: ColumnSource,
): string {
  return node === null ? missing(field, source) : converted(field, node, reference, { source, depth: 0 });
}

interface Context {
  readonly source: ColumnSource;
  readonly depth: number;
}

function missing(field: Field, { constants, location }: ColumnSource): string {
  const { type } = field;
  const constant = constants.get(field.id);
  if (constant !== undefined) return constant;
  if (field.initialDefault !== undefined) {
    const value = isPrimitive(type) ? defaultSql(field.initialDefault, type) : null;
    if (value !== null) return value;
    throw damaged(location, `the initial default of the column "${field.name}" cannot be read.`);
  }
  return `CAST(NULL AS ${nestedTypeSql(type)})`;
}

/** The SQL of a column's default, which is in JSON form: bytes in hexadecimal, decimals and dates as text. */
function defaultSql(value: unknown, type: Primitive): string | null {
  const tag =
    type.kind === 'decimal'
      ? '__decimal__:'
      : type.kind === 'fixed' || type.kind === 'binary'
        ? '__bytes__:'
        : '';
  const plain =
    typeof value === 'string'
      ? `${tag}${value}`
      : ['number', 'bigint', 'boolean'].includes(typeof value)
        ? value
        : null;
  const literal = plain === null ? null : literalOf(plain as string | number | bigint | boolean, type); // checked above
  return literal === null || !literal.isExact ? null : literalSql(literal.value, type);
}

/**
 * The SQL type with which a column is read. Fields of structs are named f0, f1, …, because names in DuckDB
 * are case-insensitive.
 */
export function nestedTypeSql(type: IcebergType): string {
  switch (type.kind) {
    case 'list':
      return `${nestedTypeSql(type.element.type)}[]`;
    case 'map':
      return `MAP(${nestedTypeSql(type.key.type)}, ${nestedTypeSql(type.value.type)})`;
    case 'struct':
      return `STRUCT(${type.fields.map((field, i) => `f${i} ${nestedTypeSql(field.type)}`).join(', ')})`;
    case 'unsupported':
      return 'INTEGER';
    default:
      return duckdbTypeOf(type);
  }
}

function converted(field: Field, node: ParquetNode, reference: string, context: Context): string {
  const { type } = field;
  if (isPrimitive(type))
    return primitive(field, type, { node, reference, location: context.source.location });
  if (node.kind !== type.kind) throw mismatch(field, node, context.source.location);
  if (isRead(type, node)) return reference;
  const below = { ...context, depth: context.depth + 1 };
  const variable = `e${context.depth}`;
  switch (type.kind) {
    case 'struct':
      return structSql(type.fields, { node, reference, context: below });
    case 'list': {
      const element = inside(type.element, node.children[0], variable, below);
      return `list_transform(${reference}, lambda ${variable}: ${element})`;
    }
    case 'map': {
      const key = inside(type.key, node.children[0], `${variable}.key`, below);
      const value = inside(type.value, node.children[1], `${variable}.value`, below);
      const entries = `list_transform(map_entries(${reference}), lambda ${variable}: struct_pack(key := ${key}, value := ${value}))`;
      return `CASE WHEN ${reference} IS NULL THEN NULL ELSE map_from_entries(${entries}) END`;
    }
  }
}

/** The element of a list, or the key or value of a map: by its position, because some writers omit the id. */
function inside(field: Field, node: ParquetNode | undefined, reference: string, context: Context): string {
  const other = node === undefined || (node.fieldId !== null && node.fieldId !== field.id);
  return other ? missing(field, context.source) : converted(field, node, reference, context);
}

function structSql(
  fields: readonly Field[],
  {
    node,
    reference,
    context,
  }: { readonly node: ParquetNode; readonly reference: string; readonly context: Context },
): string {
  const packed = fields.map((field, i) => {
    const at = node.children.findIndex(({ fieldId }) => fieldId === field.id);
    const child = node.children[at];
    const value =
      child === undefined
        ? missing(field, context.source)
        : converted(field, child, `struct_extract_at(${reference}, ${at + 1})`, context);
    return `f${i} := ${value}`;
  });
  return `CASE WHEN ${reference} IS NULL THEN NULL ELSE struct_pack(${packed.join(', ')}) END`;
}

/** Whether the file's column can be read without conversion: its type has no struct and matches. */
function isRead(type: IcebergType, node: ParquetNode | undefined): boolean {
  if (node === undefined || type.kind === 'struct' || type.kind === 'unsupported') return false;
  if (isPrimitive(type)) return node.duckdbType === duckdbTypeOf(type) && type.kind !== 'timestamptz';
  const fields = childrenOf(type);
  return (
    node.kind === type.kind &&
    fields.every((field, i) => {
      const child = node.children[i];
      return (child?.fieldId === null || child?.fieldId === field.id) && isRead(field.type, child);
    })
  );
}

const CAST_FROM: Readonly<Record<string, readonly string[]>> = {
  int: ['TINYINT', 'SMALLINT', 'UTINYINT', 'USMALLINT'],
  long: ['TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT', 'UINTEGER'],
  double: ['FLOAT'],
  string: ['JSON', 'ENUM'],
  timestamp: ['DATE', 'TIMESTAMP_S', 'TIMESTAMP_MS'],
  timestamp_ns: ['DATE', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP'],
};

function primitive(
  field: Field,
  type: Primitive,
  {
    node,
    reference,
    location,
  }: { readonly node: ParquetNode; readonly reference: string; readonly location: string },
): string {
  const { duckdbType, physicalType, logicalType } = node;
  const wantedType = duckdbTypeOf(type);
  if (type.kind === 'unknown') return 'CAST(NULL AS INTEGER)';
  if (duckdbType === null) throw mismatch(field, node, location);
  // DuckDB reads these with microsecond precision.
  if (type.kind === 'timestamptz' && (logicalType?.includes('NANOS=Nano') ?? false))
    throw mismatch(field, node, location);
  if (duckdbType === wantedType) return reference;
  if (CAST_FROM[type.kind]?.includes(duckdbType) === true) return `CAST(${reference} AS ${wantedType})`;
  // Early writers had no other type for timestamps with a zone; the values are UTC.
  if (type.kind === 'timestamptz' && physicalType === 'INT96') return `CAST(${reference} AS ${wantedType})`;
  if (type.kind === 'string' && duckdbType === 'BLOB') return `decode(${reference})`;
  if (type.kind === 'binary' && duckdbType === 'VARCHAR') return `encode(${reference})`;
  if (type.kind === 'uuid' && duckdbType === 'BLOB') return `CAST(lower(hex(${reference})) AS UUID)`;
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(duckdbType) ?? [];
  if (type.kind === 'decimal' && Number(scale) === type.scale && Number(precision) <= type.precision)
    return `CAST(${reference} AS ${wantedType})`;
  throw mismatch(field, node, location);
}

function mismatch(field: Field, node: ParquetNode, location: string) {
  return damaged(
    location,
    `its column "${node.name}" has the type ${node.duckdbType ?? node.kind}, which does not fit the column "${field.name}" of the table (${typeText(field.type)}).`,
  );
}
