/** Sorts the rows of a table in the data viewer by one column. */

import { type Column, codedColumnOf, NAN, NULL, statesOf, VALUE } from '../columns/column.ts';
import { type FlatText, flatText } from '../columns/flatText.ts';
import { type LastLevel, type LevelFill, radixSort } from './radixSort.ts';
import { sortWords } from './sortWords.ts';

/**
 * The rows of `selection` (all if null) in the order of a column: stable in both directions, NaN and then null last in
 * both, text by code point (which is the order of UTF-8 bytes), nested values by their displayed text.
 */
export function sortRows(
  column: Column,
  selection: Uint32Array | null,
  direction: 'asc' | 'desc',
): Uint32Array {
  const { values, nans, nulls } = partition(column, selection);
  const flip = direction === 'desc' ? 0xffffffff : 0;
  radixSort(values, levelsOf(column, flip), lastLevelOf(column, flip));
  const order = new Uint32Array(values.length + nans.length + nulls.length);
  order.set(values);
  order.set(nans, values.length);
  order.set(nulls, values.length + nans.length);
  return order;
}

interface Parts {
  readonly values: Uint32Array;
  readonly nans: Uint32Array;
  readonly nulls: Uint32Array;
}

/** Divides rows into those with a value, with NaN and with null. @param selection null: all rows */
export function partition(column: Column, selection: Uint32Array | null): Parts {
  const states = statesOf(column);
  const count = selection?.length ?? column.rows;
  if (states === null) {
    const values = selection === null ? new Uint32Array(count) : selection.slice();
    if (selection === null) for (let row = 0; row < count; row += 1) values[row] = row;
    return { values, nans: NO_ROWS, nulls: NO_ROWS };
  }
  const values = new Uint32Array(count);
  let nanCount = 0;
  let nullCount = 0;
  let v = 0;
  for (let at = 0; at < count; at += 1) {
    const row = selection === null ? at : (selection[at] ?? 0);
    const state = states[row] ?? VALUE;
    // Always written, but only counted if it is a value.
    values[v] = row;
    if (state === VALUE) v += 1;
    else if (state === NAN) nanCount += 1;
    else nullCount += 1;
  }
  return {
    values: values.subarray(0, v),
    nans: rowsIn(states, selection, { state: NAN, count: nanCount }),
    nulls: rowsIn(states, selection, { state: NULL, count: nullCount }),
  };
}

const NO_ROWS = new Uint32Array(0);

function rowsIn(
  states: Uint8Array,
  selection: Uint32Array | null,
  { state, count }: { readonly state: number; readonly count: number },
): Uint32Array {
  if (count === 0) return NO_ROWS;
  const rows = new Uint32Array(count);
  const all = selection?.length ?? states.length;
  let rowCount = 0;
  for (let at = 0; at < all; at += 1) {
    const row = selection === null ? at : (selection[at] ?? 0);
    if (states[row] === state) rows[rowCount++] = row;
  }
  return rows;
}

function levelsOf(column: Column, flip: number): LevelFill {
  const coded = codedColumnOf(column);
  if (coded !== null) {
    const ranks = denseRanks(coded.values);
    return gatherLevels([mapCodes(coded.codes, ranks)], flip);
  }
  const words = sortWords(column);
  return words !== null ? gatherLevels(words, flip) : textLevels(flatText(column), flip);
}

function lastLevelOf(column: Column, flip: number): LastLevel | null {
  const words = codedColumnOf(column) === null ? sortWords(column) : null;
  const last = words?.at(-1);
  return words?.length === 2 && last !== undefined ? { words: last, flip } : null;
}

function mapCodes(codes: Int32Array, ranks: Uint32Array): Uint32Array {
  const mapped = new Uint32Array(codes.length);
  for (let row = 0; row < codes.length; row += 1) mapped[row] = ranks[codes[row] ?? 0] ?? 0;
  return mapped;
}

/** The rank of each entry. Equal entries get equal ranks: concatenated dictionaries may contain the same entry. */
function denseRanks(values: Column): Uint32Array {
  const order = sortRows(values, null, 'asc');
  const same = equality(values);
  const ranks = new Uint32Array(values.rows);
  let rank = 0;
  for (let at = 0; at < order.length; at += 1) {
    const row = order[at] ?? 0;
    if (at > 0 && !same(order[at - 1] ?? 0, row)) rank += 1;
    ranks[row] = rank;
  }
  return ranks;
}

/** Whether two rows have the same value; neither may be null or NaN. */
export function equality(column: Column): (a: number, b: number) => boolean {
  const coded = codedColumnOf(column);
  if (coded !== null) {
    const ranks = denseRanks(coded.values);
    return (a, b) => ranks[coded.codes[a] ?? 0] === ranks[coded.codes[b] ?? 0];
  }
  const words = sortWords(column);
  const [first, second] = words ?? [];
  if (words?.length === 1 && first !== undefined) return (a, b) => first[a] === first[b];
  if (words?.length === 2 && first !== undefined && second !== undefined) {
    return (a, b) => second[a] === second[b] && first[a] === first[b];
  }
  if (words !== null) return (a, b) => words.every((level) => level[a] === level[b]);
  const { bytes, offsets } = flatText(column);
  const part = (row: number) =>
    Buffer.from(bytes.buffer, bytes.byteOffset + (offsets[row] ?? 0), sizeAt(offsets, row));
  return (a, b) => part(a).equals(part(b));
}

function sizeAt(offsets: FlatText['offsets'], row: number): number {
  return (offsets[row + 1] ?? 0) - (offsets[row] ?? 0);
}

function gatherLevels(words: readonly Uint32Array[], flip: number): LevelFill {
  return (level, { rows, from, to }, keys) => {
    const source = words[level];
    if (source === undefined) return false;
    for (let at = from; at < to; at += 1) keys[at] = (source[rows[at] ?? 0] ?? 0) ^ flip;
    return true;
  };
}

/**
 * The levels of texts: three bytes per level, with their number in the low byte. A string then comes before a longer
 * one that continues it, even with NUL bytes, and a level without bytes is the last one.
 */
function textLevels({ bytes, offsets }: FlatText, flip: number): LevelFill {
  return (level, { rows, from, to }, keys) => {
    let more = false;
    for (let at = from; at < to; at += 1) {
      const row = rows[at] ?? 0;
      const start = (offsets[row] ?? 0) + level * 3;
      const remaining = (offsets[row + 1] ?? 0) - start;
      let key = 0;
      if (remaining > 0) {
        more = true;
        const one = bytes[start] ?? 0;
        const two = remaining > 1 ? (bytes[start + 1] ?? 0) : 0;
        const three = remaining > 2 ? (bytes[start + 2] ?? 0) : 0;
        key = ((one << 24) | (two << 16) | (three << 8) | (remaining > 3 ? 3 : remaining)) >>> 0;
      }
      keys[at] = key ^ flip;
    }
    return more;
  };
}
