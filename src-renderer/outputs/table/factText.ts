/** Formats a number of a column's statistics (sum, mean, quantile) as text. */

import { countText } from '../../words/strings.ts';

/** The most significant digits of a number that is not an integer. */
const DIGITS = 8;

/** A sum, a mean or a quantile: integers exactly, other numbers with eight digits, both with thousands separators. */
export function factText(value: number): string {
  if (Number.isSafeInteger(value)) return countText(value);
  const text = String(Number(value.toPrecision(DIGITS)));
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)((?:\.\d+)?)$/.exec(text) ?? [];
  // The number is in scientific notation, or not finite.
  return whole === '' ? text : `${sign}${countText(Number(whole))}${rest}`;
}
