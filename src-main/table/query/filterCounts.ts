/** Filters whole numbers, dates, times and booleans by a range of their order words. */

import { type Column, derive } from '../columns/column.ts';
import type { Count } from './coerce.ts';
import { integerLimits, keyWords } from './integerSortWords.ts';
import type { Range } from './range.ts';
import { sortWords } from './sortWords.ts';

/** How a range selects rows of a column; nulls are not considered. */
type CountTest = 'none' | 'all' | ((mask: Uint8Array) => void);

/**
 * Every range of whole numbers becomes one with two inclusive ends.
 * @returns a function that clears the mask at the rows that do not match; null: the column has no such values
 */
export function countTest(column: Column, range: Range<Count>): CountTest | null {
  const words = sortWords(column);
  if (words === null) return null;
  const { least, most } = integerLimits(column, words.length);
  const { low, lowIn, high, highIn, inside } = range;
  const from = low === null ? least : low.floor + (low.exact && lowIn ? 0n : 1n);
  const to = high === null ? most : high.floor - (high.exact && !highIn ? 1n : 0n);
  if (from > to || from > most || to < least) return inside ? 'none' : 'all';
  const lows = keyWords((from < least ? least : from) - least, words.length);
  const highs = keyWords((to > most ? most : to) - least, words.length);
  return testOf(column, words, { lows, highs, inside });
}

/** The bounds of the words, the most significant first. */
interface Bounds {
  readonly lows: readonly number[];
  readonly highs: readonly number[];
  readonly inside: boolean;
}

function testOf(column: Column, words: readonly Uint32Array[], bounds: Bounds): CountTest {
  const { lows, highs, inside } = bounds;
  const [first, second] = words;
  if (first !== undefined && words.length === 1)
    return (mask) => keepBetween1(first, { low: lows[0] ?? 0, high: highs[0] ?? 0, inside }, mask);
  if (second === undefined || words.length !== 2) return (mask) => keepBetween(words, bounds, mask);
  const shared = sharedHighWord(column, words);
  if (shared === null) return (mask) => keepBetween2(words, bounds, mask);
  const [lowHigh = 0, lowLow = 0] = lows;
  const [highHigh = 0, highLow = 0] = highs;
  if (shared < lowHigh || shared > highHigh) return inside ? 'none' : 'all';
  const low = lowHigh < shared ? 0 : lowLow;
  const high = highHigh > shared ? 0xffffffff : highLow;
  return (mask) => keepBetween1(second, { low, high, inside }, mask);
}

/**
 * The high word that all rows have; null if they differ. Most columns of long integers have small values of one sign.
 */
function sharedHighWord(column: Column, [highWords]: readonly Uint32Array[]): number | null {
  return derive(
    column,
    'shared',
    () => {
      if (highWords === undefined) return null;
      const first = highWords[0] ?? 0;
      for (let row = 0; row < highWords.length; row += 1) if (highWords[row] !== first) return null;
      return first;
    },
    () => 0,
  );
}

/**
 * Clears the mask of one-word values outside the bounds. It has no branches (filterFloats.ts), and one comparison:
 * below the low end, the difference wraps around.
 */
function keepBetween1(
  words: Uint32Array,
  { low, high, inside }: { readonly low: number; readonly high: number; readonly inside: boolean },
  mask: Uint8Array,
): void {
  const flip = inside ? 0 : 1;
  const span = (high - low) >>> 0;
  for (let row = 0; row < mask.length; row += 1) {
    const distance = ((words[row] as number) - low) >>> 0; // a word per row
    mask[row] = (mask[row] as number) & (Number(distance <= span) ^ flip); // below its length
  }
}

function keepBetween2([highWords, lowWords]: readonly Uint32Array[], bounds: Bounds, mask: Uint8Array): void {
  if (highWords === undefined || lowWords === undefined) return;
  const [lowHigh = 0, lowLow = 0] = bounds.lows;
  const [highHigh = 0, highLow = 0] = bounds.highs;
  const flip = bounds.inside ? 0 : 1;
  for (let row = 0; row < mask.length; row += 1) {
    const upper = highWords[row] as number; // a word per row
    const lower = lowWords[row] as number;
    const isAbove = Number(upper > lowHigh) | (Number(upper === lowHigh) & Number(lower >= lowLow));
    const isBelow = Number(upper < highHigh) | (Number(upper === highHigh) & Number(lower <= highLow));
    mask[row] = (mask[row] as number) & ((isAbove & isBelow) ^ flip); // below its length
  }
}

function keepBetween(words: readonly Uint32Array[], { lows, highs, inside }: Bounds, mask: Uint8Array): void {
  for (let row = 0; row < mask.length; row += 1) {
    const isInside = compareRow(words, row, lows) >= 0 && compareRow(words, row, highs) <= 0;
    if (isInside !== inside) mask[row] = 0;
  }
}

function compareRow(words: readonly Uint32Array[], row: number, other: readonly number[]): number {
  for (let level = 0; level < words.length; level += 1) {
    const difference = (words[level]?.[row] ?? 0) - (other[level] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
