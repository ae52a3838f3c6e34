import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { CellValue } from './columns/cellValue.ts';
import { TableCache } from './service/tableCache.ts';

/** Files written by pyarrow, with the values that pyarrow and pandas read from them (`fixtures/make.py`). */
interface Expected {
  readonly pageable: true;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CellValue[])[];
  readonly summary: readonly unknown[];
  readonly orders: Readonly<Record<string, Readonly<Record<'asc' | 'desc', readonly number[]>>>>;
}

const folder = new URL('./fixtures/', import.meta.url);
const cases: Record<string, Expected | { readonly pageable: false }> = JSON.parse(
  readFileSync(new URL('expected.json', folder), 'utf8'),
);

describe.each(Object.entries(cases))('%s', (name, expected) => {
  const cache = new TableCache(1 << 26);
  const file = { path: fileURLToPath(new URL(`${name}.arrow`, folder)), sha256: name };

  if (!expected.pageable) {
    test('[VA-9] is not pageable', async () => {
      expect(cache.page({ ...file, offset: 0, limit: 10 }).pageable).toBe(false);
      expect((await cache.summary(file)).pageable).toBe(false);
    });
    return;
  }

  test('[VA-7] shows the values that pyarrow reads', () => {
    expect(cache.page({ ...file, offset: 0, limit: 500 })).toEqual({
      pageable: true,
      columns: expected.columns,
      rows: expected.rows,
      total: expected.rows.length,
      offset: 0,
      limit: 500,
      sort_by: null,
      sort_dir: 'asc',
    });
  });

  test('has the same summary of every column', async () => {
    expect(await cache.summary(file)).toEqual({
      pageable: true,
      columns: expected.summary,
      total: expected.rows.length,
    });
  });

  const sorts = Object.entries(expected.orders).flatMap(([column, orders]) =>
    (['asc', 'desc'] as const).map((dir) => ({ column, dir, order: orders[dir] })),
  );
  test.each(sorts)('[VA-7] sorts by $column $dir', ({ column, dir, order }) => {
    const page = cache.page({ ...file, offset: 0, limit: 500, sortBy: column, sortDir: dir });
    expect(page.pageable && page.rows).toEqual(order.map((row) => expected.rows[row]));
  });
});
