import { type CellValue, cellText } from '../columns/cellValue.ts';
import { atRow, type Column, valueAt } from '../columns/column.ts';
import { equality, partition, sortRows } from '../query/sortRows.ts';
import { type Bin, binsOf } from '../summary/spreadBins.ts';
import { type Moments, momentsOf } from './moments.ts';

/** A value and how many rows hold it. */
export interface Counted {
  readonly value: CellValue;
  readonly count: number;
}

export interface Quantile {
  /** Between 0 and 1. */
  readonly q: number;
  readonly value: CellValue;
}

/** Everything the viewer says of one column, over the rows a query keeps. */
export interface ColumnFacts {
  readonly name: string;
  readonly dtype: string;
  /** Rows with a value; NaN is one of them. */
  readonly count: number;
  readonly nulls: number;
  readonly nans: number;
  /** Different values; null is none, NaN is one. */
  readonly distinct: number;
  /** Of numbers; NaN is left out. Null for every other column and without a value. */
  readonly moments: Moments | null;
  /** From the smallest to the largest value; empty for what has no order of its own. */
  readonly quantiles: readonly Quantile[];
  /** The most frequent values first, those as frequent in their order; NaN is left out. */
  readonly top: readonly Counted[];
  /** Different values that were found; more than `top` has if some were left out. */
  readonly matching: number;
  readonly bins: readonly Bin[] | null;
}

export interface FactsQuery {
  /** How many frequent values are wanted. */
  readonly most: number;
  /** Only values whose shown text has this, whatever the case. */
  readonly find: string;
}

const QUANTILES = [0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1];
/** Kinds whose values have an order people know. */
const ORDERED: ReadonlySet<string> = new Set([
  ...['int', 'float', 'decimal', 'date', 'time', 'timestamp', 'duration'],
]);

/** @param rows in order; null: all */
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
  /** A row that has the value. */
  readonly row: number;
  readonly count: number;
}

/** Runs kept before those that cannot be among the most frequent are dropped. */
const SPARE = 4_096;

function valueCounts(
  column: Column,
  sorted: Uint32Array,
  { find, most }: FactsQuery,
): { readonly top: readonly Run[]; readonly distinct: number; readonly matching: number } {
  const same = equality(column);
  const wanted = find.toLowerCase();
  let found: Run[] = [];
  let distinct = 0;
  let matching = 0;
  for (let from = 0; from < sorted.length; ) {
    const row = sorted[from] as number; // below its length
    let to = from + 1;
    while (to < sorted.length && same(row, sorted[to] as number)) to += 1;
    distinct += 1;
    if (wanted === '' || (atRow(column, row, cellText) ?? '').toLowerCase().includes(wanted)) {
      matching += 1;
      found.push({ row, count: to - from });
      if (found.length > most + SPARE) found = mostFrequent(found, most);
    }
    from = to;
  }
  return { top: mostFrequent(found, most), distinct, matching };
}

/** Stable: values that are as frequent stay in their order. */
function mostFrequent(runs: readonly Run[], most: number): Run[] {
  return runs.toSorted((a, b) => b.count - a.count).slice(0, most);
}

/** Between two numbers on the straight line, as pandas does; of anything else the lower of the two. */
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
