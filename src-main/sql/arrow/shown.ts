/** Formats single values of a SQL result for previews. */

import type { ColumnType, RowValue } from '../columnType.ts';

/**
 * A value in a preview: strict JSON, null for NULL, and text for values that JSON would change (docs/spec/values.md,
 * 2).
 */
export function shownValue(value: RowValue, type: ColumnType): unknown {
  if (value === null) return null;
  switch (type.kind) {
    case 'date':
      return dateText(Number(value));
    case 'time':
      return timeText(BigInt(value as bigint | number));
    case 'timestamp':
      return timestampText(BigInt(value as bigint | number), type);
    case 'list':
      return (value as readonly RowValue[]).map((item) => shownValue(item, type.item));
    case 'struct':
      return Object.fromEntries(
        type.fields.map(({ name, type: inner }, i) => [
          name,
          shownValue((value as readonly RowValue[])[i] ?? null, inner),
        ]),
      );
    case 'map':
      return (value as readonly (readonly RowValue[])[]).map(([key = null, mapped = null]) => ({
        key: shownValue(key, type.key),
        value: shownValue(mapped, type.value),
      }));
    case 'bytes':
    case 'fixed':
    case 'uuid':
      return bytesText(value as Uint8Array);
    default:
      return plainValue(value);
  }
}

function plainValue(value: RowValue): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  return typeof value === 'number' && !Number.isFinite(value) ? floatText(value) : value;
}

function floatText(value: number): string {
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

/** Like Python's bytes literals; the first 64 bytes. */
function bytesText(bytes: Uint8Array): string {
  const text = Array.from(bytes.subarray(0, 64), (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
  return `b'${text}${bytes.length > 64 ? '…' : ''}'`;
}

const MS_PER_DAY = 86_400_000;
/** The largest absolute value of a Date, in milliseconds. */
const DATE_LIMIT = 8.64e15;

function dateText(days: number): string {
  const ms = days * MS_PER_DAY;
  if (Math.abs(ms) > DATE_LIMIT) return days > 0 ? 'infinity' : '-infinity';
  return new Date(ms).toISOString().replace(/T.*$/, '').replace(/^\+0*/, '');
}

function timeText(micros: bigint): string {
  const seconds = micros / 1_000_000n;
  const two = (part: bigint) => String(part).padStart(2, '0');
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${fractionText(micros % 1_000_000n, 6)}`;
}

function fractionText(part: bigint, digits: number): string {
  return part === 0n ? '' : `.${String(part).padStart(digits, '0')}`;
}

const DIGITS = { s: 0, ms: 3, us: 6, ns: 9 } as const;

function timestampText(value: bigint, type: Extract<ColumnType, { kind: 'timestamp' }>): string {
  const digits = DIGITS[type.unit];
  const perSecond = 10n ** BigInt(digits);
  let seconds = value / perSecond;
  let part = value % perSecond;
  if (part < 0n) {
    part += perSecond;
    seconds -= 1n;
  }
  const ms = Number(seconds) * 1000;
  if (Math.abs(ms) > DATE_LIMIT) return value > 0n ? 'infinity' : '-infinity';
  const text = new Date(ms).toISOString().slice(0, -5).replace('T', ' ').replace(/^\+0*/, '');
  return `${text}${fractionText(part, digits)}${type.zone === null ? '' : '+00:00'}`;
}
