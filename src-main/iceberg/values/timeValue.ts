/** Parses dates and times in ISO 8601 to nanoseconds, for the filters and statistics of Iceberg tables. */

const DATE = String.raw`([+-]?\d{4,6})-(\d\d)-(\d\d)`;
const TIME = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?`;
const ZONE = String.raw`(Z|[+-]\d\d(?::?\d\d)?)?`;
const DATE_TIME = new RegExp(`^${DATE}(?:[T ]${TIME}${ZONE})?$`);
const TIME_ONLY = new RegExp(`^${TIME}$`);

/** Nanoseconds since 1970-01-01 or since midnight, and whether the text had a zone. */
interface TimeValue {
  readonly nanos: bigint;
  readonly hasZone: boolean;
}

/** A date, or a date with a time, in ISO 8601; null for other texts and for nonexistent dates. */
export function dateTimeValue(text: string): TimeValue | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const time = nanosOfDay(hour, minute, second, fraction);
  if (!isDay || time === null) return null;
  const nanos = BigInt(date.getTime()) * 1_000_000n + time - zoneNanos(zone);
  return { nanos, hasZone: zone !== undefined };
}

/** A time of day in ISO 8601; null for other texts. */
export function timeOfDay(text: string): bigint | null {
  const [match, hour = '', minute = '', second = '0', fraction = ''] = TIME_ONLY.exec(text) ?? [];
  return match === undefined ? null : nanosOfDay(hour, minute, second, fraction);
}

function nanosOfDay(hour: string, minute: string, second: string, fraction: string): bigint | null {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

function zoneNanos(zone: string | undefined): bigint {
  if (zone === undefined || zone === 'Z') return 0n;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = BigInt(Number(hours) * 60 + Number(minutes)) * 60_000_000_000n;
  return sign === '-' ? -offset : offset;
}

/** Nanoseconds in larger units, rounded down. */
export function nanosAs(
  nanos: bigint,
  nanosPerUnit: bigint,
): { readonly floor: bigint; readonly isExact: boolean } {
  const rest = ((nanos % nanosPerUnit) + nanosPerUnit) % nanosPerUnit;
  return { floor: (nanos - rest) / nanosPerUnit, isExact: rest === 0n };
}
