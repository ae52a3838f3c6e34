/** Groups the rows of a table in the data viewer by the values of some columns. */

import type { CellValue } from '../columns/cellValue.ts';
import { type Column, NAN, NULL, statesOf, VALUE, valueAt } from '../columns/column.ts';
import type { Table } from '../columns/readTable.ts';
import { findColumn, orderRows, type SortKey } from '../query/selectRows.ts';
import { equality } from '../query/sortRows.ts';
import { AGGREGATES, type Aggregate, type Group } from './aggregates.ts';

/** One column of the answer after the keys: an aggregate of a column; `rows` needs no column. */
export interface Measure {
  readonly col: string | null;
  readonly agg: Aggregate | 'rows';
}

export interface GroupQuery {
  /** The columns to group by. */
  readonly by: readonly string[];
  readonly measures: readonly Measure[];
  /** Index of a column of the answer; null: by the keys. */
  readonly sort: { readonly at: number; readonly dir: 'asc' | 'desc' } | null;
}

type Groups =
  | { readonly kind: 'groups'; readonly columns: readonly string[]; readonly rows: readonly CellValue[][] }
  /** The reason as a message. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Maximum number of groups; more are not a summary. */
const MAX_GROUPS = 50_000;

/**
 * Groups the rows of a view by the values of some columns: one row per combination of values, with null and NaN as
 * values of their own, in the order of the keys with null last.
 */
export function groupRows(table: Table, rows: Uint32Array | null, query: GroupQuery): Groups {
  const keys: Column[] = [];
  for (const name of query.by) {
    const column = findColumn(table, name);
    if (column === null) return refused(`There is no column '${name}'.`);
    if (!keys.includes(column)) keys.push(column);
  }
  const measures = readMeasures(table, query.measures);
  if (typeof measures === 'string') return refused(measures);
  const sorted =
    orderRows(sortKeys(keys), rows) ?? Uint32Array.from({ length: table.rows }, (_none, row) => row);
  const groups = splitGroups(keys, sorted);
  if (groups === null) {
    return refused(
      `There are more than ${MAX_GROUPS.toLocaleString('en-US')} groups. Group by a column with fewer values.`,
    );
  }
  const answer = [
    ...keys.map((column) => groups.map(({ rows: [first = 0] }) => valueAt(column, first))),
    ...measures.map(({ column, agg }) =>
      agg === 'rows' || column === null
        ? groups.map(({ rows: { length } }) => length)
        : AGGREGATES[agg].compute(column, groups, () => {
            const order = orderRows(sortKeys([...keys, column]), sorted) ?? sorted;
            // The keys come first, so every group keeps its position.
            return groups.map(({ from, rows: { length } }) => ({
              from,
              rows: order.subarray(from, from + length),
            }));
          }),
    ),
  ];
  const columns = [
    ...keys.map(({ name }) => name),
    ...measures.map(({ column, agg }) => (column === null ? 'rows' : `${column.name} ${agg}`)),
  ];
  const lines = groups.map((_group, at) => answer.map((values) => values[at] ?? null));
  const sort = query.sort;
  if (sort !== null) lines.sort((a, b) => compareCells(a[sort.at], b[sort.at], sort.dir));
  return { kind: 'groups', columns, rows: lines };
}

function sortKeys(columns: readonly Column[]): SortKey[] {
  return columns.map((column) => ({ column, direction: 'asc' }));
}

function refused(reason: string): Groups {
  return { kind: 'refused', reason };
}

type ReadMeasure = { readonly column: Column | null; readonly agg: Measure['agg'] };

function readMeasures(table: Table, measures: readonly Measure[]): ReadMeasure[] | string {
  const wantedMeasures: ReadMeasure[] = [];
  for (const { col, agg } of measures) {
    if (agg === 'rows') {
      wantedMeasures.push({ column: null, agg });
      continue;
    }
    const column = findColumn(table, col);
    if (column === null) return `There is no column '${col}'.`;
    if (!AGGREGATES[agg].takes(column)) return `'${agg}' cannot be computed of the column '${col}'.`;
    wantedMeasures.push({ column, agg });
  }
  return wantedMeasures;
}

/** The groups of rows with equal keys; null if there are too many. */
function splitGroups(keys: readonly Column[], sorted: Uint32Array): Group[] | null {
  const tests = keys.map(sameKey);
  const groups: Group[] = [];
  for (let from = 0; from < sorted.length; ) {
    const first = sorted[from] as number; // below its length
    let to = from + 1;
    while (to < sorted.length && tests.every((same) => same(first, sorted[to] as number))) to += 1;
    groups.push({ from, rows: sorted.subarray(from, to) });
    if (groups.length > MAX_GROUPS) return null;
    from = to;
  }
  // Without a key, all rows are one group, even if there are none.
  return keys.length === 0 && groups.length === 0 ? [{ from: 0, rows: sorted }] : groups;
}

/** Whether two rows have the same key; here null equals null and NaN equals NaN. */
function sameKey(column: Column): (a: number, b: number) => boolean {
  const same = equality(column);
  const states = statesOf(column);
  if (states === null) return same;
  return (a, b) => {
    const state = states[a] ?? VALUE;
    if (state !== (states[b] ?? VALUE)) return false;
    return state === NULL || state === NAN || same(a, b);
  };
}

/** Compares numbers by value, including those written as text; null and NaN last in both directions. */
function compareCells(a: CellValue | undefined, b: CellValue | undefined, dir: 'asc' | 'desc'): number {
  const [none, noneToo] = [isNothing(a), isNothing(b)];
  if (none || noneToo) return Number(none) - Number(noneToo);
  const sign = dir === 'desc' ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  const [first, second] = [String(a), String(b)];
  const [x, y] = [Number(first), Number(second)];
  if (!Number.isNaN(x) && !Number.isNaN(y) && x !== y) return sign * (x < y ? -1 : 1);
  return first === second ? 0 : sign * (first < second ? -1 : 1);
}

function isNothing(value: CellValue | undefined): boolean {
  return value === null || value === undefined || value === 'NaN';
}
