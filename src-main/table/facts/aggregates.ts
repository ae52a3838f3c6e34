/** Computes the aggregates (count, sum, mean, …) of grouped rows in the data viewer. */

import type { CellValue } from '../columns/cellValue.ts';
import { type Column, codedColumnOf, NULL, statesOf, VALUE, valueAt } from '../columns/column.ts';
import { equality } from '../query/sortRows.ts';
import { quantileAt } from './columnFacts.ts';
import { deviation, doublesOf, sumOf } from './moments.ts';

const AGGREGATE_NAMES = ['count', 'sum', 'mean', 'median', 'std', 'min', 'max', 'distinct'] as const;
export type Aggregate = (typeof AGGREGATE_NAMES)[number];

/** The rows of one group. */
export interface Group {
  /** Index of its first row when all groups are concatenated. */
  readonly from: number;
  readonly rows: Uint32Array;
}

interface Computed {
  takes(column: Column): boolean;
  /** `ordered`: the same groups, each in the order of the column. */
  compute(column: Column, groups: readonly Group[], ordered: () => readonly Group[]): CellValue[];
}

const isNumber = ({ type }: Column): boolean =>
  type.kind === 'int' || type.kind === 'float' || type.kind === 'decimal';
const HAVE_ORDER: ReadonlySet<string> = new Set([
  ...['int', 'float', 'decimal', 'date', 'time', 'timestamp', 'duration', 'text', 'bool'],
]);
const hasOrder = (column: Column): boolean =>
  HAVE_ORDER.has((codedColumnOf(column)?.values ?? column).type.kind);
const always = (): boolean => true;

/** The aggregates of a group. Nulls are ignored; NaN makes a sum NaN and is neither minimum nor maximum. */
export const AGGREGATES: Readonly<Record<Aggregate, Computed>> = {
  count: {
    takes: always,
    compute: (column, groups) => {
      const states = statesOf(column);
      return groups.map(({ rows }) => rows.length - countOf(states, rows, (state) => state === NULL));
    },
  },
  sum: { takes: isNumber, compute: (column, groups) => groups.map(sumsOf(column)) },
  mean: {
    takes: isNumber,
    compute: ofNumbers((numbers, rows) => sumOf(numbers, rows) / rows.length),
  },
  median: {
    takes: isNumber,
    compute: (column, _groups, ordered) =>
      ordered().map(({ rows }) => {
        const sorted = valuesOf(column, rows);
        return sorted.length === 0 ? null : quantileAt(column, sorted, 0.5);
      }),
  },
  std: {
    takes: isNumber,
    compute: ofNumbers((numbers, rows) => deviation(numbers, rows, sumOf(numbers, rows) / rows.length)),
  },
  min: { takes: hasOrder, compute: (column, _groups, ordered) => ordered().map(extremeOf(column, 0)) },
  max: { takes: hasOrder, compute: (column, _groups, ordered) => ordered().map(extremeOf(column, -1)) },
  distinct: {
    takes: always,
    compute: (column, _groups, ordered) => {
      const same = equality(column);
      return ordered().map(({ rows }) => {
        const sorted = valuesOf(column, rows);
        let distinct = sorted.length === 0 ? 0 : 1;
        for (let at = 1; at < sorted.length; at += 1) {
          if (!same(sorted[at - 1] as number, sorted[at] as number)) distinct += 1; // below its length
        }
        const nans = rows.length - sorted.length - countOf(statesOf(column), rows, (state) => state === NULL);
        return distinct + (nans > 0 ? 1 : 0);
      });
    },
  },
};

function countOf(states: Uint8Array | null, rows: Uint32Array, is: (state: number) => boolean): number {
  if (states === null) return 0;
  let count = 0;
  for (const row of rows) if (is(states[row] ?? VALUE)) count += 1;
  return count;
}

/** The rows whose value is neither null nor NaN. */
function valuesOf(column: Column, rows: Uint32Array): Uint32Array {
  const states = statesOf(column);
  return states === null ? rows : rows.filter((row) => states[row] === VALUE);
}

function notNull(column: Column, rows: Uint32Array): Uint32Array {
  const states = statesOf(column);
  return states === null ? rows : rows.filter((row) => states[row] !== NULL);
}

/** An aggregate of the group's numbers; null for a group without a value. */
function ofNumbers(
  compute: (numbers: Float64Array, rows: Uint32Array) => number | null,
): Computed['compute'] {
  return (column, groups) => {
    const numbers = doublesOf(column);
    return groups.map(({ rows }) => {
      const own = notNull(column, rows);
      if (numbers === null || own.length === 0) return null;
      return shown(compute(numbers, own));
    });
  };
}

function shown(value: number | null): CellValue {
  return value === null || Number.isFinite(value) ? value : String(value);
}

/** The sum of a group. Integers and decimals are added exactly, also beyond a double's precision. */
function sumsOf(column: Column): (group: Group) => CellValue {
  const numbers = doublesOf(column);
  const { kind } = column.type;
  return ({ rows }) => {
    const own = notNull(column, rows);
    if (numbers === null) return null;
    const sum = sumOf(numbers, own);
    if (kind === 'float') return shown(sum);
    if (kind === 'int' && Number.isSafeInteger(sum) && isSmall(numbers, own)) return sum;
    return exactSum(column, own);
  };
}

/** Whether no partial sum can have been rounded. */
function isSmall(numbers: Float64Array, rows: Uint32Array): boolean {
  let size = 0;
  for (const row of rows) size += Math.abs(numbers[row] as number); // below its length
  return size <= Number.MAX_SAFE_INTEGER;
}

function exactSum(column: Column, rows: Uint32Array): CellValue {
  const scale = column.type.kind === 'decimal' ? Math.max(0, column.type.scale) : 0;
  let sum = 0n;
  for (const row of rows) sum += unscaled(String(valueAt(column, row)), scale);
  if (scale === 0)
    return Number.isSafeInteger(Number(sum)) && column.type.kind === 'int' ? Number(sum) : String(sum);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function unscaled(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
}

/** The first or the last value; NaN and null come after all values. */
function extremeOf(column: Column, at: 0 | -1): (group: Group) => CellValue {
  return ({ rows }) => {
    const row = valuesOf(column, rows).at(at);
    return row === undefined ? null : valueAt(column, row);
  };
}
