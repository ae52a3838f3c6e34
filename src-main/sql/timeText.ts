/** Parses dates and times in ISO format, for values that are bound to SQL statements. */

const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;
const DATE = /^([+-]?\d{4,6})-(\d{2})-(\d{2})$/;
const OFFSET = /(Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)$/;
const MICROS_PER_DAY = 86_400_000_000n;

/** `2024-02-29` as days since 1970-01-01; null for other text. */
export function daysOf(text: string): number | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? Math.round(date.getTime() / 86_400_000) : null;
}

/** `13:05:09.000120` as microseconds since midnight; null for other text. */
export function microsOfTime(text: string): bigint | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [, hours = '', minutes = '', seconds = '0', fraction = ''] = match;
  const whole = BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds);
  return whole * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

/** A timestamp of ISO text. */
interface ReadTimestamp {
  /** Since 1970-01-01 00:00: of the instant when there is an offset, else of the wall clock. */
  readonly micros: bigint;
  readonly zoned: boolean;
}

/** Parses `2024-02-29T13:05:09.000120+02:00`, also with a space for the `T`; null for other text. */
export function readTimestamp(text: string): ReadTimestamp | null {
  const at = text.search(/[T ]/);
  const days = daysOf(at === -1 ? text : text.slice(0, at));
  if (days === null) return null;
  const rest = at === -1 ? '00:00' : text.slice(at + 1);
  const offset = OFFSET.exec(rest)?.[1] ?? null;
  const micros = microsOfTime(offset === null ? rest : rest.slice(0, -offset.length));
  if (micros === null) return null;
  const wall = BigInt(days) * MICROS_PER_DAY + micros;
  return { micros: wall - microsOfOffset(offset), zoned: offset !== null };
}

function microsOfOffset(offset: string | null): bigint {
  if (offset === null || offset === 'Z') return 0n;
  const digits = offset.slice(1).replaceAll(':', '').padEnd(6, '0');
  const seconds =
    Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4, 6));
  return BigInt(offset.startsWith('-') ? -seconds : seconds) * 1_000_000n;
}
