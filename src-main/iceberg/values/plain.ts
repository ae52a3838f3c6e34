/**
 * A value of an Iceberg column in the form in which scan planning compares it: whole numbers, dates and times as bigint
 * (days, microseconds or nanoseconds), booleans as 0n and 1n, decimals as their unscaled bigint, float and double as
 * number, and text, binary, fixed and uuid as bytes.
 */
export type Plain = bigint | number | Uint8Array;

/**
 * Compares two values of the same kind: negative, zero or positive; not for NaN.
 * @throws TypeError for values of different kinds
 */
export function comparePlain(a: Plain, b: Plain): number {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  throw new TypeError('values of two kinds are compared');
}

/** Decodes a two's complement number, most significant byte first. */
export function bigEndian(bytes: Uint8Array): bigint {
  if (bytes.byteLength === 0) return 0n;
  const unsigned = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return BigInt.asIntN(bytes.byteLength * 8, unsigned);
}

/** The shortest two's complement form of a number, most significant byte first; decimals are hashed in this form. */
export function shortestBigEndian(value: bigint): Uint8Array {
  let bits = 8;
  while (BigInt.asIntN(bits, value) !== value) bits += 8;
  const hex = BigInt.asUintN(bits, value)
    .toString(16)
    .padStart(bits / 4, '0');
  return Buffer.from(hex, 'hex');
}
