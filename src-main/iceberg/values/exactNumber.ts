/** An exact decimal number, for the comparison of conditions without rounding: `units` × 10^-`scale`. */
export interface ExactNumber {
  readonly units: bigint;
  readonly scale: number;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** The exact value of a decimal text such as `-1.20` or `1e-7`; null for other texts. */
export function exactNumber(text: string): ExactNumber | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole + fraction === '') return null;
  const units = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** The units of a number at another scale, rounded down, and whether that is exact. */
export function atScale(
  { units, scale }: ExactNumber,
  wanted: number,
): { readonly floor: bigint; readonly isExact: boolean } {
  if (scale <= wanted) return { floor: units * 10n ** BigInt(wanted - scale), isExact: true };
  const divisor = 10n ** BigInt(scale - wanted);
  const rest = ((units % divisor) + divisor) % divisor;
  return { floor: (units - rest) / divisor, isExact: rest === 0n };
}
