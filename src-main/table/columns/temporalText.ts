/** Writes the dates and times of a table as text, as the data viewer and exports show them. */

import { clockText, dateText } from '../../lib/civil.ts';
import type { TimeUnit } from './arrowType.ts';
import { zoneOffsetOf } from './zoneOffset.ts';

export const PER_SECOND: Readonly<Record<TimeUnit, number>> = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 };

/** Whole seconds and the remainder in units, both exact although a count of nanoseconds may exceed 2^53. */
function splitSeconds(count: bigint, unit: TimeUnit): { readonly seconds: number; readonly rest: number } {
  const per = BigInt(PER_SECOND[unit]);
  let rest = count % per;
  if (rest < 0n) rest += per;
  return { seconds: Number((count - rest) / per), rest: Number(rest) };
}

/**
 * The fraction of a second like in Python's isoformat: nothing if zero, six digits, or nine if nanoseconds need them.
 */
function fraction(rest: number, unit: TimeUnit): string {
  if (rest === 0) return '';
  const nanos = rest * (1e9 / PER_SECOND[unit]);
  const digits = String(nanos).padStart(9, '0');
  return `.${nanos % 1000 === 0 ? digits.slice(0, 6) : digits}`;
}

/** A timestamp as ISO 8601 local time, with the offset if the column has a zone. */
export function timestampText(count: bigint, unit: TimeUnit, zone: string | null): string {
  const { seconds, rest } = splitSeconds(count, unit);
  return stampText(seconds, rest, { unit, zone });
}

/** A timestamp from a count that a double represents exactly, which is three times as fast. */
export function smallTimestampText(count: number, unit: TimeUnit, zone: string | null): string {
  const per = PER_SECOND[unit];
  const seconds = Math.floor(count / per);
  return stampText(seconds, count - seconds * per, { unit, zone });
}

function stampText(
  seconds: number,
  rest: number,
  { unit, zone }: { readonly unit: TimeUnit; readonly zone: string | null },
): string {
  const offset = zone === null ? 0 : zoneOffsetOf(zone)(seconds);
  const local = seconds + offset;
  const days = Math.floor(local / 86_400);
  const text = `${dateText(days)}T${clockText(local - days * 86_400)}${fraction(rest, unit)}`;
  return zone === null ? text : text + offsetText(offset);
}

function offsetText(offset: number): string {
  const clock = clockText(Math.abs(offset));
  return `${offset < 0 ? '-' : '+'}${clock.endsWith(':00') ? clock.slice(0, 5) : clock}`;
}

export function timeText(count: bigint, unit: TimeUnit): string {
  const { seconds, rest } = splitSeconds(count, unit);
  return clockText(seconds) + fraction(rest, unit);
}

/** A duration like Python's str(timedelta): `1 day, 2:03:04.500000`. */
export function durationText(count: bigint, unit: TimeUnit): string {
  const { seconds, rest } = splitSeconds(count, unit);
  const days = Math.floor(seconds / 86_400);
  const clock = clockText(seconds - days * 86_400).replace(/^0(\d:)/, '$1');
  const prefix = days === 0 ? '' : `${days} day${Math.abs(days) === 1 ? '' : 's'}, `;
  return prefix + clock + fraction(rest, unit);
}
