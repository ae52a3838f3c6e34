/** Compiles the data viewer's filters to functions that exclude rows. */

import { type Column, codedColumnOf, NULL, statesOf } from '../columns/column.ts';
import { flatText } from '../columns/flatText.ts';
import { textEntries } from '../columns/textEntries.ts';
import { type Count, coerceCount, coerceFloat, coerceText } from './coerce.ts';
import { countTest } from './filterCounts.ts';
import { maskFloats } from './filterFloats.ts';
import { listPredicate } from './filterList.ts';
import { affixTest, patternTest, type TextTest, textTestPredicate } from './filterTexts.ts';
import type { Range } from './range.ts';
import { searchColumn } from './textSearch.ts';

/** One filter as sent by a client, not validated (docs/spec/rest-notebooks.md, 5.3). */
export interface Filter {
  readonly col?: unknown;
  readonly op?: unknown;
  readonly value?: unknown;
  readonly value2?: unknown;
  /** The values of the operators `in` and `not_in` (docs/extensions.md). */
  readonly values?: unknown;
  /** A group: any, or all, of these must match (docs/extensions.md). */
  readonly any?: unknown;
  readonly all?: unknown;
}

/** Clears the mask at the rows that a filter excludes. */
export type Predicate = (mask: Uint8Array) => void;

/** The compiled filter; null if it cannot be used on this column: it is then ignored (docs/spec/values.md, 3). */
export function compileFilter(column: Column, filter: Filter): Predicate | null {
  const { op, value, value2 } = filter;
  if (op === 'is_null' || op === 'not_null') return nullPredicate(column, op === 'is_null');
  const coded = codedColumnOf(column);
  if (coded !== null) {
    const onEntries = compileFilter(coded.values, filter);
    if (onEntries === null) return null;
    return (mask) => {
      // The first one is that of null.
      const passes = new Uint8Array(coded.values.rows + 1).fill(1, 1);
      onEntries(passes.subarray(1));
      keepCoded(coded.codes, passes, mask);
    };
  }
  const entries = textEntries(column);
  if (entries !== null) {
    const onEntries = compileFilter(entries.values, filter);
    if (onEntries === null) return null;
    return (mask) => {
      const passes = new Uint8Array(entries.values.rows).fill(1);
      onEntries(passes);
      keepTexts(entries.codes, passes, mask);
      dropNulls(column, mask);
    };
  }
  if (op === 'in' || op === 'not_in') {
    const { values } = filter;
    if (!Array.isArray(values)) return null;
    const isFew = values.length <= FEW_VALUES && column.type.kind !== 'text';
    return isFew ? fewValues(column, values, op === 'in') : listPredicate(column, values, op === 'in');
  }
  if (op === 'contains' || op === 'not_contains') {
    const needle = coerceText(value);
    return needle === null ? null : containsPredicate(column, needle, op === 'contains');
  }
  if (op === 'starts_with' || op === 'ends_with' || op === 'regex') {
    const test = textTestOf(op, coerceText(value));
    return test === null ? null : textTestPredicate(column, test);
  }
  const { type } = column;
  if (type.kind === 'text') {
    const range = rangeOf(op, coerceText(value), coerceText(value2));
    return range === null ? null : textPredicate(column, range);
  }
  if (type.kind === 'float') {
    const range = rangeOf(op, coerceFloat(type.bits, value), coerceFloat(type.bits, value2));
    return range === null ? null : floatPredicate(column, range);
  }
  const range = rangeOf(op, coerceCount(type, value), coerceCount(type, value2));
  return range === null ? null : countPredicate(column, range);
}

/** Clears the mask by the codes of rows. @param passes whether null passes, then whether each entry does */
function keepCoded(codes: Int32Array, passes: Uint8Array, mask: Uint8Array): void {
  for (let row = 0; row < mask.length; row += 1)
    mask[row] = (mask[row] as number) & (passes[(codes[row] as number) + 1] as number); // a code per row
}

function keepTexts(codes: Uint16Array, passes: Uint8Array, mask: Uint8Array): void {
  for (let row = 0; row < mask.length; row += 1)
    mask[row] = (mask[row] as number) & (passes[codes[row] as number] as number); // a code per row
}

/** For up to this many values, one pass per value costs less than a lookup per row. */
const FEW_VALUES = 4;

function fewValues(column: Column, values: readonly unknown[], isEqual: boolean): Predicate | null {
  const parts = values.flatMap((value) => compileFilter(column, { op: 'eq', value }) ?? []);
  if (parts.length === 0) return null;
  const flip = isEqual ? 0 : 1;
  return (mask) => {
    const hits = new Uint8Array(mask.length);
    const part = new Uint8Array(mask.length);
    for (const predicate of parts) {
      part.fill(1);
      predicate(part);
      for (let row = 0; row < hits.length; row += 1)
        hits[row] = (hits[row] as number) | (part[row] as number);
    }
    for (let row = 0; row < mask.length; row += 1)
      mask[row] = (mask[row] as number) & ((hits[row] as number) ^ flip);
    if (!isEqual) dropNulls(column, mask);
  };
}

function textTestOf(op: 'starts_with' | 'ends_with' | 'regex', value: string | null): TextTest | null {
  if (value === null) return null;
  return op === 'regex' ? patternTest(value) : affixTest(op, value);
}

function rangeOf<T>(op: unknown, value: T | null, value2: T | null): Range<T> | null {
  if (value === null) return null;
  const any = { low: null, lowIn: true, high: null, highIn: true, inside: true };
  switch (op) {
    case 'eq':
      return { ...any, low: value, high: value };
    case 'ne':
      return { ...any, low: value, high: value, inside: false };
    case 'gt':
      return { ...any, low: value, lowIn: false };
    case 'ge':
      return { ...any, low: value };
    case 'lt':
      return { ...any, high: value, highIn: false };
    case 'le':
      return { ...any, high: value };
    case 'between':
      return value2 === null ? null : { ...any, low: value, high: value2 };
    default:
      return null;
  }
}

/** Clears the mask of nulls, which no comparison matches. */
function dropNulls(column: Column, mask: Uint8Array): void {
  const states = statesOf(column);
  if (states === null) return;
  for (let row = 0; row < mask.length; row += 1) if (states[row] === NULL) mask[row] = 0;
}

function nullPredicate(column: Column, isNull: boolean): Predicate {
  const states = statesOf(column);
  return (mask) => {
    for (let row = 0; row < mask.length; row += 1) {
      if ((states !== null && states[row] === NULL) !== isNull) mask[row] = 0;
    }
  };
}

function containsPredicate(column: Column, needle: string, isContained: boolean): Predicate {
  const flip = isContained ? 0 : 1;
  return (mask) => {
    const hits = new Uint8Array(mask.length);
    searchColumn(column, needle, hits);
    for (let row = 0; row < mask.length; row += 1) mask[row] = (mask[row] ?? 0) & ((hits[row] ?? 0) ^ flip);
    if (!isContained) dropNulls(column, mask);
  };
}

function textPredicate(column: Column, range: Range<string>): Predicate {
  const { bytes, offsets } = flatText(column);
  const low = range.low === null ? null : Buffer.from(range.low);
  const high = range.high === null ? null : Buffer.from(range.high);
  return (mask) => {
    for (let row = 0; row < mask.length; row += 1) {
      if (mask[row] === 0) continue;
      const from = offsets[row] ?? 0;
      const to = offsets[row + 1] ?? 0;
      const above = low === null ? 1 : compareBytes(bytes, from, to, low);
      const below = high === null ? -1 : compareBytes(bytes, from, to, high);
      const inside =
        (above > 0 || (above === 0 && range.lowIn)) && (below < 0 || (below === 0 && range.highIn));
      if (inside !== range.inside) mask[row] = 0;
    }
    dropNulls(column, mask);
  };
}

function compareBytes(bytes: Uint8Array, from: number, to: number, other: Uint8Array): number {
  const size = Math.min(to - from, other.length);
  for (let at = 0; at < size; at += 1) {
    const difference = (bytes[from + at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return to - from - other.length;
}

function floatPredicate(column: Column, range: Range<number>): Predicate {
  const hasNulls = column.chunks.some(({ valid }) => valid !== null);
  return (mask) => {
    maskFloats(column, range, mask);
    if (hasNulls) dropNulls(column, mask);
  };
}

function countPredicate(column: Column, range: Range<Count>): Predicate | null {
  const test = countTest(column, range);
  if (test === null) return null;
  return (mask) => {
    if (test === 'none') mask.fill(0);
    else if (test !== 'all') test(mask);
    dropNulls(column, mask);
  };
}
