import { decimalText } from '../../sql/arrow/decimal.ts';
import { quotedText } from '../../sql/duckdb/quoted.ts';
import type { Primitive } from '../metadata/types.ts';
import type { Plain } from '../values/plain.ts';

/** A value of a condition as a SQL literal of DuckDB, with exactly the type of its column. */
export function literalSql(value: Plain, type: Primitive): string {
  switch (type.kind) {
    case 'boolean':
      return value === 0n ? 'false' : 'true';
    case 'date':
      return `make_date(CAST(${value} AS INTEGER))`;
    case 'time':
      return `CAST('${timeText(value as bigint)}' AS TIME)`; // by the type
    case 'timestamp':
      return `make_timestamp(CAST(${value} AS BIGINT))`;
    case 'timestamptz':
      return `CAST(make_timestamp(CAST(${value} AS BIGINT)) AS TIMESTAMPTZ)`;
    case 'timestamp_ns':
    case 'timestamptz_ns':
      return `make_timestamp_ns(CAST(${value} AS BIGINT))`;
    case 'decimal':
      return `CAST('${decimalText(value as bigint, type.scale)}' AS ${duckdbTypeOf(type)})`; // by the type
    case 'string':
      return textSql(Buffer.from(value as Uint8Array).toString('utf8')); // by the type
    case 'uuid':
      return `CAST('${Buffer.from(value as Uint8Array).toString('hex')}' AS UUID)`; // by the type
    case 'fixed':
    case 'binary':
      return `from_hex('${Buffer.from(value as Uint8Array).toString('hex')}')`; // by the type
    case 'float':
    case 'double':
    case 'int':
    case 'long':
      return `CAST('${value}' AS ${duckdbTypeOf(type)})`;
    case 'unknown':
      return 'NULL';
  }
}

/** A text as a SQL literal; a NUL ends a statement in DuckDB and needs another form. */
function textSql(text: string): string {
  return text.includes('\0')
    ? `decode(from_hex('${Buffer.from(text, 'utf8').toString('hex')}'))`
    : quotedText(text);
}

function timeText(micros: bigint): string {
  const two = (value: bigint) => String(value).padStart(2, '0');
  const seconds = micros / 1_000_000n;
  const fraction = String(micros % 1_000_000n).padStart(6, '0');
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}.${fraction}`;
}

/** The name of the type in DuckDB. */
export function duckdbTypeOf(type: Primitive): string {
  switch (type.kind) {
    case 'boolean':
      return 'BOOLEAN';
    case 'int':
      return 'INTEGER';
    case 'long':
      return 'BIGINT';
    case 'float':
      return 'FLOAT';
    case 'double':
      return 'DOUBLE';
    case 'date':
      return 'DATE';
    case 'time':
      return 'TIME';
    case 'timestamp':
      return 'TIMESTAMP';
    case 'timestamptz':
      return 'TIMESTAMP WITH TIME ZONE';
    case 'timestamp_ns':
    case 'timestamptz_ns':
      return 'TIMESTAMP_NS';
    case 'string':
      return 'VARCHAR';
    case 'uuid':
      return 'UUID';
    case 'fixed':
    case 'binary':
      return 'BLOB';
    case 'decimal':
      return `DECIMAL(${type.precision},${type.scale})`;
    case 'unknown':
      return 'INTEGER';
  }
}
