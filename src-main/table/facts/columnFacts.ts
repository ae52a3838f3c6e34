/** Computes the statistics of one column that the data viewer shows in a dialog. */

import { type CellValue, cellText } from '../columns/cellValue.ts';
import { atRow, type Column, valueAt } from '../columns/column.ts';
import { equality, partition, sortRows } from '../query/sortRows.ts';
import { type Bin, binsOf } from '../summary/distributionBins.ts';
import { type Moments, momentsOf } from './moments.ts';

/** A value and the number of rows with it. */
interface Counted {
  readonly value: CellValue;
  readonly count: number;
}

interface Quantile {
  /** Between 0 and 1. */
  readonly q: number;
  readonly value: CellValue;
}

/** The viewer's statistics of one column, over the rows of a query. */
export interface ColumnFacts {
  readonly name: string;
  readonly dtype: string;
  /** Rows that are not null; NaN counts. */
  readonly count: number;
  readonly nulls: number;
  readonly nans: number;
  /** Distinct values; null is none, NaN is one. */
  readonly distinct: number;
  /** Sum, mean and standard deviation of numbers, without NaN. Null for other columns and if there is no value. */
  readonly moments: Moments | null;
  /** Quantiles from the smallest to the largest value; empty for types without an order. */
  readonly quantiles: readonly Quantile[];
  /** The most frequent values first, ties in their order; without NaN. */
  readonly top: readonly Counted[];
  /** Number of distinct values that match; more than `top` has if some were left out. */
  readonly matching: number;
  readonly bins: readonly Bin[] | null;
}

export interface FactsQuery {
  /** Maximum number of frequent values. */
  readonly most: number;
  /** Only values whose displayed text contains this, ignoring case. */
  readonly find: string;
}

const QUANTILES = [0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1];
/** Kinds whose values have a natural order. */
const ORDERED: ReadonlySet<string> = new Set([
  ...['int', 'float', 'decimal', 'date', 'time', 'timestamp', 'duration'],
]);

/** The statistics of a column over these rows. @param rows in order; null: all */
export function columnFacts(column: Column, rows: Uint32Array | null, query: FactsQuery): ColumnFacts {
  const { values, nans, nulls } = partition(column, rows);
  const sorted = sortRows(column, values, 'asc');
  const { top, distinct, matching } = valueCounts(column, sorted, query);
  return {
    name: column.name,
    dtype: column.dtype,
    count: values.length + nans.length,
    nulls: nulls.length,
    nans: nans.length,
    distinct: distinct + (nans.length > 0 ? 1 : 0),
    moments: momentsOf(column, values),
    quantiles: ORDERED.has(column.type.kind) ? quantilesOf(column, sorted) : [],
    top: top.map(({ row, count }) => ({ value: valueAt(column, row), count })),
    matching,
    bins: binsOf(column, rows),
  };
}

interface Run {
  /** A row with the value. */
  readonly row: number;
  readonly count: number;
}

/** Runs beyond `most` that are collected before the least frequent ones are dropped. */
const SPARE = 4_096;

function valueCounts(
  column: Column,
  sorted: Uint32Array,
  { find, most }: FactsQuery,
): { readonly top: readonly Run[]; readonly distinct: number; readonly matching: number } {
  const same = equality(column);
  const needle = find.toLowerCase();
  let runs: Run[] = [];
  let distinct = 0;
  let matching = 0;
  for (let from = 0; from < sorted.length; ) {
    const row = sorted[from] as number; // below its length
    let to = from + 1;
    while (to < sorted.length && same(row, sorted[to] as number)) to += 1;
    distinct += 1;
    if (needle === '' || (atRow(column, row, cellText) ?? '').toLowerCase().includes(needle)) {
      matching += 1;
      runs.push({ row, count: to - from });
      if (runs.length > most + SPARE) runs = mostFrequent(runs, most);
    }
    from = to;
  }
  return { top: mostFrequent(runs, most), distinct, matching };
}

/** The most frequent values. The sort is stable: ties stay in their order. */
function mostFrequent(runs: readonly Run[], most: number): Run[] {
  return runs.toSorted((a, b) => b.count - a.count).slice(0, most);
}

/** Quantiles, interpolated linearly for numbers, like pandas; for other types the lower value. */
function quantilesOf(column: Column, sorted: Uint32Array): Quantile[] {
  if (sorted.length === 0) return [];
  return QUANTILES.map((q) => ({ q, value: quantileAt(column, sorted, q) }));
}

export function quantileAt(column: Column, sorted: Uint32Array, q: number): CellValue {
  const place = (sorted.length - 1) * q;
  const lower = valueAt(column, sorted[Math.floor(place)] ?? 0);
  const upper = valueAt(column, sorted[Math.ceil(place)] ?? 0);
  if (typeof lower !== 'number' || typeof upper !== 'number') return lower;
  const value = lower + (upper - lower) * (place - Math.floor(place));
  return Number.isFinite(value) ? value : String(value);
}
