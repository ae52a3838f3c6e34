import { expect, test } from 'vitest';
import { compareTables, type TablePart } from './compareTables.ts';

const part = (columns: string, ...rows: readonly (readonly (string | number | null)[])[]): TablePart => ({
  columns: columns.split(' '),
  rows,
  total: rows.length,
});

interface Case {
  readonly what: string;
  readonly before: TablePart;
  readonly after: TablePart;
  readonly added?: string[];
  readonly removed?: string[];
  /** `row column: before → after` */
  readonly differs?: string[];
  readonly compared?: number;
}

const CASES: readonly Case[] = [
  { what: 'alike', before: part('a b', [1, 2]), after: part('a b', [1, 2]) },
  {
    what: 'a value',
    before: part('a b', [1, 2], [3, 4]),
    after: part('a b', [1, 2], [3, 5]),
    differs: ['1 b: 4 → 5'],
    compared: 2,
  },
  {
    what: 'columns by their names, wherever they stand',
    before: part('a b c', [1, 2, 3]),
    after: part('c d a', [3, 9, 7]),
    added: ['d'],
    removed: ['b'],
    differs: ['0 a: 1 → 7'],
  },
  {
    what: 'rows that only one has are not compared',
    before: part('a', [1], [2]),
    after: part('a', [1]),
    compared: 1,
  },
  {
    what: 'nothing and a value',
    before: part('a', [null]),
    after: part('a', ['']),
    differs: ['0 a: null → ""'],
  },
  {
    what: 'no column in common',
    before: part('a', [1]),
    after: part('b', [1]),
    added: ['b'],
    removed: ['a'],
  },
];

test.each(CASES)('[RE-50] two tables: $what', ({ before, after, added, removed, differs, compared }) => {
  const comparison = compareTables(before, after);
  expect(comparison.columnsAdded).toEqual(added ?? []);
  expect(comparison.columnsRemoved).toEqual(removed ?? []);
  expect(comparison.rowsCompared).toBe(compared ?? 1);
  expect(
    comparison.differences.map(
      ({ row, column, before: old, after: now }) =>
        `${row} ${column}: ${JSON.stringify(old)} → ${JSON.stringify(now)}`,
    ),
  ).toEqual(differs ?? []);
});

test('[RE-50] nested values are compared by content, and the first twenty differences are listed', () => {
  const rows = (by: number) => Array.from({ length: 30 }, (_, at) => [[at, { x: by }]]);
  const of = (by: number): TablePart => ({ columns: ['a'], rows: rows(by), total: 30 });
  expect(compareTables(of(1), of(1)).differences).toEqual([]);
  expect(compareTables(of(1), of(2)).differences.map(({ row }) => row)).toEqual(
    Array.from({ length: 20 }, (_, at) => at),
  );
});
