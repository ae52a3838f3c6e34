/** Reads the stored values of other cells that a SQL cell binds to its placeholders. */

import { readFileSync, statSync } from 'node:fs';
import { RecordBatchReader, type Vector } from 'apache-arrow';
import type { BindValue } from './bindValue.ts';
import { SqlError } from './sqlError.ts';
import { readTimestamp } from './timeText.ts';

/** A stored value of an upstream cell. */
export interface StoredValue {
  readonly contentType: string;
  readonly path: string;
}

/** A bound value is a single value, so a larger file cannot be one. */
const MAX_BYTES = 64 * 1024 * 1024;
const INT64_LIMIT = 2n ** 63n;

/**
 * The value for a placeholder, by its exact type in the upstream cell (docs/spec/sql.md, 1): None, bool, int, float,
 * str, bytes, Decimal, UUID, datetime, date, time. Every other type is refused with the placeholder's name.
 * @throws SqlError
 */
export function readBind(name: string, { contentType, path }: StoredValue): BindValue {
  if (contentType !== 'json/object' && contentType !== 'arrow/ipc') {
    throw refusal(name, `a ${contentType} value`);
  }
  if (statSync(path).size > MAX_BYTES) throw refusal(name, 'a value of more than 64 MiB');
  return contentType === 'json/object'
    ? ofJson(name, readFileSync(path, 'utf8'))
    : ofArrow(name, readFileSync(path));
}

function refusal(name: string, what: string): SqlError {
  return new SqlError(
    `:${name} is ${what}. A placeholder takes None, bool, int, float, str, bytes, Decimal, UUID, datetime, date or time.`,
  );
}

/** JSON from Python distinguishes `1` and `1.0`, and has NaN and Infinity, which standard JSON does not. */
function ofJson(name: string, json: string): BindValue {
  const text = json.trim();
  if (text === 'null') return { type: 'null', value: null };
  if (text === 'true' || text === 'false') return { type: 'bool', value: text === 'true' };
  if (/^-?\d+$/.test(text)) return ofInteger(name, BigInt(text));
  if (text === 'NaN') return { type: 'float', value: Number.NaN };
  if (/^-?Infinity$/.test(text)) return { type: 'float', value: Number(text) };
  if (/^-?[\d.]/.test(text)) return { type: 'float', value: Number(text) };
  if (!text.startsWith('"')) throw refusal(name, text.startsWith('[') ? 'a list' : 'a dict');
  return ofText(name, String(JSON.parse(text)));
}

function ofInteger(name: string, value: bigint): BindValue {
  if (value >= INT64_LIMIT || value < -INT64_LIMIT) {
    throw new SqlError(
      `:${name} is an integer of more than 64 bits. Bind str(${name}) or a Decimal instead.`,
    );
  }
  return { type: 'int', value };
}

function ofText(name: string, value: string): BindValue {
  if (!value.isWellFormed()) {
    throw new SqlError(
      `:${name} contains half a character (a lone surrogate), which databases cannot store.`,
    );
  }
  return { type: 'text', value };
}

function ofArrow(name: string, bytes: Uint8Array): BindValue {
  if (bytes[0] === 0x7b) throw refusal(name, 'a table');
  const reader = RecordBatchReader.from(bytes);
  reader.open();
  const { metadata } = reader.schema;
  const shape = metadata.get('svc.arrow.shape');
  if (shape !== 'scalar') throw refusal(name, shape === 'tensor' ? 'an array' : 'a table');
  const column = [...reader][0]?.getChild('value');
  if (column === null || column === undefined || column.length < 1) throw refusal(name, 'an empty value');
  return ofScalar(name, metadata, column);
}

function ofScalar(name: string, metadata: ReadonlyMap<string, string>, column: Vector): BindValue {
  const type = metadata.get('svc.arrow.scalar.type') ?? '';
  const detail = detailOf(metadata);
  const text = typeof detail['text'] === 'string' ? detail['text'] : null;
  switch (type) {
    case 'bytes':
    case 'bytearray': {
      const value: unknown = column.get(0);
      if (value instanceof Uint8Array) return { type: 'bytes', value: new Uint8Array(value) };
      break;
    }
    case 'uuid':
      return { type: 'uuid', value: String(column.get(0)).toLowerCase() };
    case 'decimal':
      return { type: 'decimal', value: plainDecimal(name, text ?? '') };
    case 'date':
      return {
        type: 'date',
        value: new Date(Number(firstNumber(column)) * 86_400_000).toISOString().slice(0, 10),
      };
    case 'time':
      if (text !== null) return { type: 'time', value: text };
      break;
    case 'datetime':
      return ofDatetime(name, {
        text,
        isZoned: 'zone' in detail || 'offset' in detail,
        micros: BigInt(firstNumber(column)),
      });
    case 'numpy':
      throw refusal(name, 'a numpy value (write int(x), float(x) or x.item())');
    case 'pandas.Timestamp':
      throw refusal(name, 'a pandas Timestamp (write x.to_pydatetime())');
  }
  throw refusal(name, type === '' ? 'a value of an unknown type' : `a ${type}`);
}

/** With a zone only the instant counts, not the name of the zone. */
function ofDatetime(
  name: string,
  {
    text,
    isZoned,
    micros,
  }: { readonly text: string | null; readonly isZoned: boolean; readonly micros: bigint },
): BindValue {
  if (!isZoned && text !== null && readTimestamp(text) !== null) return { type: 'timestamp', value: text };
  const seconds = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n);
  const part = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) throw refusal(name, 'a datetime out of range');
  const fraction = part === 0n ? '' : `.${String(part).padStart(6, '0')}`;
  return { type: 'timestamp', value: `${date.toISOString().slice(0, 19)}${fraction}${isZoned ? 'Z' : ''}` };
}

function firstNumber(column: Vector): number | bigint {
  const data = column.data[0];
  const values: unknown = data?.values;
  const value: unknown =
    ArrayBuffer.isView(values) && 'at' in values ? (values as Int32Array).at(data?.offset ?? 0) : undefined;
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
}

function detailOf(metadata: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  const text = metadata.get('svc.arrow.scalar.detail');
  return text === undefined ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
}

const MAX_EXPONENT = 1000;

/** Python's `1E+3`, `-1.50E-7` without an exponent. */
function plainDecimal(name: string, text: string): string {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) throw refusal(name, `the decimal ${text}`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > MAX_EXPONENT) throw refusal(name, `the decimal ${text}`);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = point <= 0 ? 1 : point;
  const [left, right] = [padded.slice(0, at).replace(/^0+(?=\d)/, ''), padded.slice(at)];
  return `${sign === '-' ? '-' : ''}${left}${right === '' ? '' : `.${right}`}`;
}
