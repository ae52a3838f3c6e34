/** Computes the partition transforms of Iceberg (bucket, truncate, day, …), so that scans can skip partitions. */

import { civilOf } from '../../lib/civil.ts';
import type { Primitive } from '../metadata/types.ts';
import { murmur3 } from './murmur3.ts';
import { type Plain, shortestBigEndian } from './plain.ts';

/** Computes a partition value from a column's value. */
export interface Transform {
  /** `equality`: equal values have equal results; `order`: the order is also preserved; `none`: unknown. */
  readonly keeps: 'identity' | 'order' | 'equality' | 'none';
  /** The type of the result; null for `void` and for unknown transforms. */
  readonly resultType: Primitive | null;
  readonly apply: (value: Plain) => Plain;
  /** Whether the result may be one too high before 1970, as with early writers. */
  readonly isTime: boolean;
}

const UNKNOWN: Transform = { keeps: 'none', resultType: null, apply: (value) => value, isTime: false };
const INT: Primitive = { kind: 'int' };

/** The transform of a partition field; an unknown transform prunes nothing. */
export function transformOf(text: string, source: Primitive): Transform {
  if (text === 'identity') return { ...UNKNOWN, keeps: 'identity', resultType: source };
  const [, name = '', parameter = ''] = /^(bucket|truncate)\[(\d+)\]$/.exec(text) ?? [];
  const width = Number(parameter);
  if (name === 'bucket' && width > 0) {
    const hash = hashOf(source);
    if (hash === null) return UNKNOWN;
    const apply = (value: Plain) => BigInt((hash(value) & 0x7fffffff) % width);
    return { ...UNKNOWN, keeps: 'equality', resultType: INT, apply };
  }
  if (name === 'truncate' && width > 0) {
    const apply = truncateOf(source, width);
    return apply === null ? UNKNOWN : { ...UNKNOWN, keeps: 'order', resultType: source, apply };
  }
  const apply = timeOf(text, source);
  if (apply === null) return UNKNOWN;
  // In the specification, `day` is a date and the others are counts since 1970. In a manifest both are
  // integers.
  return { keeps: 'order', resultType: INT, apply, isTime: true };
}

/** The hash function for buckets, by type; null for types without one. */
export function hashOf(type: Primitive): ((value: Plain) => number) | null {
  switch (type.kind) {
    case 'int':
    case 'long':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return (value) => hashLong(value as bigint); // by the type
    case 'timestamp_ns':
    case 'timestamptz_ns':
      return (value) => hashLong(floorDivide(value as bigint, 1000n)); // hashed as microseconds
    case 'decimal':
      return (value) => murmur3(shortestBigEndian(value as bigint)); // by the type
    case 'string':
    case 'uuid':
    case 'fixed':
    case 'binary':
      return (value) => murmur3(value as Uint8Array); // by the type
    default:
      return null;
  }
}

function hashLong(value: bigint): number {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt.asIntN(64, value), true);
  return murmur3(bytes);
}

function truncateOf(type: Primitive, width: number): ((value: Plain) => Plain) | null {
  switch (type.kind) {
    case 'int':
    case 'long':
    case 'decimal':
      return (value) => floorDivide(value as bigint, BigInt(width)) * BigInt(width); // by the type
    case 'string':
      return (value) => firstCharacters(value as Uint8Array, width); // by the type
    case 'binary':
      return (value) => (value as Uint8Array).subarray(0, width); // by the type
    default:
      return null;
  }
}

/** The first `count` code points of UTF-8 bytes. */
function firstCharacters(bytes: Uint8Array, count: number): Uint8Array {
  let characterCount = 0;
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const continues = ((bytes[at] ?? 0) & 0xc0) === 0x80;
    if (continues) continue;
    if (characterCount === count) return bytes.subarray(0, at);
    characterCount += 1;
  }
  return bytes;
}

const SECOND = 1_000_000n;
const HOUR = 3600n * SECOND;
const DAY = 24n * HOUR;

function timeOf(name: string, type: Primitive): ((value: Plain) => Plain) | null {
  const perDay = type.kind === 'date' ? 1n : type.kind.endsWith('_ns') ? DAY * 1000n : DAY;
  if (!/^(date|timestamp(tz)?(_ns)?)$/.test(type.kind)) return null;
  const days = (value: Plain) => floorDivide(value as bigint, perDay); // by the type
  switch (name) {
    case 'year':
      return (value) => BigInt(civilOf(Number(days(value)))[0] - 1970);
    case 'month': {
      return (value) => {
        const [year, month] = civilOf(Number(days(value)));
        return BigInt((year - 1970) * 12 + month - 1);
      };
    }
    case 'day':
      return days;
    case 'hour':
      return type.kind === 'date' ? null : (value) => floorDivide(value as bigint, perDay / 24n); // by the type
    default:
      return null;
  }
}

/** Division that rounds towards negative infinity; `bigint` division rounds towards zero. */
export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
