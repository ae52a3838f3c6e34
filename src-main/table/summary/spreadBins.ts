import type { ArrowType } from '../columns/arrowType.ts';
import type { CellValue } from '../columns/cellValue.ts';
import type { Column } from '../columns/column.ts';
import { type ColumnNumbers, columnNumbers } from './columnNumbers.ts';
import { countValue } from './countValue.ts';

/** Values between two ends, and how many rows hold one. */
export interface Bin {
  readonly from: CellValue;
  /** In the bin where values lie on a grid or it is the last one; else the next one begins there. */
  readonly to: CellValue;
  readonly count: number;
}

export const MOST_BINS = 24;

/**
 * How the values of a column of numbers or times lie between the least and the most: in bins of one width, of which
 * those of a whole number of steps take the same number of possible values each. NaN and infinities are in none.
 * Null for every other column, and where there is no finite value.
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
  const edge = (at: number) => low * (1 - at / MOST_BINS) + high * (at / MOST_BINS);
  return Array.from(counts, (count, at) => ({ from: edge(at), to: edge(at + 1), count }));
}

function countBins(numbers: ColumnNumbers, type: ArrowType): Bin[] | null {
  const found = exactExtremes(numbers);
  if (found === null) return null;
  const { least, most } = found;
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
  const edge = (at: number) => countValue(type, least + ((most - least) * BigInt(at)) / BigInt(MOST_BINS));
  return Array.from(counts, (count, at) => ({ from: edge(at), to: edge(at + 1), count }));
}

/** `low` above `high`: there is none. */
function extremes(numbers: ColumnNumbers, base: bigint): { readonly low: number; readonly high: number } {
  const found = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
  numbers.each(base, (piece) => {
    // A variable of this function alone is kept in a register.
    let { low, high } = found;
    for (let at = 0; at < piece.length; at += 1) {
      const value = piece[at] as number; // below its length
      if (value < low && value !== Number.NEGATIVE_INFINITY) low = value;
      if (value > high && value !== Number.POSITIVE_INFINITY) high = value;
    }
    found.low = low;
    found.high = high;
    return false;
  });
  return found;
}

/** Exact also where doubles are not: what is least is looked for again from where it seemed to be. */
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

function within({ bases }: ColumnNumbers, wanted: bigint): bigint {
  if (bases === null || wanted < bases.least) return bases?.least ?? 0n;
  return wanted > bases.most ? bases.most : wanted;
}

interface Grid {
  /** The largest distance that every value is a multiple of away from the least; 1 where there is one value alone. */
  readonly step: number;
  /** Steps from the least to the most. */
  readonly steps: number;
}

interface Ends {
  readonly base: bigint;
  readonly low: number;
  readonly high: number;
}

/**
 * A day for days, 5 for what is rounded to it. Bins of anything but whole steps would hold now one possible value more,
 * now one less, and show a comb. Null where distances are no whole numbers, or not exact.
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

/** The step of some values, that of others being known; 0: all of them were the least. */
function stepWith(known: number, piece: Float64Array, low: number): number {
  let step = known;
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
  shown: (steps: number) => CellValue,
): Bin[] {
  const { step, steps } = grid;
  const perBin = Math.ceil((steps + 1) / MOST_BINS);
  const counts = new Uint32Array(Math.ceil((steps + 1) / perBin));
  const width = perBin * step;
  numbers.each(base, (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const place = ((piece[at] as number) - low) / width; // below its length
      // Neither NaN nor an infinity; what is left is below their number, and no less than 0.
      if (place - place === 0) counts[place | 0] = (counts[place | 0] as number) + 1;
    }
    return false;
  });
  return Array.from(counts, (count, at) => ({
    from: shown(at * perBin),
    to: shown(Math.min(steps, (at + 1) * perBin - 1)),
    count,
  }));
}

/** Bins of one width, whatever lies in them. */
function shareCounts(numbers: ColumnNumbers, { base, low, high }: Ends): Uint32Array {
  // Halves where two doubles are farther apart than one can say.
  const scale = Number.isFinite(high - low) ? 1 : 0.5;
  const from = low * scale;
  const span = high * scale - from;
  const counts = new Uint32Array(MOST_BINS);
  numbers.each(base, (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const share = ((piece[at] as number) * scale - from) / span; // below its length
      if (share - share !== 0) continue;
      const bin = Math.max(0, Math.min(MOST_BINS - 1, (share * MOST_BINS) | 0));
      counts[bin] = (counts[bin] as number) + 1;
    }
    return false;
  });
  return counts;
}
