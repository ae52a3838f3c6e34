/** Converts Snowflake's column types and values to those of SQL results. */

import type { Column as ClientColumn } from 'snowflake-sdk';
import { type Column, type ColumnType, FLOAT64, INT64, type RowValue, TEXT } from '../columnType.ts';
import { SqlError } from '../sqlError.ts';

/** A value as the client returns it; numbers are text. */
type ClientValue = unknown;

/** The client's timestamps. Its Date only has milliseconds; these methods have all digits. */
interface ClientTimestamp {
  getEpochSeconds(): number;
  getNanoSeconds(): number;
}

const INT64_MAX = 2n ** 63n - 1n;
const MICRO = 1_000n;
/** The range of 64-bit nanoseconds, in seconds from the epoch. */
const NANO_RANGE = 9_223_372_036n;

/**
 * The column type for a Snowflake type. Whole numbers are 64-bit if the first values fit, regardless of their declared
 * width (INTEGER is NUMBER(38,0) here). Timestamps are microseconds, or nanoseconds if one of the first values needs
 * it.
 * @param sample the values of the first batch of the result
 */
export function columnOf(column: ClientColumn, sample: readonly ClientValue[]): Column {
  return { name: column.getName(), type: columnTypeOf(column, sample) };
}

function columnTypeOf(column: ClientColumn, sample: readonly ClientValue[]): ColumnType {
  const type = column.getType();
  if (type === 'fixed') return numberType(column, sample);
  if (type === 'real') return FLOAT64;
  if (type === 'boolean') return { kind: 'bool' };
  if (type === 'binary') return { kind: 'bytes' };
  if (type === 'date') return { kind: 'date' };
  if (type === 'time') return { kind: 'time' };
  if (/^timestamp_(ntz|ltz|tz)$/.test(type)) {
    const unit = sample.some((value) => isTimestamp(value) && value.getNanoSeconds() % 1_000 !== 0)
      ? 'ns'
      : 'us';
    return { kind: 'timestamp', unit, zone: type === 'timestamp_ntz' ? null : 'UTC' };
  }
  return TEXT;
}

function numberType(column: ClientColumn, sample: readonly ClientValue[]): ColumnType {
  const scale = column.getScale();
  const precision = column.getPrecision();
  if (scale === 0 && (precision <= 18 || sample.every(isInt64))) return INT64;
  return { kind: 'decimal', precision, scale };
}

function isInt64(value: ClientValue): boolean {
  if (value === null) return true;
  const number = BigInt(String(value));
  return number <= INT64_MAX && number >= -INT64_MAX - 1n;
}

function isTimestamp(value: ClientValue): value is ClientTimestamp {
  return typeof value === 'object' && value !== null && 'getEpochSeconds' in value;
}

/** A reader for the values of a column; it throws an SqlError for a value that does not fit the column. */
export function readerOf({ name, type }: Column): (value: ClientValue) => RowValue {
  const readNonNull = valueReader(type, name);
  return (value) => (value === null || value === undefined ? null : readNonNull(value));
}

function valueReader(type: ColumnType, name: string): (value: ClientValue) => RowValue {
  switch (type.kind) {
    case 'int':
      return (value) => {
        if (isInt64(value)) return BigInt(String(value));
        throw unsupported(name, 'a number of more than 64 bits', 'TO_VARCHAR(x)');
      };
    case 'decimal':
      return String;
    case 'float':
      return (value) => floatOf(String(value));
    case 'bool':
      return (value) => value === true;
    case 'bytes':
      // The client's BINARY values are Buffers with additional methods.
      return (value) => Buffer.from(value as Buffer);
    case 'date':
      return (value) => Math.floor((value as Date).getTime() / 86_400_000); // the client's type for DATE
    case 'time':
      return (value) => timeMicros(String(value), name);
    case 'timestamp':
      return (value) => timestampOf(value as unknown as ClientTimestamp, type.unit, name); // the client's type
    default:
      return textOf;
  }
}

function floatOf(text: string): number {
  if (/^-?inf/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

/** Reads `13:05:09.000120000`, the format that every statement requests. */
function timeMicros(text: string, name: string): bigint {
  const [, hours, minutes, seconds, fraction = ''] =
    /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const nanos = BigInt(fraction.padEnd(9, '0'));
  if (hours === undefined) throw unsupported(name, `"${text}", which is not a time`, 'TO_VARCHAR(x)');
  if (nanos % MICRO !== 0n) throw unsupported(name, 'a time of nanoseconds', 'x::TIME(6)');
  return (
    (BigInt(hours) * 3_600n + BigInt(minutes ?? 0) * 60n + BigInt(seconds ?? 0)) * 1_000_000n + nanos / MICRO
  );
}

function timestampOf(value: ClientTimestamp, unit: string, name: string): bigint {
  const seconds = BigInt(value.getEpochSeconds());
  const nanos = BigInt(value.getNanoSeconds());
  if (unit === 'ns') {
    if (seconds < NANO_RANGE && seconds > -NANO_RANGE) return seconds * 1_000_000_000n + nanos;
    throw unsupported(name, 'nanoseconds and a year they do not reach', 'x::TIMESTAMP_NTZ(6)');
  }
  if (nanos % MICRO !== 0n)
    throw unsupported(name, 'a timestamp of nanoseconds far into the result', 'x::TIMESTAMP_NTZ(6)');
  return seconds * 1_000_000n + nanos / MICRO;
}

/** VARIANT and similar types are JSON text; structured types are objects of the client. */
function textOf(value: ClientValue): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_key, part: unknown) =>
    part instanceof Map ? Object.fromEntries(part) : part,
  );
}

function unsupported(name: string, what: string, cast: string): SqlError {
  return new SqlError(`The column "${name}" holds ${what}; cast it: ${cast}.`);
}
