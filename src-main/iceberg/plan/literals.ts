/** Converts the values in the conditions of a scan to the types of their columns. */

import type { Primitive } from '../metadata/types.ts';
import { atScale, type ExactNumber, exactNumber } from '../values/exactNumber.ts';
import type { Plain } from '../values/plain.ts';
import { dateTimeValue, nanosAs, timeOfDay } from '../values/timeValue.ts';

/** A value of a filter in the type of its column: itself, or the next lower value of that type. */
export interface Literal {
  readonly value: Plain;
  readonly isExact: boolean;
}

const TAGGED = /^__(datetime|date|time|decimal|uuid|bytes)__:([\s\S]*)$/;
const MICROSECOND = 1000n;
const DAY = 86_400_000_000_000n;
const UNIT: Readonly<Record<string, bigint>> = {
  date: DAY,
  timestamp: MICROSECOND,
  timestamptz: MICROSECOND,
  timestamp_ns: 1n,
  timestamptz_ns: 1n,
};

/**
 * The value in the type of the column, or null if it does not fit. Texts may have a type as prefix:
 * `__date__:2026-01-31`.
 */
export function literalOf(value: string | number | bigint | boolean, type: Primitive): Literal | null {
  const [tag, text] = typeof value === 'string' ? tagged(value) : [null, null];
  switch (type.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? exact(BigInt(value)) : null;
    case 'int':
    case 'long':
      return numeric(value, tag, text, 0);
    case 'decimal':
      return numeric(value, tag, text, type.scale);
    case 'float':
    case 'double':
      return floating(value, tag, text, type.kind);
    case 'string':
      return text !== null && tag === null ? exact(Buffer.from(text, 'utf8')) : null;
    case 'uuid':
      return text !== null && (tag === null || tag === 'uuid') ? uuid(text) : null;
    case 'fixed':
    case 'binary':
      return text !== null && tag === 'bytes' ? hex(text) : null;
    case 'time':
      return text !== null && (tag === null || tag === 'time') ? time(text) : null;
    case 'date':
    case 'timestamp':
    case 'timestamptz':
    case 'timestamp_ns':
    case 'timestamptz_ns':
      return text !== null && (tag === null || tag === 'date' || tag === 'datetime')
        ? moment(text, type.kind)
        : null;
    case 'unknown':
      return null;
  }
}

function tagged(value: string): readonly [string | null, string] {
  const [, tag = null, text = value] = TAGGED.exec(value) ?? [];
  return [tag, text];
}

function exact(value: Plain): Literal {
  return { value, isExact: true };
}

function numberOf(value: unknown, tag: string | null, text: string | null): ExactNumber | null {
  if (typeof value === 'bigint') return { units: value, scale: 0 };
  // The shortest text of a double is the number that its writer meant.
  if (typeof value === 'number') return exactNumber(String(value));
  return text !== null && tag === 'decimal' ? exactNumber(text) : null;
}

function numeric(value: unknown, tag: string | null, text: string | null, scale: number): Literal | null {
  const number = numberOf(value, tag, text);
  if (number === null) return null;
  const { floor, isExact } = atScale(number, scale);
  return { value: floor, isExact };
}

/** Rounds to the nearest value of the type, like Iceberg's own libraries. */
function floating(
  value: unknown,
  tag: string | null,
  text: string | null,
  kind: 'float' | 'double',
): Literal | null {
  const number =
    typeof value === 'number' || typeof value === 'bigint'
      ? Number(value)
      : text !== null && tag === 'decimal' && exactNumber(text) !== null
        ? Number(text)
        : Number.NaN;
  if (Number.isNaN(number)) return null;
  return exact(kind === 'float' ? Math.fround(number) : number);
}

function uuid(text: string): Literal | null {
  const digits = text.replaceAll('-', '');
  return /^[0-9a-fA-F]{32}$/.test(digits) ? exact(Buffer.from(digits, 'hex')) : null;
}

function hex(text: string): Literal | null {
  return /^(?:[0-9a-fA-F]{2})*$/.test(text) ? exact(Buffer.from(text, 'hex')) : null;
}

function time(text: string): Literal | null {
  const nanos = timeOfDay(text);
  if (nanos === null) return null;
  const { floor, isExact } = nanosAs(nanos, MICROSECOND);
  return { value: floor, isExact };
}

/**
 * For a column with a time zone, a timestamp without one is UTC; for a column without one, a timestamp with a
 * zone cannot be compared.
 */
function moment(text: string, kind: string): Literal | null {
  const timeValue = dateTimeValue(text);
  if (timeValue === null || (timeValue.hasZone && !kind.startsWith('timestamptz'))) return null;
  const { floor, isExact } = nanosAs(timeValue.nanos, UNIT[kind] ?? 1n);
  return { value: floor, isExact };
}
