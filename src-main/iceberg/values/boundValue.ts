import type { AvroValue } from '../metadata/avroRecord.ts';
import type { Primitive } from '../metadata/types.ts';
import { bigEndian, type Plain } from './plain.ts';

/**
 * Decodes a lower or upper bound of a column in a manifest (Iceberg's single-value serialization). Bounds of a promoted
 * column have the bytes of its earlier type.
 * @returns null if the bytes are not a value of the type, so that the bound is unknown
 */
export function boundValue(bytes: Uint8Array, type: Primitive): Plain | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytes.byteLength;
  switch (type.kind) {
    case 'boolean':
      return size === 1 ? BigInt(bytes[0] === 0 ? 0 : 1) : null;
    case 'int':
    case 'long':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
    case 'timestamp_ns':
    case 'timestamptz_ns':
      if (size === 4) return BigInt(view.getInt32(0, true));
      return size === 8 ? view.getBigInt64(0, true) : null;
    case 'float':
    case 'double': {
      const value =
        size === 4 ? view.getFloat32(0, true) : size === 8 ? view.getFloat64(0, true) : Number.NaN;
      return Number.isNaN(value) ? null : value;
    }
    case 'decimal':
      return size === 0 ? null : bigEndian(bytes);
    case 'string':
    case 'uuid':
    case 'fixed':
    case 'binary':
      return bytes;
    case 'unknown':
      return null;
  }
}

/**
 * A partition value from a manifest's Avro record; null: NULL.
 * @returns undefined if it is not a value of the type, so that it is unknown
 */
export function partitionValue(value: AvroValue | undefined, type: Primitive): Plain | null | undefined {
  if (value === null) return null;
  switch (type.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? BigInt(value) : undefined;
    case 'float':
    case 'double':
      return typeof value === 'number' ? value : undefined;
    case 'decimal':
      return value instanceof Uint8Array ? bigEndian(value) : undefined;
    case 'string':
      return typeof value === 'string' ? Buffer.from(value, 'utf8') : undefined;
    case 'uuid':
      if (typeof value === 'string') return Buffer.from(value.replaceAll('-', ''), 'hex');
      return value instanceof Uint8Array ? value : undefined;
    case 'fixed':
    case 'binary':
      return value instanceof Uint8Array ? value : undefined;
    case 'unknown':
      return undefined;
    default:
      return typeof value === 'bigint' ? value : undefined;
  }
}
