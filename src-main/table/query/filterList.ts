/** Filters rows in the data viewer by a list of values (`in`, `not_in`). */

import { halfFloat } from '../columns/cellValue.ts';
import { type Column, NULL, statesOf } from '../columns/column.ts';
import { flatText } from '../columns/flatText.ts';
import { coerceCount, coerceFloat, coerceText } from './coerce.ts';
import { integerSortWords } from './integerSortWords.ts';
import { sortWords } from './sortWords.ts';

type Predicate = (mask: Uint8Array) => void;

/** The maximum number of values in one list. */
const MAX_VALUES = 10_000;

/**
 * The filter that keeps the rows with one of the values, or with none of them; nulls are in neither. Null: no value can
 * be in the column.
 */
export function listPredicate(
  column: Column,
  values: readonly unknown[],
  isMember: boolean,
): Predicate | null {
  const some = values.slice(0, MAX_VALUES);
  const keep =
    column.type.kind === 'text' ? textList(column, some, isMember) : otherList(column, some, isMember);
  if (keep === null) return null;
  return (mask) => {
    keep(mask);
    const states = statesOf(column);
    if (states === null) return;
    for (let row = 0; row < mask.length; row += 1) if (states[row] === NULL) mask[row] = 0;
  };
}

function otherList(column: Column, values: readonly unknown[], wanted: boolean): Predicate | null {
  const holds = membershipOf(column, values);
  if (holds === null) return null;
  return (mask) => {
    for (let row = 0; row < mask.length; row += 1) {
      if (mask[row] === 1 && holds(row) !== wanted) mask[row] = 0;
    }
  };
}

function membershipOf(column: Column, values: readonly unknown[]): ((row: number) => boolean) | null {
  const { type } = column;
  if (type.kind === 'float') {
    const numbers = new Set(values.flatMap((value) => coerceFloat(type.bits, value) ?? []));
    return numbers.size === 0 ? null : floatMembership(column, numbers);
  }
  const words = sortWords(column);
  if (words === null) return null;
  const counts = values.flatMap((value) => {
    const count = coerceCount(type, value);
    if (count === null) return [];
    // A fraction is valid for the type, but equals no integer.
    return [count.exact ? integerSortWords(column, count.floor, words.length) : null];
  });
  return counts.length === 0
    ? null
    : wordMembership(
        words,
        counts.flatMap((one) => (one === null ? [] : [one])),
      );
}

/** A test by the last word, which differs most; then the other words are compared. */
function wordMembership(
  words: readonly Uint32Array[],
  wantedWords: readonly (readonly number[])[],
): (row: number) => boolean {
  const byLast = new Map<number, (readonly number[])[]>();
  for (const key of wantedWords) {
    const last = key.at(-1) ?? 0;
    byLast.set(last, [...(byLast.get(last) ?? []), key]);
  }
  const lastWords = words.at(-1) ?? new Uint32Array(0);
  return (row) => {
    const keys = byLast.get(lastWords[row] as number); // a word per row
    return keys?.some((key) => words.every((level, at) => level[row] === key[at])) ?? false;
  };
}

function floatMembership(column: Column, numbers: ReadonlySet<number>): (row: number) => boolean {
  const [only] = column.chunks;
  const readFloat = (values: ArrayBufferView, index: number): number =>
    values instanceof Uint16Array
      ? halfFloat(values[index] ?? 0)
      : ((values as Float64Array)[index] as number); // or singles; a value per row
  if (column.chunks.length === 1 && only !== undefined)
    return (row) => numbers.has(readFloat(only.values, row));
  const { starts, chunks } = column;
  let at = 0;
  return (row) => {
    // Rows come in order; a new pass begins at the first chunk.
    if (row < (starts[at] ?? 0)) at = 0;
    while (row >= (starts[at + 1] ?? Number.POSITIVE_INFINITY)) at += 1;
    const chunk = chunks[at];
    return chunk !== undefined && numbers.has(readFloat(chunk.values, row - (starts[at] ?? 0)));
  };
}

/** Clears the rows of texts that are not in the list. Texts of another length are not compared. */
function textList(column: Column, values: readonly unknown[], wanted: boolean): Predicate | null {
  const byLength: (Uint8Array[] | undefined)[] = [];
  for (const value of values) {
    const text = coerceText(value);
    if (text === null) continue;
    const one = Buffer.from(text);
    byLength[one.length] = [...(byLength[one.length] ?? []), one];
  }
  if (byLength.length === 0) return null;
  const { bytes, offsets } = flatText(column);
  return (mask) => {
    for (let row = 0; row < mask.length; row += 1) {
      if (mask[row] === 0) continue;
      const from = offsets[row] as number; // one more than rows
      const candidates = byLength[(offsets[row + 1] as number) - from];
      let isIn = false;
      if (candidates !== undefined) {
        for (let at = 0; at < candidates.length && !isIn; at += 1)
          isIn = sameAt(bytes, from, candidates[at] as Uint8Array); // below its length
      }
      if (isIn !== wanted) mask[row] = 0;
    }
  };
}

function sameAt(bytes: Uint8Array, from: number, other: Uint8Array): boolean {
  for (let at = 0; at < other.length; at += 1) if (bytes[from + at] !== other[at]) return false;
  return true;
}
