/** Writes Avro files, the format of the manifests and manifest lists of Iceberg tables. */

import { randomBytes } from 'node:crypto';
import { type AvroRecord, type AvroValue, isObject } from '../metadata/avroRecord.ts';

type Json = Readonly<Record<string, unknown>>;
type Write = (value: AvroValue | undefined, out: ByteSink) => void;

const MAGIC = 'Obj\u0001';
const SYNC_BYTES = 16;
const FIRST_BYTES = 4096;

/** Bytes that grow as they are written. */
class ByteSink {
  #bytes = Buffer.alloc(FIRST_BYTES);
  #length = 0;

  add(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A zigzag number of variable length, as Avro writes `int` and `long`. */
  long(value: bigint): void {
    let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
    this.#makeRoom(10);
    while (rest > 127n) {
      this.#bytes[this.#length++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  sized(bytes: Uint8Array): void {
    this.long(BigInt(bytes.length));
    this.add(bytes);
  }

  taken(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #makeRoom(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

const float = (bytes: 4 | 8): Write => {
  return (value, out) => {
    const buffer = Buffer.alloc(bytes);
    if (bytes === 4) buffer.writeFloatLE(Number(value));
    else buffer.writeDoubleLE(Number(value));
    out.add(buffer);
  };
};
const PRIMITIVES: Readonly<Record<string, Write>> = {
  null: () => undefined,
  boolean: (value, out) => out.add(Buffer.from([value === true ? 1 : 0])),
  int: (value, out) => out.long(wholeOf(value)),
  long: (value, out) => out.long(wholeOf(value)),
  float: float(4),
  double: float(8),
  bytes: (value, out) => out.sized(bytesOf(value)),
  string: (value, out) => out.sized(Buffer.from(String(value), 'utf8')),
};

/**
 * An Avro object container file with these records, each with its values by field id (by name for a field without an
 * id), as `readAvroFile` returns them. Manifests and manifest lists are such files.
 * @param schema the Avro schema, as JSON
 * @param metadata further entries of the file's header
 */
export function avroFile(
  schema: unknown,
  records: readonly AvroRecord[],
  metadata: Readonly<Record<string, string>> = {},
): Buffer {
  const write = writerOf(schema, new Map());
  const sync = randomBytes(SYNC_BYTES);
  const out = new ByteSink();
  const header = Object.entries({
    ...metadata,
    'avro.schema': JSON.stringify(schema),
    'avro.codec': 'null',
  });
  out.add(Buffer.from(MAGIC, 'latin1'));
  out.long(BigInt(header.length));
  for (const [key, value] of header) {
    out.sized(Buffer.from(key, 'utf8'));
    out.sized(Buffer.from(value, 'utf8'));
  }
  out.long(0n);
  out.add(sync);
  if (records.length > 0) {
    const block = new ByteSink();
    for (const record of records) write(record, block);
    out.long(BigInt(records.length));
    out.sized(block.taken());
    out.add(sync);
  }
  return out.taken();
}

function writerOf(schema: unknown, named: Map<string, Write>): Write {
  if (typeof schema === 'string') return namedWriter(schema, named);
  if (Array.isArray(schema)) return unionWriter(schema, named);
  if (!isObject(schema)) throw new Error('an Avro schema is not valid');
  const register = (write: Write): Write => {
    if (typeof schema['name'] === 'string') named.set(schema['name'], write);
    return write;
  };
  switch (schema['type']) {
    case 'record':
      return register(recordWriter(schema, named));
    case 'array':
      return listWriter(writerOf(schema['items'], named));
    case 'map':
      return mapWriter(writerOf(schema['values'], named));
    case 'fixed':
      return register((value, out) => out.add(bytesOf(value)));
    case 'enum': {
      const symbols = Array.isArray(schema['symbols']) ? schema['symbols'] : [];
      return register((value, out) => out.long(BigInt(symbols.indexOf(value))));
    }
    default:
      return writerOf(schema['type'], named);
  }
}

function namedWriter(name: string, named: Map<string, Write>): Write {
  const primitive = Object.hasOwn(PRIMITIVES, name) ? PRIMITIVES[name] : undefined;
  if (primitive !== undefined) return primitive;
  return (value, out) => {
    const write = named.get(name);
    if (write === undefined)
      throw new Error(`an Avro schema uses the type "${name}", which it does not define`);
    write(value, out);
  };
}

/** Unions of manifests have `null` and one other type. */
function unionWriter(branches: readonly unknown[], named: Map<string, Write>): Write {
  const nothing = branches.indexOf('null');
  const other = branches.findIndex((branch) => branch !== 'null');
  if (branches.length > 2 || other === -1) throw new Error('an Avro schema has a union of several types');
  const write = writerOf(branches[other], named);
  return (value, out) => {
    const isNothing = value === null || value === undefined;
    if (isNothing && nothing === -1) throw new Error('a value of an Avro file is missing');
    out.long(BigInt(isNothing ? nothing : other));
    if (!isNothing) write(value, out);
  };
}

function recordWriter(schema: Json, named: Map<string, Write>): Write {
  const fields = Array.isArray(schema['fields']) ? schema['fields'] : [];
  const writers = fields.map((field: unknown): readonly [string, Write] => {
    if (!isObject(field)) throw new Error('an Avro schema is not valid');
    const id = field['field-id'];
    return [String(typeof id === 'number' ? id : field['name']), writerOf(field['type'], named)];
  });
  return (value, out) => {
    const record = isObject(value) ? (value as AvroRecord) : {}; // a record is the only object among values
    for (const [name, write] of writers) write(record[name], out);
  };
}

function listWriter(write: Write): Write {
  return (value, out) => {
    const items = Array.isArray(value) ? (value as readonly AvroValue[]) : [];
    if (items.length > 0) {
      out.long(BigInt(items.length));
      for (const item of items) write(item, out);
    }
    out.long(0n);
  };
}

function mapWriter(write: Write): Write {
  return (value, out) => {
    const entries = isObject(value) ? Object.entries(value as AvroRecord) : []; // as in a record
    if (entries.length > 0) {
      out.long(BigInt(entries.length));
      for (const [key, item] of entries) {
        out.sized(Buffer.from(key, 'utf8'));
        write(item, out);
      }
    }
    out.long(0n);
  };
}

function wholeOf(value: AvroValue | undefined): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw new Error('a number of an Avro file is not whole');
}

function bytesOf(value: AvroValue | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error('a value of an Avro file is not bytes');
}
