/** Computes the summary of one column (distinct values, nulls, minimum, maximum) for the data viewer. */

import { type CellValue, cellText } from '../columns/cellValue.ts';
import { atRow, type Column, codedColumnOf, valueAt } from '../columns/column.ts';
import { type FlatText, flatText } from '../columns/flatText.ts';
import { codesOfTexts } from '../columns/textCodes.ts';
import { partition } from '../query/sortRows.ts';
import { sortWords } from '../query/sortWords.ts';
import { distinctText, distinctWords } from './distinct.ts';
import { wideFacts } from './wideFacts.ts';

/** The summary of a column (docs/spec/values.md, 3). */
export interface ColumnSummary {
  readonly name: string;
  readonly dtype: string;
  readonly nulls: number;
  /** Distinct values; null is none, NaN is one. */
  readonly distinct: number;
  /** The least value; only for integers, floats, decimals and times; NaN is ignored. */
  readonly min: CellValue;
  readonly max: CellValue;
}

export function summarize(column: Column): ColumnSummary {
  const { name, dtype } = column;
  const wide = wideFacts(column);
  if (wide !== null) {
    const { distinct, least, most } = wide;
    return { name, dtype, nulls: 0, distinct, min: valueAt(column, least), max: valueAt(column, most) };
  }
  const { values, nans, nulls } = partition(column, null);
  const { distinct, min, max } = summarizeRows(column, values);
  return { name, dtype, nulls: nulls.length, distinct: distinct + (nans.length > 0 ? 1 : 0), min, max };
}

interface Facts {
  readonly distinct: number;
  readonly min: CellValue;
  readonly max: CellValue;
}

function summarizeRows(column: Column, rows: Uint32Array): Facts {
  const coded = codedColumnOf(column);
  if (coded !== null) return summarizeRows(coded.values, usedEntries(coded.codes, coded.values.rows, rows));
  const words = sortWords(column);
  if (words !== null) {
    const distinct = distinctWords(words, rows);
    if (column.type.kind === 'bool' || rows.length === 0) return { distinct, min: null, max: null };
    const [high, low = high] = words;
    const isAll = rows.length === column.rows && words.length <= 2;
    const { least, most } =
      isAll && high !== undefined && low !== undefined ? extremesOfAll(high, low) : extremes(words, rows);
    return { distinct, min: valueAt(column, least), max: valueAt(column, most) };
  }
  return { distinct: distinctOther(column, rows), min: null, max: null };
}

/**
 * Maximum characters of texts that are compared in full. A set that cannot grow ends the process, not only the thread.
 */
const MAX_CHARACTERS = 256 * 1024 * 1024;

function distinctOther(column: Column, rows: Uint32Array): number {
  const { kind } = column.type;
  if (kind === 'null') return 0;
  if (kind === 'text' || kind === 'bytes' || kind === 'fixed_bytes')
    return distinctTexts(flatText(column), rows);
  const texts = new Set<string | null>();
  let characters = 0;
  for (const row of rows) {
    const text = atRow(column, row, cellText);
    const before = texts.size;
    if (texts.add(text).size === before) continue;
    characters += text?.length ?? 0;
    if (characters > MAX_CHARACTERS)
      throw new Error(`the values of ${column.name} are too long to be counted`);
  }
  return texts.size;
}

/** The number of distinct texts. Texts that repeat are compared in full; many distinct ones by their hashes. */
function distinctTexts(texts: FlatText, rows: Uint32Array): number {
  // They are in order, so if there are as many as in the column, they are all of it.
  const list = rows.length === texts.offsets.length - 1 ? null : rows;
  const coded = codesOfTexts(texts, { list, from: 0, count: rows.length });
  return coded?.firstRows.length ?? distinctText(texts, rows);
}

function usedEntries(codes: Int32Array, entries: number, rows: Uint32Array): Uint32Array {
  const used = new Uint8Array(entries);
  for (let at = 0; at < rows.length; at += 1) used[codes[rows[at] ?? 0] ?? 0] = 1;
  const list = new Uint32Array(entries);
  let count = 0;
  for (let entry = 0; entry < entries; entry += 1) if (used[entry] === 1) list[count++] = entry;
  return list.subarray(0, count);
}

function extremes(words: readonly Uint32Array[], rows: Uint32Array): { least: number; most: number } {
  const [first, second] = words;
  if (first !== undefined && words.length <= 2) return extremesOfPairs(first, second ?? first, rows);
  let least = rows[0] ?? 0;
  let most = least;
  for (let at = 1; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    if (isLess(words, row, least)) least = row;
    else if (isLess(words, most, row)) most = row;
  }
  return { least, most };
}

/** The extremes of all rows, read in order; `rows` would be one more array to read. */
function extremesOfAll(high: Uint32Array, low: Uint32Array): { least: number; most: number } {
  let least = 0;
  let most = 0;
  let leastHigh = high[0] as number; // there is a row
  let mostHigh = leastHigh;
  for (let row = 1; row < high.length; row += 1) {
    const key = high[row] as number; // below its length
    if (key <= leastHigh && (key < leastHigh || (low[row] as number) < (low[least] as number))) {
      least = row;
      leastHigh = key;
    }
    if (key >= mostHigh && (key > mostHigh || (low[row] as number) > (low[most] as number))) {
      most = row;
      mostHigh = key;
    }
  }
  return { least, most };
}

function extremesOfPairs(
  high: Uint32Array,
  low: Uint32Array,
  rows: Uint32Array,
): { least: number; most: number } {
  let least = rows[0] ?? 0;
  let most = least;
  let leastHigh = high[least] ?? 0;
  let mostHigh = leastHigh;
  for (let at = 1; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    const key = high[row] ?? 0;
    if (key < leastHigh || (key === leastHigh && (low[row] ?? 0) < (low[least] ?? 0))) {
      least = row;
      leastHigh = key;
    }
    if (key > mostHigh || (key === mostHigh && (low[row] ?? 0) > (low[most] ?? 0))) {
      most = row;
      mostHigh = key;
    }
  }
  return { least, most };
}

function isLess(words: readonly Uint32Array[], a: number, b: number): boolean {
  for (let level = 0; level < words.length; level += 1) {
    const word = words[level];
    const leftWord = word?.[a] ?? 0;
    const right = word?.[b] ?? 0;
    if (leftWord !== right) return leftWord < right;
  }
  return false;
}
