import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTables, type MatchBy } from './compareTables.ts';
import type { TablePart } from './matchRows.ts';

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
  { what: 'equal', before: part('a b', [1, 2]), after: part('a b', [1, 2]) },
  {
    what: 'a value',
    before: part('a b', [1, 2], [3, 4]),
    after: part('a b', [1, 2], [3, 5]),
    differs: ['1 b: 4 → 5'],
    compared: 2,
  },
  {
    what: 'columns by their names, in any order',
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
    what: 'null and an empty text',
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

interface KeyCase {
  readonly what: string;
  readonly before: TablePart;
  readonly after: TablePart;
  readonly by?: MatchBy;
  readonly key: string | null;
  /** `key column: before → after` */
  readonly differs?: string[];
  readonly added?: readonly (string | number)[];
  readonly removed?: readonly (string | number)[];
}

const KEY_CASES: readonly KeyCase[] = [
  {
    what: 'rows in another order',
    before: part('id v', [1, 'a'], [2, 'b'], [3, 'c']),
    after: part('id v', [3, 'c'], [1, 'a'], [2, 'x']),
    key: 'id',
    differs: ['2 v: "b" → "x"'],
  },
  {
    what: 'rows that only one has',
    before: part('id v', [1, 'a'], [2, 'b']),
    after: part('v id', ['b', 2], ['c', 3]),
    by: { column: 'id' },
    key: 'id',
    added: [3],
    removed: [1],
  },
  {
    what: 'a number that became a text',
    before: part('id v', [1, 'a']),
    after: part('id v', ['1', 'b']),
    key: 'id',
    differs: ['"1" v: "a" → "b"'],
  },
  {
    what: 'the first column repeats a value, the second does not',
    before: part('a id', ['x', 1], ['x', 2]),
    after: part('a id', ['y', 2], ['x', 1]),
    key: 'id',
    differs: ['2 a: "x" → "y"'],
  },
  {
    what: 'a missing key: by position',
    before: part('id v', [1, 'a'], [null, 'a']),
    after: part('id v', [1, 'b'], [2, 'a']),
    key: null,
    differs: ['null v: "a" → "b"', 'null id: null → 2'],
  },
  {
    what: 'a column that only one has: by position',
    before: part('a', [1]),
    after: part('b', [1]),
    by: { column: 'a' },
    key: null,
  },
  {
    what: 'fractions do not identify rows',
    before: part('a', [0.5], [1.5]),
    after: part('a', [1.5], [0.5]),
    key: null,
    differs: ['null a: 0.5 → 1.5', 'null a: 1.5 → 0.5'],
  },
  { what: 'no rows', before: part('a'), after: part('a', [1]), key: null },
];

test.each(KEY_CASES)('[RG-31] two tables by key: $what', ({ before, after, by = 'key', ...expected }) => {
  const { key, differences, rowsAdded, rowsRemoved } = compareTables(before, after, by);
  expect(key).toBe(expected.key);
  expect(
    differences.map(
      (one) =>
        `${JSON.stringify(one.key)} ${one.column}: ${JSON.stringify(one.before)} → ${JSON.stringify(one.after)}`,
    ),
  ).toEqual(expected.differs ?? []);
  expect([rowsAdded, rowsRemoved]).toEqual(
    [expected.added ?? [], expected.removed ?? []].map((first) => ({ count: first.length, first })),
  );
});

test('[RG-31] tables that only differ in the order of their rows are equal by key', () => {
  const table = fc.uniqueArray(fc.tuple(fc.nat(1_000), fc.string()), {
    selector: ([id]) => id,
    minLength: 1,
  });
  fc.assert(
    fc.property(
      table.chain((rows) =>
        fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
      ),
      ([rows, shuffled]) => {
        const of = (some: readonly (readonly [number, string])[]) => part('id v', ...some);
        const { differences, rowsAdded, rowsRemoved, rowsCompared } = compareTables(
          of(rows),
          of(shuffled),
          'key',
        );
        expect([differences, rowsAdded.count, rowsRemoved.count, rowsCompared]).toEqual([
          [],
          0,
          0,
          rows.length,
        ]);
      },
    ),
  );
});
