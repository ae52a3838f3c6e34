/** Computes the bins of a histogram of a column, for the data viewer. */

import type { ArrowType } from '../columns/arrowType.ts';
import type { CellValue } from '../columns/cellValue.ts';
import type { Column } from '../columns/column.ts';
import { type ColumnNumbers, columnNumbers } from './columnNumbers.ts';
import { countValue } from './countValue.ts';

/** The values between two ends, and their number of rows. */
export interface Bin {
  readonly from: CellValue;
  /** Inclusive if values are on a grid or this is the last bin; else the next bin begins there. */
  readonly to: CellValue;
  readonly count: number;
}

export const MAX_BINS = 24;

/**
 * The distribution of a column of numbers or times between the least and the greatest value, in bins of equal width. On
 * a grid, every bin covers the same number of possible values. NaN and infinities are in no bin. Null for every other
 * column, and if there is no finite value.
 */
export function binsOf(column: Column, rows: Uint32Array | null): Bin[] | null {
  const numbers = columnNumbers(column, rows);
  if (numbers === null) return null;
  if (column.type.kind === 'float') return floatBins(numbers);
  return countBins(numbers, column.type);
}

function floatBins(numbers: ColumnNumbers): Bin[] | null {
  const { low, high } = extremes(numbers, 0n);
  if (low > high) return null;
  const grid = gridOf(numbers, { base: 0n, low, high });
  if (grid !== null) {
    return steppedBins(numbers, { base: 0n, low, grid }, (steps) => low + steps * grid.step);
  }
  const counts = shareCounts(numbers, { base: 0n, low, high });
  const edge = (at: number) => low * (1 - at / MAX_BINS) + high * (at / MAX_BINS);
  return Array.from(counts, (count, at) => ({ from: edge(at), to: edge(at + 1), count }));
}

function countBins(numbers: ColumnNumbers, type: ArrowType): Bin[] | null {
  const ends = exactExtremes(numbers);
  if (ends === null) return null;
  const { least, most } = ends;
  const base = numbers.bases === null ? 0n : least;
  const low = Number(least - base);
  const high = Number(most - base);
  const grid = gridOf(numbers, { base, low, high });
  if (grid !== null) {
    const step = BigInt(grid.step);
    return steppedBins(numbers, { base, low, grid }, (steps) =>
      countValue(type, least + BigInt(steps) * step),
    );
  }
  const counts = shareCounts(numbers, { base, low, high });
  const edge = (at: number) => countValue(type, least + ((most - least) * BigInt(at)) / BigInt(MAX_BINS));
  return Array.from(counts, (count, at) => ({ from: edge(at), to: edge(at + 1), count }));
}

/** The least and the greatest value; `low` above `high` if there is none. */
function extremes(numbers: ColumnNumbers, base: bigint): { readonly low: number; readonly high: number } {
  const ends = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
  numbers.each(base, (piece) => {
    // A local variable of this function stays in a register.
    let { low, high } = ends;
    for (let at = 0; at < piece.length; at += 1) {
      const value = piece[at] as number; // below its length
      if (value < low && value !== Number.NEGATIVE_INFINITY) low = value;
      if (value > high && value !== Number.POSITIVE_INFINITY) high = value;
    }
    ends.low = low;
    ends.high = high;
    return false;
  });
  return ends;
}

/** The extremes, exact also where doubles are not: searches again, with the approximate result as the base. */
function exactExtremes(numbers: ColumnNumbers): { readonly least: bigint; readonly most: bigint } | null {
  const first = extremes(numbers, 0n);
  if (first.low > first.high) return null;
  const exactly = (end: 'low' | 'high'): bigint => {
    let base = 0n;
    let distance = first[end];
    while (!Number.isSafeInteger(distance)) {
      base = within(numbers, base + BigInt(distance));
      distance = extremes(numbers, base)[end];
    }
    return base + BigInt(distance);
  };
  return { least: exactly('low'), most: exactly('high') };
}

function within({ bases }: ColumnNumbers, value: bigint): bigint {
  if (bases === null || value < bases.least) return bases?.least ?? 0n;
  return value > bases.most ? bases.most : value;
}

interface Grid {
  /**
   * The largest distance that all values are a multiple of, counted from the least one; 1 if there is only one value.
   */
  readonly step: number;
  /** Steps from the least to the greatest value. */
  readonly steps: number;
}

interface Ends {
  readonly base: bigint;
  readonly low: number;
  readonly high: number;
}

/**
 * The grid of the values: one day for dates, 5 for values rounded to 5. Without whole steps per bin, bins would
 * alternately hold one possible value more or less and show a comb pattern. Null if distances are not integers, or not
 * exact.
 */
function gridOf(numbers: ColumnNumbers, { base, low, high }: Ends): Grid | null {
  if (!Number.isSafeInteger(high - low)) return null;
  let step = 0;
  numbers.each(base, (piece) => {
    step = stepWith(step, piece, low);
    return step === NO_GRID || (step === 1 && numbers.whole);
  });
  if (step === NO_GRID) return null;
  return step === 0 ? { step: 1, steps: 0 } : { step, steps: (high - low) / step };
}

const NO_GRID = -1;

/** The step of some values, given the step of earlier ones; 0: all of them equal the least one. */
function stepWith(knownStep: number, piece: Float64Array, low: number): number {
  let step = knownStep;
  for (let at = 0; at < piece.length; at += 1) {
    const value = piece[at] as number; // below its length
    const distance = value - low;
    if (!Number.isFinite(distance) || distance === 0) continue;
    if (Math.floor(distance) !== distance || low + distance !== value) return NO_GRID;
    const times = distance / step;
    if (step === 0) step = distance;
    else if (Math.floor(times) !== times) step = divisorOf(step, distance);
  }
  return step;
}

function divisorOf(a: number, b: number): number {
  let [more, less] = [a, b];
  while (less !== 0) [more, less] = [less, more % less];
  return more;
}

function steppedBins(
  numbers: ColumnNumbers,
  { base, low, grid }: { readonly base: bigint; readonly low: number; readonly grid: Grid },
  valueAt: (steps: number) => CellValue,
): Bin[] {
  const { step, steps } = grid;
  const perBin = Math.ceil((steps + 1) / MAX_BINS);
  const counts = new Uint32Array(Math.ceil((steps + 1) / perBin));
  const width = perBin * step;
  numbers.each(base, (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const place = ((piece[at] as number) - low) / width; // below its length
      // Neither NaN nor infinite; the result is at least 0 and below the number of bins.
      if (place - place === 0) counts[place | 0] = (counts[place | 0] as number) + 1;
    }
    return false;
  });
  return Array.from(counts, (count, at) => ({
    from: valueAt(at * perBin),
    to: valueAt(Math.min(steps, (at + 1) * perBin - 1)),
    count,
  }));
}

/** Bins of equal width, without a grid. */
function shareCounts(numbers: ColumnNumbers, { base, low, high }: Ends): Uint32Array {
  // Halved if the distance of the two overflows a double.
  const scale = Number.isFinite(high - low) ? 1 : 0.5;
  const from = low * scale;
  const span = high * scale - from;
  const counts = new Uint32Array(MAX_BINS);
  numbers.each(base, (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const share = ((piece[at] as number) * scale - from) / span; // below its length
      if (share - share !== 0) continue;
      const bin = Math.max(0, Math.min(MAX_BINS - 1, (share * MAX_BINS) | 0));
      counts[bin] = (counts[bin] as number) + 1;
    }
    return false;
  });
  return counts;
}
