/** Computes the sum, mean and standard deviation of a column's numbers, for the data viewer. */

import { decimalText } from '../columns/cellValue.ts';
import type { Column } from '../columns/column.ts';
import { columnNumbers } from '../summary/columnNumbers.ts';

export interface Moments {
  readonly sum: number;
  readonly mean: number;
  /** The standard deviation of a sample; null with fewer than two values. */
  readonly std: number | null;
}

/** Every row's value as a double, NaN if it has none; null for types that are not numbers. */
export function doublesOf(column: Column): Float64Array | null {
  const { type } = column;
  if (type.kind !== 'int' && type.kind !== 'float' && type.kind !== 'decimal') return null;
  const numbers = columnNumbers(column, null);
  if (numbers === null) return null;
  const all = new Float64Array(column.rows);
  let row = 0;
  numbers.each(0n, (piece) => {
    all.set(piece, row);
    row += piece.length;
    return false;
  });
  if (type.kind === 'decimal' && type.scale !== 0) {
    const unit = Number(decimalText(1n, type.scale));
    const per = 10 ** type.scale;
    for (let at = 0; at < all.length; at += 1) {
      // Dividing by a power of ten rounds once; multiplying by a fraction would round twice.
      all[at] = type.scale > 0 ? (all[at] as number) / per : (all[at] as number) * unit;
    }
  }
  return all;
}

/** The moments of a column over some rows. @param rows rows with a value */
export function momentsOf(column: Column, rows: Uint32Array): Moments | null {
  const numbers = rows.length === 0 ? null : doublesOf(column);
  if (numbers === null) return null;
  const sum = sumOf(numbers, rows);
  const mean = sum / rows.length;
  return finite({ sum, mean, std: deviation(numbers, rows, mean) });
}

function finite({ sum, mean, std }: Moments): Moments | null {
  return Number.isFinite(sum) ? { sum, mean, std: std !== null && Number.isFinite(std) ? std : null } : null;
}

/** Compensated summation (Neumaier): a million fractions are added as precisely as a few. */
export function sumOf(numbers: Float64Array, rows: Uint32Array): number {
  let sum = 0;
  let compensation = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const value = numbers[rows[at] as number] as number; // below their lengths
    const next = sum + value;
    compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return Number.isFinite(compensation) ? sum + compensation : sum;
}

/** The standard deviation of a sample; null with fewer than two values. @param mean the mean of these rows */
export function deviation(numbers: Float64Array, rows: Uint32Array, mean: number): number | null {
  if (rows.length < 2) return null;
  let squares = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const distance = (numbers[rows[at] as number] as number) - mean; // below their lengths
    squares += distance * distance;
  }
  return Math.sqrt(squares / (rows.length - 1));
}
