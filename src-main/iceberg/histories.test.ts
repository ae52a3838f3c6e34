/**
 * Iceberg tables with random histories, written by pyiceberg: each scan must give the rows and types that
 * pyiceberg's own scan gives.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScanFilter } from './plan/filters.ts';
import { rowsOf, typesOf } from './testing/arrowRows.ts';
import { PYTHON, writtenBy } from './testing/pyiceberg.ts';
import { scanned } from './testing/scanned.ts';

interface History {
  readonly table: string;
  readonly steps?: readonly string[];
  readonly queries?: readonly Query[];
  readonly failed?: string;
}

interface Query {
  readonly columns: readonly string[] | null;
  readonly filters: readonly ScanFilter[];
  readonly snapshot: string | null;
  readonly file: string;
}

const isLong = process.env['LONG'] === '1';
/** The same tables each time in `npm test`, new ones in the long run. */
const FIRST = Number(process.env['FIRST'] ?? (isLong ? Math.floor(Math.random() * 1e9) : 1));
const TABLES = Number(process.env['TABLES'] ?? (isLong ? 1500 : 8));

describe.skipIf(PYTHON === undefined)('tables with random histories, written by pyiceberg', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'iceberg-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(`[IC-1] [IC-2] [IC-3] every scan gives the rows that pyiceberg's own scan gives (tables from ${FIRST} on)`, {
    timeout: isLong ? 3_600_000 : 300_000,
  }, async () => {
    const histories = (await writtenBy(
      'iceberg_histories.py',
      folder,
      String(FIRST),
      String(TABLES),
    )) as History[]; // by that program
    const written = histories.filter(({ queries }) => queries !== undefined);
    // pyiceberg itself fails at some histories, such as a filter by a partition whose column was dropped.
    expect(written.length, JSON.stringify(histories.map(({ failed }) => failed))).toBeGreaterThan(TABLES / 2);
    for (const { table, steps, queries = [] } of written) {
      for (const { columns, filters, snapshot, file } of queries) {
        const request = { columns, filters, snapshotId: snapshot === null ? null : BigInt(snapshot) };
        const about = `${table} ${steps?.join(' ')} ${inspect({ columns, filters, snapshot })}`;
        const expected = tableFromIPC(await readFile(file));
        const { rows } = await scanned(`${folder}#${table}`, request).catch((error: unknown) => {
          throw new Error(about, { cause: error });
        });
        expect(rowsOf(rows), about).toEqual(rowsOf(expected));
        expect(typesOf(rows), about).toEqual(typesOf(expected));
      }
    }
  });
});
