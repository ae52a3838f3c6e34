/**
 * Filters on a table of many rows, with a column for each way of comparing; the expected rows come from plain
 * JavaScript.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Bool,
  type DataType,
  Dictionary,
  Float64,
  Int32,
  Int64,
  makeVector,
  Table,
  tableToIPC,
  Uint64,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { afterAll, describe, expect, test } from 'vitest';
import { TableCache } from '../service/tableCache.ts';
import type { Filter } from './filterRows.ts';

const dir = mkdtempSync(join(tmpdir(), 'filter-many-'));
const path = join(dir, 'table.arrow');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Rows of each of two batches: more than are counted together, and not a multiple of four. */
const BATCH = 1_303;
const ROWS = Array.from({ length: 2 * BATCH }, (_none, row) => row);
type Value = string | number | bigint | boolean | null;

const WORDS = ['alpha', 'Beta', '', 'beta 2', 'é', 'a longer text than the others', 'x10'];
const isNull = (row: number): boolean => row % 11 === 3;
/** One column for each way of comparing: its type, and the value of each row. */
const COLUMNS: Readonly<Record<string, { readonly type: DataType; readonly at: (row: number) => Value }>> = {
  text: { type: new Utf8(), at: (row) => WORDS[(row * 5) % 7] ?? '' },
  unlike: { type: new Utf8(), at: (row) => `text ${row}` },
  coded: { type: new Dictionary(new Utf8(), new Int32()), at: (row) => WORDS[row % 3] ?? '' },
  small: { type: new Int64(), at: (row) => BigInt((row * 7) % 100) },
  negative: { type: new Int64(), at: (row) => BigInt(-1 - (row % 100)) },
  large: { type: new Int64(), at: (row) => 5n * 2n ** 32n + BigInt(row % 100) * 40_000_000n },
  mixed: { type: new Int64(), at: (row) => BigInt((row % 100) - 50) },
  unsigned: { type: new Uint64(), at: (row) => 2n ** 64n - 1n - BigInt(row % 100) },
  narrow: { type: new Int32(), at: (row) => (row % 2 === 0 ? -1 : 1) * (row % 100) * 20_000_000 },
  flag: { type: new Bool(), at: (row) => row % 3 === 0 },
  float: { type: new Float64(), at: (row) => ((row * 7) % 100) / 8 - 5 },
};
const valueAt = (name: string, row: number): Value =>
  isNull(row) && name !== 'unlike' ? null : (COLUMNS[name]?.at(row) ?? null);

/** A vector of two chunks; a dictionary is written once and has one. */
function vectorOf(name: string): Vector {
  const type = COLUMNS[name]?.type ?? new Utf8();
  const batch = (from: number): Vector =>
    vectorFromArray(
      ROWS.slice(from, from + BATCH).map((row) => valueAt(name, row)),
      type,
    );
  return name === 'coded'
    ? vectorFromArray(
        ROWS.map((row) => valueAt(name, row)),
        type,
      )
    : batch(0).concat(batch(BATCH));
}

const columns = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, vectorOf(name)]));
const row = makeVector(Int32Array.from(ROWS));
writeFileSync(path, tableToIPC(new Table({ row, ...columns }), 'stream'));

function rowsOf(filters: readonly Filter[]): readonly unknown[] {
  const cache = new TableCache(1 << 24);
  const page = cache.page({ path, sha256: 'many', offset: 0, limit: ROWS.length, filters });
  if (!page.pageable) throw new Error(page.reason);
  expect(page.total).toBe(page.rows.length);
  return page.rows.map(([first]) => first);
}

type Test = (value: NonNullable<Value>) => boolean;
const words = (text: unknown): string => String(text).toLowerCase();

/** A column, a filter of it, and the same in JavaScript. */
const CASES: readonly (readonly [column: string, filter: Filter, test: Test])[] = [
  ['text', { op: 'eq', value: 'beta 2' }, (value) => value === 'beta 2'],
  ['text', { op: 'ne', value: 'Beta' }, (value) => value !== 'Beta'],
  ['text', { op: 'between', value: 'a', value2: 'b' }, (value) => value >= 'a' && value <= 'b'],
  ['text', { op: 'in', values: ['alpha', '', 'none'] }, (value) => value === 'alpha' || value === ''],
  ['text', { op: 'not_in', values: ['é', 'x10'] }, (value) => value !== 'é' && value !== 'x10'],
  ['text', { op: 'contains', value: 'BETA' }, (value) => words(value).includes('beta')],
  ['text', { op: 'not_contains', value: 'a' }, (value) => !words(value).includes('a')],
  ['text', { op: 'contains', value: '' }, () => true],
  ['text', { op: 'starts_with', value: 'B' }, (value) => words(value).startsWith('b')],
  ['text', { op: 'regex', value: '^[a-z]+$' }, (value) => /^[a-z]+$/.test(String(value))],
  ['text', { op: 'not_null' }, () => true],
  ['unlike', { op: 'ge', value: 'text 5' }, (value) => value >= 'text 5'],
  [
    'unlike',
    { op: 'in', values: ['text 7', 'text 2604'] },
    (value) => value === 'text 7' || value === 'text 2604',
  ],
  ['coded', { op: 'in', values: ['alpha', ''] }, (value) => value === 'alpha' || value === ''],
  ['coded', { op: 'ne', value: 'alpha' }, (value) => value !== 'alpha'],
  ['small', { op: 'lt', value: 50 }, (value) => Number(value) < 50],
  ['small', { op: 'ge', value: 99.5 }, () => false],
  ['small', { op: 'between', value: -3, value2: 4.5 }, (value) => Number(value) <= 4],
  ['small', { op: 'ne', value: 7 }, (value) => value !== 7n],
  ['small', { op: 'gt', value: '9000000000' }, () => false],
  ['small', { op: 'ne', value: '9000000000' }, () => true],
  ['small', { op: 'in', values: [1, 2] }, (value) => value === 1n || value === 2n],
  ['negative', { op: 'le', value: -50 }, (value) => Number(value) <= -50],
  ['negative', { op: 'gt', value: '-9000000000' }, () => true],
  ['negative', { op: 'ge', value: 0 }, () => false],
  ['large', { op: 'lt', value: '23474836480' }, (value) => BigInt(value) < 23_474_836_480n],
  ['large', { op: 'between', value: 0, value2: '21474836480' }, (value) => value === 5n * 2n ** 32n],
  ['mixed', { op: 'between', value: -2, value2: 3 }, (value) => Number(value) >= -2 && Number(value) <= 3],
  ['mixed', { op: 'ne', value: 0 }, (value) => value !== 0n],
  [
    'unsigned',
    { op: 'gt', value: '18446744073709551600' },
    (value) => BigInt(value) > 18_446_744_073_709_551_600n,
  ],
  ['narrow', { op: 'ge', value: -40_000_000 }, (value) => Number(value) >= -40_000_000],
  ['narrow', { op: 'between', value: -2_000_000_000, value2: 2_000_000_000 }, () => true],
  ['narrow', { op: 'gt', value: 4_000_000_000 }, () => false],
  ['narrow', { op: 'ne', value: 0 }, (value) => value !== 0],
  ['flag', { op: 'eq', value: true }, (value) => value === true],
  [
    'float',
    { op: 'between', value: -1, value2: 2.125 },
    (value) => Number(value) >= -1 && Number(value) <= 2.125,
  ],
  ['float', { op: 'ne', value: 0 }, (value) => value !== 0],
];

describe('[VA-98] a filter keeps the same rows whether the values of its column repeat, or are small, or not', () => {
  test.each(CASES)('%s %j', (name, filter, passes) => {
    const expectedRows = ROWS.filter((at) => {
      const value = valueAt(name, at);
      return value !== null && passes(value);
    });
    expect(rowsOf([{ ...filter, col: name }])).toEqual(expectedRows);
  });
});
