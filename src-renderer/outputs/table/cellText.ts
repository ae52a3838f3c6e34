/** Formats the values of a table's column as text: decimals, dates, shortened long values. */

import { isNumeric, shortValue } from '../jsonText.ts';

/** How a column's values are formatted. `exact` is the full value if the text is shortened, else null. */
export interface ColumnFormat {
  readonly numeric: boolean;
  readonly format: (value: unknown) => { readonly text: string; readonly exact: string | null };
}

const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[ T]00:00:00(\.0+)?$/;
/** The most significant digits: further ones mostly show the rounding of binary fractions. */
const DIGITS = 10;
/** In columns with more decimals than this, decimals are cut depending on the largest number. */
const MAX_DECIMALS = 4;
/** In such a column, the number of digits shown of the largest number, and the most decimals. */
const SHOWN_DIGITS = 7;
const MAX_SHOWN = 6;
const MAX_CHARACTERS = 500;

/** The format of one column, derived from the shown rows: times that are all midnight are shown as dates. */
export function columnFormat(rows: readonly (readonly unknown[])[], column: number): ColumnFormat {
  const numeric = isNumeric(rows, column);
  const dates = !numeric && isDates(rows, column);
  const decimals = numeric ? decimalsOf(rows, column) : 0;
  return {
    numeric,
    format: (value) => {
      const exact = shortValue(value);
      const text = shortText(value, exact, { dates, decimals });
      const same = text === exact || (typeof value === 'number' && Number(text) === value);
      return { text, exact: same ? null : exact };
    },
  };
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}.*)$/;

/** The format of a column of times, always with a space as in previews; pages from the server have ISO's `T`. */
export function timeFormat(format: ColumnFormat['format']): ColumnFormat['format'] {
  return (value) => {
    const { text, exact } = format(value);
    return { text: text.replace(MOMENT, '$1 $2'), exact };
  };
}

function shortText(value: unknown, exact: string, as: { dates: boolean; decimals: number }): string {
  if (typeof value === 'number') return numberText(value, as.decimals);
  if (as.dates) return MIDNIGHT.exec(exact)?.[1] ?? exact;
  return exact.slice(0, MAX_CHARACTERS);
}

/**
 * A number with as many decimals as its column, so that the decimal points line up. A number that would lose nearly all
 * digits by that keeps its significant digits instead.
 */
function numberText(value: number, decimals: number): string {
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(DIGITS)));
  if (text.includes('e')) return text;
  const own = decimalsIn(text);
  if (own > decimals) {
    return Math.abs(value) < 10 ** (1 - decimals)
      ? String(Number(value.toPrecision(MAX_DECIMALS)))
      : value.toFixed(decimals);
  }
  return own === decimals ? text : `${text}${own === 0 ? '.' : ''}${'0'.repeat(decimals - own)}`;
}

/** The number of decimals with which a column's numbers are shown. */
function decimalsOf(rows: readonly (readonly unknown[])[], column: number): number {
  let most = 0;
  let largest = 0;
  for (const row of rows) {
    const value = row[column];
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    largest = Math.max(largest, Math.abs(value));
    if (Number.isInteger(value)) continue;
    const text = String(Number(value.toPrecision(DIGITS)));
    most = Math.max(most, text.includes('e') ? MAX_DECIMALS + 1 : decimalsIn(text));
  }
  if (most <= MAX_DECIMALS) return most;
  const whole = largest < 1 ? 0 : Math.floor(Math.log10(largest)) + 1;
  return Math.min(most, MAX_SHOWN, Math.max(1, SHOWN_DIGITS - whole));
}

function decimalsIn(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? 0 : text.length - point - 1;
}

function isDates(rows: readonly (readonly unknown[])[], column: number): boolean {
  let hasTime = false;
  for (const row of rows) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    if (typeof value !== 'string' || !MIDNIGHT.test(value)) return false;
    hasTime = true;
  }
  return hasTime;
}
