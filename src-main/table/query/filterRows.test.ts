import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Float64, Int64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { TableCache } from '../service/tableCache.ts';

const dir = mkdtempSync(join(tmpdir(), 'filter-rows-'));
const path = join(dir, 'table.arrow');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const FLOATS = [
  0.1,
  -0,
  Number.NaN,
  null,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  0.1 + 0.2,
  5e-324,
];
const LONGS = [1n, -1n, 0n, null, 2n ** 62n, -(2n ** 62n), 3n, 2n];
const TEXTS = ['alpha', 'Beta', '', null, 'beta', 'gam,ma', 'é', '10'];
const columns = {
  f: vectorFromArray(FLOATS, new Float64()),
  i: vectorFromArray(LONGS, new Int64()),
  t: vectorFromArray(TEXTS, new Utf8()),
};
writeFileSync(path, tableToIPC(new Table(columns), 'stream'));

describe('[VA-7] every operator of a filter', () => {
  // The rows that each operator keeps (rest-notebooks 5.3: eq ne gt ge lt le between contains is_null not_null).
  const CASES: readonly (readonly [
    column: 'f' | 'i' | 't',
    op: string,
    values: readonly unknown[],
    rows: number[],
  ])[] = [
    ['f', 'eq', [0], [1]],
    ['f', 'eq', [0.3], []],
    ['f', 'eq', [0.1 + 0.2], [6]],
    ['f', 'ne', [0.1], [1, 2, 4, 5, 6, 7]],
    ['f', 'gt', [0], [0, 4, 6, 7]],
    ['f', 'gt', [0.3], [4, 6]],
    ['f', 'gt', ['Infinity'], []],
    ['f', 'gt', ['-Infinity'], [0, 1, 4, 6, 7]],
    ['f', 'ge', [0], [0, 1, 4, 6, 7]],
    ['f', 'lt', [0], [5]],
    ['f', 'lt', [5e-324], [1, 5]],
    ['f', 'lt', ['-Infinity'], []],
    ['f', 'le', [0], [1, 5]],
    ['f', 'le', ['Infinity'], [0, 1, 4, 5, 6, 7]],
    ['f', 'between', [0, 0.1], [0, 1, 7]],
    ['f', 'between', [1, 0], []],
    ['f', 'contains', ['0.1'], [0]],
    ['f', 'is_null', [], [3]],
    ['f', 'not_null', [], [0, 1, 2, 4, 5, 6, 7]],
    ['i', 'eq', [1], [0]],
    ['i', 'eq', ['4611686018427387904'], [4]],
    ['i', 'ne', [1], [1, 2, 4, 5, 6, 7]],
    ['i', 'gt', [1], [4, 6, 7]],
    ['i', 'gt', [1.5], [4, 6, 7]],
    ['i', 'ge', [1], [0, 4, 6, 7]],
    ['i', 'lt', [0], [1, 5]],
    ['i', 'le', [0], [1, 2, 5]],
    ['i', 'between', [0, 2], [0, 2, 7]],
    ['i', 'contains', ['-'], [1, 5]],
    ['i', 'is_null', [], [3]],
    ['i', 'not_null', [], [0, 1, 2, 4, 5, 6, 7]],
    ['t', 'eq', ['beta'], [4]],
    ['t', 'ne', ['beta'], [0, 1, 2, 5, 6, 7]],
    ['t', 'gt', ['beta'], [5, 6]],
    ['t', 'ge', ['beta'], [4, 5, 6]],
    ['t', 'lt', ['Beta'], [2, 7]],
    ['t', 'le', ['Beta'], [1, 2, 7]],
    ['t', 'between', ['a', 'b'], [0]],
    ['t', 'contains', ['BETA'], [1, 4]],
    ['t', 'is_null', [], [3]],
    ['t', 'not_null', [], [0, 1, 2, 4, 5, 6, 7]],
  ];
  it.each(CASES)('%s %s %j', (col, op, [value, value2], rows) => {
    const cache = new TableCache(1 << 20);
    const filters = [{ col, op, value, value2 }];
    const page = cache.page({ path, sha256: 'filters', offset: 0, limit: 100, filters });
    if (!page.pageable) throw new Error(page.reason);
    const all = cache.page({ path, sha256: 'filters', offset: 0, limit: 100 });
    if (!all.pageable) throw new Error(all.reason);
    expect(page.rows).toEqual(rows.map((row) => all.rows[row]));
    expect(page.total).toBe(rows.length);
  });
});
