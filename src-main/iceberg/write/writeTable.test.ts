import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Int64, Table, Utf8, vectorFromArray } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IcebergError } from '../icebergError.ts';
import { rowsOf } from '../testing/arrowRows.ts';
import { PYTHON } from '../testing/pyiceberg.ts';
import { NO_WAREHOUSES, scanned } from '../testing/scanned.ts';
import { readByPyiceberg, written } from '../testing/writing.ts';

const warehouses = NO_WAREHOUSES;
const numbers = (...values: readonly number[]) =>
  new Table({
    n: vectorFromArray(values.map(BigInt), new Int64()),
    s: vectorFromArray(
      values.map((value) => (value % 2 === 0 ? `text ${value}` : null)),
      new Utf8(),
    ),
  });

describe.skipIf(PYTHON === undefined)('a table in a warehouse folder', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'iceberg-write-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const catalog = () => ({ name: 'svc', type: 'sql', uri: `sqlite:///${folder}/catalog.db` });
  const read = (table: string, ...actions: readonly string[]) =>
    readByPyiceberg(catalog(), `ns.${table}`, join(folder, `${table}.read`), ...actions);

  it('is created by an append, and replaced by an overwrite', async () => {
    const first = await written(`${folder}#ns.t`, numbers(1, 2, 3), {
      ...{ warehouses, tag: 'prod', summary: { 'svc.version': '1' } },
    });
    expect(first.created).toBe(true);
    const one = await read('t');
    expect(rowsOf(one.rows)).toEqual(rowsOf(numbers(1, 2, 3)));
    expect(one.tags).toEqual({ prod: String(first.snapshotId) });
    const second = await written(`${folder}#ns.t`, numbers(4, 5), {
      warehouses,
      summary: { 'svc.version': '2' },
    });
    expect(second.created).toBe(false);
    const two = await read('t');
    expect(rowsOf(two.rows)).toEqual(rowsOf(numbers(4, 5)));
    expect(rowsOf(await two.taggedRows('prod'))).toEqual(rowsOf(numbers(1, 2, 3)));
    expect(two.snapshots).toMatchObject([{ operation: 'append' }, { operation: 'overwrite' }]);
    expect(two.entries.map(({ status }) => status).sort()).toEqual([1, 2]);
    expect((await scanned(`${folder}#ns.t`)).rows.numRows).toBe(2);
  });
});
