/** Converts the value of a data viewer's filter to the unit of its column. */

import { daysOf } from '../../lib/civil.ts';
import type { ArrowType, TimeUnit } from '../columns/arrowType.ts';
import { PER_SECOND } from '../columns/temporalText.ts';
import { zoneOffsetOf } from '../columns/zoneOffset.ts';

/**
 * A filter's value in the unit of a column (days, nanoseconds, hundredths of a decimal …): the greatest integer that is
 * not above it, and whether the two are equal. So `x > 5.5` keeps its meaning for integers.
 */
export interface Count {
  readonly floor: bigint;
  readonly exact: boolean;
}

/**
 * A filter's value as a count; null if it cannot be of that type: the filter is then ignored (docs/spec/values.md, 3).
 */
export function coerceCount(type: ArrowType, value: unknown): Count | null {
  switch (type.kind) {
    case 'bool':
      return coerceBool(value);
    case 'int':
      return typeof value === 'boolean' ? whole(value ? 1n : 0n) : scaled(value, 0);
    case 'decimal':
      return scaled(value, type.scale);
    case 'date': {
      const at = typeof value === 'string' ? parseTimestamp(value, null) : null;
      return at === null ? null : inUnit(at, type.unit === 'day' ? DAY : 1_000_000n);
    }
    case 'timestamp': {
      const at = typeof value === 'string' ? parseTimestamp(value, type.zone) : null;
      return at === null ? null : inUnit(at, nanosPer(type.unit));
    }
    case 'time': {
      const at = typeof value === 'string' ? parseClock(value) : null;
      return at === null ? null : inUnit(at, nanosPer(type.unit));
    }
    case 'duration': {
      const at = typeof value === 'string' ? parseDuration(value) : null;
      const nanos = at ?? scaled(value, 9)?.floor ?? null;
      return nanos === null ? null : inUnit(nanos, nanosPer(type.unit));
    }
    default:
      return null;
  }
}

/** A filter's value for a column of floats; single-precision columns compare in single precision. */
export function coerceFloat(bits: number, value: unknown): number | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' ? parseNumber(value) : Number.NaN;
  if (Number.isNaN(number)) return null;
  return bits === 32 ? Math.fround(number) : number;
}

/** A filter's value for a column of text; null if it cannot be text: the filter is then ignored. */
export function coerceText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

const DAY = 86_400_000_000_000n;
const SECOND = 1_000_000_000n;

function nanosPer(unit: TimeUnit): bigint {
  return BigInt(1e9 / PER_SECOND[unit]);
}

function whole(floor: bigint): Count {
  return { floor, exact: true };
}

function floorDivide(value: bigint, by: bigint): Count {
  const quotient = value / by;
  const exact = quotient * by === value;
  return { floor: exact || value >= 0n ? quotient : quotient - 1n, exact };
}

function inUnit(nanos: bigint, per: bigint): Count {
  return floorDivide(nanos, per);
}

function coerceBool(value: unknown): Count | null {
  const text = String(value).trim().toLowerCase();
  if (text === 'true' || text === '1') return whole(1n);
  return text === 'false' || text === '0' ? whole(0n) : null;
}

function parseNumber(text: string): number {
  const trimmed = text.trim();
  if (/^[+-]?inf(inity)?$/i.test(trimmed)) {
    return trimmed.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** `value × 10^scale`, exactly. */
function scaled(value: unknown, scale: number): Count | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const digits = `${match[2] ?? ''}${match[3] ?? ''}`;
  if (digits === '' || digits.length > 400) return null;
  const unsigned = BigInt(digits);
  const power = Number(match[4] ?? 0) - (match[3] ?? '').length + scale;
  const signed = match[1] === '-' ? -unsigned : unsigned;
  return power >= 0 ? whole(signed * 10n ** BigInt(power)) : floorDivide(signed, 10n ** BigInt(-power));
}

const STAMP =
  /^(\d{4}|[+-]\d{6})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Nanoseconds since 1970 of an ISO 8601 date or date with time. Without an offset it is in the column's zone, like its
 * displayed values; a column without a zone counts as UTC.
 */
function parseTimestamp(text: string, zone: string | null): bigint | null {
  const match = STAMP.exec(text.trim());
  if (match === null) return null;
  const days = daysOf(Number(match[1]), Number(match[2]), Number(match[3]));
  const clock = match[4] === undefined ? 0n : parseClock(match[4]);
  if (days === null || clock === null) return null;
  const local = BigInt(days) * DAY + clock;
  const offset = match[5];
  if (offset === undefined) return local - BigInt(localOffset(Number(local / SECOND), zone)) * SECOND;
  if (/^z$/i.test(offset)) return local;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(':', '') || 0);
  return local - BigInt((offset.startsWith('-') ? -minutes : minutes) * 60) * SECOND;
}

/** The offset at a local time; at a clock change the one after it. */
function localOffset(localSeconds: number, zone: string | null): number {
  if (zone === null) return 0;
  const offset = zoneOffsetOf(zone);
  return offset(localSeconds - offset(localSeconds));
}

/** Nanoseconds of `HH:MM[:SS[.f]]`. */
function parseClock(text: string): bigint | null {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/.exec(text.trim());
  if (match === null) return null;
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  if (hours > 24 || minutes > 59 || seconds > 60) return null;
  return BigInt(hours * 3600 + minutes * 60 + seconds) * SECOND + BigInt((match[4] ?? '').padEnd(9, '0'));
}

/** Nanoseconds of a duration in its displayed form: `[-N day(s)[,] ]H:MM[:SS[.f]]`. */
function parseDuration(text: string): bigint | null {
  const match = /^(?:([+-]?\d{1,9})\s*days?(?:,?\s+|$))?(?:(\d{1,2}:.*))?$/.exec(text.trim());
  if (match === null || (match[1] === undefined && match[2] === undefined)) return null;
  const clock = match[2] === undefined ? 0n : parseClock(match[2]);
  return clock === null ? null : BigInt(match[1] ?? 0) * DAY + clock;
}
