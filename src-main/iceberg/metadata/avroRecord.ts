/** Decodes the records in an Avro file by the file's schema, for the manifests of Iceberg tables. */

import { type AvroCursor, AvroProblem } from './avroCursor.ts';

/** A record with its values by field id, or by name for fields without an id. */
export interface AvroRecord {
  readonly [field: string]: AvroValue;
}
export type AvroValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | readonly AvroValue[]
  | AvroRecord;

type Reader = (cursor: AvroCursor) => AvroValue;

const text = new TextDecoder('utf-8', { fatal: true });
const PRIMITIVES: Readonly<Record<string, Reader>> = {
  null: () => null,
  boolean: (cursor) => cursor.byte() !== 0,
  int: (cursor) => cursor.long(),
  long: (cursor) => cursor.long(),
  float: (cursor) => cursor.float(),
  double: (cursor) => cursor.double(),
  bytes: (cursor) => cursor.bytes(cursor.count()),
  string: (cursor) => text.decode(cursor.bytes(cursor.count())),
};
const MAX_DEPTH = 100;

interface NamedType {
  read: Reader;
}

/**
 * Returns a reader of values with an Avro schema. Integers are bigints. Fields with an Iceberg field id are
 * identified by it, not by name, because writers change the names of partition fields to those that Avro
 * allows.
 * @throws AvroProblem for an invalid schema
 */
export function avroReader(schema: unknown): Reader {
  return readerOf(schema, { named: new Map(), depth: 0 });
}

interface Scope {
  readonly named: Map<string, NamedType>;
  readonly depth: number;
}

function readerOf(schema: unknown, scope: Scope): Reader {
  if (scope.depth > MAX_DEPTH) throw new AvroProblem('its schema is nested too deeply');
  const below = { ...scope, depth: scope.depth + 1 };
  if (typeof schema === 'string') return namedReader(schema, scope);
  if (Array.isArray(schema)) return unionReader(schema, below);
  if (!isObject(schema)) throw new AvroProblem('its schema is not valid');
  switch (schema['type']) {
    case 'record':
      return recordReader(schema, below);
    case 'array':
      return arrayReader(readerOf(schema['items'], below));
    case 'map':
      return mapReader(readerOf(schema['values'], below));
    case 'fixed': {
      const size = Number(schema['size']);
      if (!Number.isSafeInteger(size) || size < 0) throw new AvroProblem('its schema is not valid');
      return register(schema, scope, (cursor) => cursor.bytes(size));
    }
    case 'enum': {
      const symbols = Array.isArray(schema['symbols']) ? schema['symbols'].map(String) : [];
      return register(schema, scope, (cursor) => symbols[Number(cursor.long())] ?? null);
    }
    default:
      return readerOf(schema['type'], below);
  }
}

function namedReader(name: string, { named }: Scope): Reader {
  const primitive = Object.hasOwn(PRIMITIVES, name) ? PRIMITIVES[name] : undefined;
  if (primitive !== undefined) return primitive;
  const type = named.get(name);
  if (type === undefined)
    throw new AvroProblem(`its schema uses the type "${name}", which it does not define`);
  return (cursor) => type.read(cursor);
}

function register(schema: Readonly<Record<string, unknown>>, { named }: Scope, read: Reader): Reader {
  if (typeof schema['name'] === 'string') named.set(schema['name'], { read });
  return read;
}

function unionReader(branches: readonly unknown[], scope: Scope): Reader {
  const readers = branches.map((branch) => readerOf(branch, scope));
  return (cursor) => {
    const read = readers[Number(cursor.long())];
    if (read === undefined) throw new AvroProblem('it holds a value of no type of its union');
    return read(cursor);
  };
}

function recordReader(schema: Readonly<Record<string, unknown>>, scope: Scope): Reader {
  const type: NamedType = { read: () => null };
  // A record may contain itself, so its name is registered before its fields are read.
  if (typeof schema['name'] === 'string') scope.named.set(schema['name'], type);
  const fields = Array.isArray(schema['fields']) ? schema['fields'] : [];
  const readers = fields.map((field: unknown): readonly [string, Reader] => {
    if (!isObject(field)) throw new AvroProblem('its schema is not valid');
    const id = field['field-id'];
    return [String(typeof id === 'number' ? id : field['name']), readerOf(field['type'], scope)];
  });
  type.read = (cursor) => {
    const record: Record<string, AvroValue> = Object.create(null) as Record<string, AvroValue>;
    for (const [name, read] of readers) record[name] = read(cursor);
    return record;
  };
  return type.read;
}

/** Blocks of items; a negative count means that the size in bytes follows. */
function eachItem(cursor: AvroCursor, visit: () => void): void {
  for (;;) {
    const count = cursor.long();
    if (count === 0n) return;
    if (count < 0n) cursor.long();
    const items = count < 0n ? -count : count;
    // Items of manifests take at least one byte each, so a larger count is invalid.
    if (items > BigInt(cursor.remaining)) throw new AvroProblem('it ends too early');
    for (let i = 0n; i < items; i += 1n) visit();
  }
}

function arrayReader(read: Reader): Reader {
  return (cursor) => {
    const items: AvroValue[] = [];
    eachItem(cursor, () => items.push(read(cursor)));
    return items;
  };
}

function mapReader(read: Reader): Reader {
  return (cursor) => {
    const entries: Record<string, AvroValue> = Object.create(null) as Record<string, AvroValue>;
    eachItem(cursor, () => {
      const key = text.decode(cursor.bytes(cursor.count()));
      entries[key] = read(cursor);
    });
    return entries;
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
