/** Finds the most frequent values of a column, for its distribution in the data viewer. */

import type { ArrowType } from '../columns/arrowType.ts';
import type { CellValue } from '../columns/cellValue.ts';
import { type CodedColumn, type Column, codedColumnOf, statesOf, valueAt } from '../columns/column.ts';
import { flatText } from '../columns/flatText.ts';
import { codesOfTexts } from '../columns/textCodes.ts';
import { partition } from '../query/sortRows.ts';
import { sortWords } from '../query/sortWords.ts';

/** A value and the number of rows with it. */
interface CountedValue {
  readonly value: CellValue;
  readonly count: number;
}

export interface CommonValues {
  readonly values: readonly CountedValue[];
  /** Rows with any other value. */
  readonly others: number;
}

export const MAX_VALUES = 12;
/** The maximum number of distinct values that are counted; with more, the first twelve say little. */
const MAX_DIFFERENT = 4096;
/** Maximum characters of a listed value. */
const MAX_CHARACTERS = 200;

/**
 * The most frequent values of a column of texts, booleans or codes, most frequent first, ties by their text. Null for
 * every other column, if there is no value, and if most rows have distinct values.
 */
export function commonValues(column: Column, rows: Uint32Array | null): CommonValues | null {
  const groups = groupsOf(column, rows);
  if (groups === null) return null;
  const total = groups.counts.reduce((sum, count) => sum + count, 0);
  const most = Math.min(MAX_DIFFERENT, Math.max(MAX_VALUES, Math.floor(total / 2)));
  const byText = new Map<string, CountedValue>();
  for (const [at, row] of groups.rows.entries()) {
    const value = valueAt(groups.column, row);
    // Several dictionaries may contain the same entry.
    const earlier = byText.get(String(value))?.count ?? 0;
    byText.set(String(value), { value, count: earlier + (groups.counts[at] ?? 0) });
    if (byText.size > most) return null;
  }
  if (byText.size === 0) return null;
  const common = [...byText]
    .sort(([a, { count: ofA }], [b, { count: ofB }]) => ofB - ofA || (a < b ? -1 : 1))
    .slice(0, MAX_VALUES)
    .map(([, { value, count }]) => ({ value: cut(value), count }));
  return { values: common, others: common.reduce((rest, { count }) => rest - count, total) };
}

/** A row with each distinct value of a column, and the number of rows with it. */
interface Groups {
  readonly column: Column;
  readonly rows: readonly number[];
  readonly counts: readonly number[];
}

/** The groups of equal values; null also if so many are distinct that the rest need not be read. */
function groupsOf(column: Column, rows: Uint32Array | null): Groups | null {
  const coded = codedColumnOf(column);
  if (coded !== null) return HAVE_NAMES.has(coded.values.type.kind) ? entriesOf(coded, rows) : null;
  if (column.type.kind === 'text') return textsOf(column, rows);
  return column.type.kind === 'bool' ? truthsOf(column, partition(column, rows).values) : null;
}

/** Types of dictionary entries whose text identifies them. */
const HAVE_NAMES: ReadonlySet<ArrowType['kind']> = new Set([
  ...(['text', 'bool', 'int', 'float', 'decimal', 'date', 'time', 'timestamp', 'duration'] as const),
]);

function entriesOf({ codes, values }: CodedColumn, rows: Uint32Array | null): Groups {
  // One more, for rows without a value.
  const counts = new Uint32Array(values.rows + 1);
  const { length } = rows ?? codes;
  for (let at = 0; at < length; at += 1) {
    const code = codes[rows === null ? at : (rows[at] as number)] as number; // below their length
    counts[code + 1] = (counts[code + 1] as number) + 1;
  }
  return held(values, counts.subarray(1));
}

function textsOf(column: Column, rows: Uint32Array | null): Groups | null {
  const list = statesOf(column) === null ? rows : partition(column, rows).values;
  const count = list?.length ?? column.rows;
  // So few are not worth a table, and each may have a text of its own.
  if (count < MAX_VALUES * 2)
    return alone(column, list ?? Uint32Array.from({ length: count }, (_none, row) => row));
  const coded = codesOfTexts(flatText(column), { list, from: 0, count });
  if (coded === null) return null;
  const counts = new Uint32Array(coded.firstRows.length);
  for (let at = 0; at < count; at += 1) {
    const code = coded.codes[at] as number; // below its length
    counts[code] = (counts[code] as number) + 1;
  }
  return { column, rows: [...coded.firstRows], counts: [...counts] };
}

function alone(column: Column, rows: Uint32Array): Groups {
  return { column, rows: [...rows], counts: Array.from(rows, () => 1) };
}

function truthsOf(column: Column, rows: Uint32Array): Groups {
  const [truths = new Uint32Array(0)] = sortWords(column) ?? [];
  const exampleRows = [0, 0];
  const counts = [0, 0];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number; // below its length
    const truth = truths[row] as number;
    exampleRows[truth] = row;
    counts[truth] = (counts[truth] as number) + 1;
  }
  const present = [0, 1].filter((truth) => counts[truth] !== 0);
  return {
    column,
    rows: present.map((truth) => exampleRows[truth] ?? 0),
    counts: present.map((truth) => counts[truth] ?? 0),
  };
}

/** The entries that some row has. */
function held(column: Column, counts: Uint32Array): Groups {
  const rows: number[] = [];
  for (let entry = 0; entry < counts.length; entry += 1) if (counts[entry] !== 0) rows.push(entry);
  return { column, rows, counts: rows.map((entry) => counts[entry] ?? 0) };
}

/** A value cut to the maximum length; never cuts a surrogate pair. */
function cut(value: CellValue): CellValue {
  if (typeof value !== 'string' || value.length <= MAX_CHARACTERS) return value;
  return `${value.slice(0, MAX_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
