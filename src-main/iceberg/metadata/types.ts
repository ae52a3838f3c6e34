/** The column types and schemas of Iceberg tables, and how they are parsed from a table's metadata. */

import * as z from 'zod';
import { IcebergError } from '../icebergError.ts';

/** The types with a single value. `unknown` columns contain only NULL. */
export type Primitive =
  | {
      readonly kind:
        | 'boolean'
        | 'int'
        | 'long'
        | 'float'
        | 'double'
        | 'date'
        | 'time'
        | 'timestamp'
        | 'timestamptz'
        | 'timestamp_ns'
        | 'timestamptz_ns'
        | 'string'
        | 'uuid'
        | 'binary'
        | 'unknown';
    }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'fixed'; readonly length: number };

export interface ListType {
  readonly kind: 'list';
  readonly element: Field;
}

export interface MapType {
  readonly kind: 'map';
  readonly key: Field;
  readonly value: Field;
}

interface StructType {
  readonly kind: 'struct';
  readonly fields: readonly Field[];
}

/** An unsupported type, such as `variant`: a column of it cannot be read, but can be left out of a scan. */
interface UnsupportedType {
  readonly kind: 'unsupported';
  readonly name: string;
}

export type IcebergType = Primitive | ListType | MapType | StructType | UnsupportedType;

/** A column or a part of one. Its name may change; files identify it by `id`. */
export interface Field {
  readonly id: number;
  readonly name: string;
  readonly required: boolean;
  readonly type: IcebergType;
  /** The value for rows written before the column was added (format v3); undefined: NULL. */
  readonly initialDefault?: unknown;
}

export interface TableSchema {
  readonly schemaId: number;
  readonly fields: readonly Field[];
}

const PLAIN = new Set([
  'boolean',
  'int',
  'long',
  'float',
  'double',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'timestamp_ns',
  'timestamptz_ns',
  'string',
  'uuid',
  'binary',
  'unknown',
]);

const fieldJson = z.object({
  id: z.int(),
  name: z.string(),
  required: z.boolean().default(false),
  type: z.unknown(),
  'initial-default': z.unknown().optional(),
});
const structJson = z.object({ type: z.literal('struct'), fields: z.array(fieldJson) });
const listJson = z.object({
  type: z.literal('list'),
  'element-id': z.int(),
  element: z.unknown(),
  'element-required': z.boolean().default(false),
});
const mapJson = z.object({
  type: z.literal('map'),
  'key-id': z.int(),
  key: z.unknown(),
  'value-id': z.int(),
  value: z.unknown(),
  'value-required': z.boolean().default(false),
});
const nestedJson = z.discriminatedUnion('type', [structJson, listJson, mapJson]);

/** Maximum nesting of types: more than real tables have. Limits recursion. */
const MAX_DEPTH = 100;

/** Parses the JSON of a column type. @throws IcebergError if it is not a type */
export function parseType(json: unknown, depth = 0): IcebergType {
  if (depth > MAX_DEPTH)
    throw new IcebergError('unreadable', 'A type in the schema of the table is nested too deeply.');
  if (typeof json === 'string') return parsePrimitive(json);
  const parsedNested = nestedJson.safeParse(json);
  if (!parsedNested.success) {
    throw new IcebergError(
      'unreadable',
      `The schema of the table has a type that is not valid: ${shown(json)}.`,
    );
  }
  const nested = parsedNested.data;
  const below = (id: number, name: string, type: unknown, required: boolean): Field => ({
    id,
    name,
    required,
    type: parseType(type, depth + 1),
  });
  switch (nested.type) {
    case 'struct':
      return { kind: 'struct', fields: nested.fields.map((field) => fieldOf(field, depth + 1)) };
    case 'list':
      return {
        kind: 'list',
        element: below(nested['element-id'], 'element', nested.element, nested['element-required']),
      };
    case 'map':
      return {
        kind: 'map',
        key: below(nested['key-id'], 'key', nested.key, true),
        value: below(nested['value-id'], 'value', nested.value, nested['value-required']),
      };
  }
}

function fieldOf(json: z.infer<typeof fieldJson>, depth: number): Field {
  const { id, name, required, type, 'initial-default': initialDefault } = json;
  const field = { id, name, required, type: parseType(type, depth) };
  return initialDefault === undefined || initialDefault === null ? field : { ...field, initialDefault };
}

function parsePrimitive(text: string): IcebergType {
  if (PLAIN.has(text)) return { kind: text } as Primitive; // the set contains it
  const decimal = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(text);
  if (decimal !== null) return { kind: 'decimal', precision: Number(decimal[1]), scale: Number(decimal[2]) };
  const fixed = /^fixed\[\s*(\d+)\s*\]$/.exec(text);
  if (fixed !== null) return { kind: 'fixed', length: Number(fixed[1]) };
  return { kind: 'unsupported', name: text };
}

/** Parses the JSON of a table schema. @throws IcebergError if it is not a table schema */
export function parseSchema(json: unknown): TableSchema {
  const parsed = z.object({ 'schema-id': z.int().default(0), fields: z.array(fieldJson) }).safeParse(json);
  if (!parsed.success)
    throw new IcebergError('unreadable', 'The metadata of the table has a schema that is not valid.');
  return {
    schemaId: parsed.data['schema-id'],
    fields: parsed.data.fields.map((field) => fieldOf(field, 0)),
  };
}

/** The field with this id, at any depth. */
export function findField(fields: readonly Field[], id: number): Field | null {
  for (const field of fields) {
    const match = field.id === id ? field : findField(childrenOf(field.type), id);
    if (match !== null) return match;
  }
  return null;
}

export function childrenOf(type: IcebergType): readonly Field[] {
  switch (type.kind) {
    case 'struct':
      return type.fields;
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    default:
      return [];
  }
}

export function isPrimitive(type: IcebergType): type is Primitive {
  return !['struct', 'list', 'map', 'unsupported'].includes(type.kind);
}

/** The type in Iceberg's notation, for messages. */
export function typeText(type: IcebergType): string {
  switch (type.kind) {
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`;
    case 'fixed':
      return `fixed[${type.length}]`;
    case 'list':
      return `list<${typeText(type.element.type)}>`;
    case 'map':
      return `map<${typeText(type.key.type)}, ${typeText(type.value.type)}>`;
    case 'struct':
      return `struct<${type.fields.map(({ name, type: inner }) => `${name}: ${typeText(inner)}`).join(', ')}>`;
    case 'unsupported':
      return type.name;
    default:
      return type.kind;
  }
}

function shown(json: unknown): string {
  return String(
    JSON.stringify(json, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ).slice(0, 120);
}
