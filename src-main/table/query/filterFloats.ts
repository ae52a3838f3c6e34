/** Filters columns of floats in the data viewer by a range. */

import { halfFloat } from '../columns/cellValue.ts';
import type { Column } from '../columns/column.ts';
import type { Range } from './range.ts';

/** Clears the mask for floats outside of the range. NaN is in no range, so only `ne` keeps it, as in IEEE 754. */
export function maskFloats(column: Column, range: Range<number>, mask: Uint8Array): void {
  const low = range.low === null ? Number.NEGATIVE_INFINITY : range.lowIn ? range.low : above(range.low);
  const high =
    range.high === null ? Number.POSITIVE_INFINITY : range.highIn ? range.high : -above(-range.high);
  const bounds = { low, high, inside: range.inside };
  column.chunks.forEach((chunk, at) => {
    const start = column.starts[at] ?? 0;
    const part = mask.subarray(start, start + chunk.length);
    if (chunk.values instanceof Uint16Array) keepHalves(chunk.values, bounds, part);
    else if (chunk.values instanceof Float32Array) keepSingles(chunk.values, bounds, part);
    else keepDoubles(chunk.values as Float64Array, bounds, part);
  });
}

interface FloatBounds {
  readonly low: number;
  readonly high: number;
  readonly inside: boolean;
}

/**
 * Clears the mask of doubles outside the bounds. It has no branches: matches are unpredictable, and a mispredicted
 * branch costs more than the comparison. The engine makes a branch of `? 1 : 0`, but not of `Number`.
 */
function keepDoubles(values: Float64Array, { low, high, inside }: FloatBounds, mask: Uint8Array): void {
  const flip = inside ? 0 : 1;
  for (let row = 0; row < mask.length; row += 1) {
    const value = values[row] as number; // as long as the mask
    const isInside = Number(value >= low) & Number(value <= high);
    mask[row] = (mask[row] as number) & (isInside ^ flip); // below its length
  }
}

/** Clears the mask of single-precision values; one loop for both types would check the type for every value. */
function keepSingles(values: Float32Array, { low, high, inside }: FloatBounds, mask: Uint8Array): void {
  const flip = inside ? 0 : 1;
  for (let row = 0; row < mask.length; row += 1) {
    const value = values[row] as number; // as long as the mask
    const isInside = Number(value >= low) & Number(value <= high);
    mask[row] = (mask[row] as number) & (isInside ^ flip); // below its length
  }
}

function keepHalves(values: Uint16Array, { low, high, inside }: FloatBounds, mask: Uint8Array): void {
  for (let row = 0; row < mask.length; row += 1) {
    const value = halfFloat(values[row] ?? 0);
    if ((value >= low && value <= high) !== inside) mask[row] = 0;
  }
}

const scratch = new Float64Array(1);
const scratchBits = new BigInt64Array(scratch.buffer);

/** The next double; NaN above infinity, which no value exceeds. */
function above(value: number): number {
  if (value === Number.POSITIVE_INFINITY) return Number.NaN;
  if (value === 0) return Number.MIN_VALUE;
  scratch[0] = value;
  scratchBits[0] = (scratchBits[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return scratch[0] ?? 0;
}
