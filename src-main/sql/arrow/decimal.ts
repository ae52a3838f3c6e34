/** Converts decimals between text and the scaled integers of Arrow. */

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** `-12.34` at scale 3 → -12340n; null for other text, and when digits would be lost. */
export function unscaled(text: string, scale: number): bigint | null {
  const match = DECIMAL.exec(text);
  const [, sign = '', whole = '', fraction = ''] = match ?? [];
  if (match === null || whole + fraction === '') return null;
  if (/[1-9]/.test(fraction.slice(scale))) return null;
  const digits = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  return sign === '-' ? -digits : digits;
}

/** -12340n at scale 3 → `-12.340`. */
export function decimalText(value: bigint, scale: number): string {
  const negative = value < 0n;
  const digits = String(negative ? -value : value).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return negative ? `-${text}` : text;
}
