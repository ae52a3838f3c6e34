/**
 * Scans of Iceberg tables that pyiceberg wrote: deletes, name mapping, types, filters, damaged or missing
 * files, and cancellation.
 */

import { copyFile, mkdtemp, readdir, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IcebergError } from './icebergError.ts';
import { openTable } from './openTable.ts';
import type { Operator } from './plan/filters.ts';
import { planScan } from './plan/planScan.ts';
import { readScan } from './read/readScan.ts';
import { rowsOf, typesOf } from './testing/arrowRows.ts';
import { PYTHON, writtenBy } from './testing/pyiceberg.ts';
import { LIMITS, NO_WAREHOUSES, scanned } from './testing/scanned.ts';

interface Case {
  readonly table: string;
  readonly file: string;
  readonly files: readonly string[];
}

const never = new AbortController().signal;

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof IcebergError ? `${error.kind}: ${error.message}` : String(error);
}

describe.skipIf(PYTHON === undefined)('tables that pyiceberg wrote', () => {
  let folder = '';
  let cases: readonly Case[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'iceberg-'));
    cases = (await writtenBy('iceberg_cases.py', folder)) as Case[]; // by that program
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const uri = (name: string) => `${folder}#ns.${name}`;
  const pathsOf = (name: string) =>
    (cases.find(({ table }) => table === `ns.${name}`)?.files ?? []).map((file) =>
      file.replace('file://', ''),
    );
  /** Changes a file for the duration of a test. */
  const whileChanged = async (
    file: string,
    change: () => Promise<void>,
    test: () => Promise<void>,
  ): Promise<void> => {
    await copyFile(file, `${file}.kept`);
    await change();
    try {
      await test();
    } finally {
      await copyFile(`${file}.kept`, file);
    }
  };

  it.each([
    ['[IC-4] position deletes, of this commit and of earlier ones', 'positions'],
    ['[IC-4] equality deletes, with NULL, by two columns, and not of later rows', 'equality'],
    ['[IC-4] a deletion vector of a table of format v3', 'vectors'],
    ['[IC-2] a file without field ids, by the name mapping', 'mapped'],
    ['[IC-3] types, names that differ only in case, a location with wildcards', 'types'],
    ['[IC-1] a table without a snapshot', 'empty'],
  ])('%s', async (_, name) => {
    const expected = tableFromIPC(await readFile(join(folder, `${name}.arrows`)));
    const { rows } = await scanned(uri(name));
    expect(rowsOf(rows)).toEqual(rowsOf(expected));
    expect(typesOf(rows)).toEqual(typesOf(expected));
  });

  it.each<[string, Operator, number, readonly string[]]>([
    ['d', '=', 0.5, ['d=0.5', 'd=0.5']],
    ['d', '<=', 1, ['d=0.5', 'd=0.5']],
    ['d', '<', 1, ['d=0.5', 'd=0.5']],
    ['d', '>=', 0.5, ['d=0.5', 'd=0.5']],
    ['d', '>', 0.1, ['d=0.5', 'd=0.5']],
    ['d', '!=', 0.5, ['d=NaN']],
    ['f', '<=', 3, ['f=2']],
    ['f', '!=', 2, ['f=NaN']],
  ])('[IC-21] in a column with NaN, %s %s %s matches %j', async (column, op, value, expected) => {
    const { rows } = await scanned(uri('nans'), { columns: [column], filters: [{ column, op, value }] });
    expect(rowsOf(rows)).toEqual(expected);
  });

  it('[IC-4] more deletes than the limit are refused, and not read', async () => {
    const limits = { equalityDeleteRows: 3, positionDeleteRows: 2 };
    const plan = async (name: string) => {
      const { metadata, files } = await openTable(uri(name), NO_WAREHOUSES, never);
      return planScan(
        metadata,
        { columns: null, filters: [], snapshotId: null },
        { files, signal: never, limits },
      );
    };
    expect(await failureOf(plan('equality'))).toContain(
      'too_many_deletes: The table has 4 rows of equality deletes',
    );
    expect(await failureOf(plan('positions'))).toContain(
      'too_many_deletes: The table has 5 rows of position deletes',
    );
  });

  it.each<[string, Operator, string | number, number]>([
    ['time', '=', '__time__:23:59:59.999999', 1],
    ['time', '<', '23:59:59.999999', 0],
    ['uuid', '=', '__uuid__:30313233-3435-3637-3839-616263646566', 1],
    ['uuid', '!=', '__uuid__:30313233-3435-3637-3839-616263646567', 1],
    ['uuid', '<', '__uuid__:ffffffff-ffff-ffff-ffff-ffffffffffff', 1],
    ['fixed', '=', '__bytes__:0001ff', 1],
    ['fixed', '>', '__bytes__:0001ff', 0],
    ['binary', '>', '__bytes__:', 1],
    ['A', '=', '\0nul', 1],
    ['A', '>', '\0nul', 1],
    ['a', '>=', '9999-12-31T23:59:59.999999', 1],
    ['a', '<', '0001-01-01T00:00:00.000001', 1],
    ['file_row_number', '=', 7, 1],
  ])('[IC-6] %s %s %s', async (column, op, value, count) => {
    const { rows } = await scanned(uri('types'), { columns: ['A'], filters: [{ column, op, value }] });
    expect(rows.numRows).toBe(count);
  });

  it('[IC-6] a file that cannot have a matching row is not read', async () => {
    const { rows, plan } = await scanned(uri('positions'), {
      filters: [{ column: 'k', op: '>=', value: 100 }],
    });
    expect([rows.numRows, plan.tasks.length, plan.prunedFiles]).toEqual([2, 1, 2]);
  });

  it('[IC-1] the message names the column, snapshot, table or folder that does not exist', async () => {
    expect(await failureOf(scanned(uri('positions'), { columns: ['x'] }))).toBe(
      'invalid_request: The table has no column "x". Its columns are k, s.',
    );
    expect(await failureOf(scanned(uri('positions'), { columns: [] }))).toContain(
      'invalid_request: The scan names no column',
    );
    expect(await failureOf(scanned(uri('positions'), { snapshotId: 2n ** 60n }))).toContain(
      `not_found: The table has no snapshot ${2n ** 60n}`,
    );
    expect(await failureOf(scanned(uri('nothing')))).toBe('not_found: The catalog has no table ns.nothing.');
    expect(await failureOf(scanned(`${folder}/nowhere#ns.t`))).toContain(
      'not_found: There is no warehouse folder',
    );
    expect(await failureOf(scanned(`${folder}/ns#ns.t`))).toContain(
      'not_found: There is no catalog in the warehouse',
    );
  });

  it('[IC-11] a data file that is missing, truncated or replaced by another is reported', async () => {
    const [file = ''] = pathsOf('mapped');
    const bytes = await readFile(file);
    const scan = () => failureOf(scanned(uri('mapped')));
    await whileChanged(
      file,
      () => unlink(file),
      async () =>
        expect(await scan()).toBe(`unreadable: file://${file} cannot be read: the file is missing.`),
    );
    for (const length of [0, 3, 40, bytes.length - 9]) {
      await whileChanged(
        file,
        () => truncate(file, length),
        async () => expect(await scan()).toMatch(/^unreadable: file:.*the file is damaged/),
      );
    }
    const encrypted = Buffer.concat([Buffer.from('PARE'), bytes.subarray(4, -4), Buffer.from('PARE')]);
    await whileChanged(
      file,
      () => writeFile(file, encrypted),
      async () =>
        expect(await scan()).toBe(
          `unreadable: file://${file} cannot be read: the file is encrypted, which is not supported.`,
        ),
    );
    const [other = ''] = pathsOf('positions');
    await whileChanged(
      file,
      () => copyFile(other, file),
      async () => expect(await scan()).toMatch(/it has \d+ rows, and its manifest says 3/),
    );
  });

  it('[IC-11] a manifest, a manifest list and metadata that are truncated are reported', async () => {
    const { metadata, metadataLocation } = await openTable(uri('positions'), NO_WAREHOUSES, never);
    const list = metadata.snapshots.at(-1)?.manifestList ?? '';
    const folderOf = join(folder, 'ns', 'positions', 'metadata');
    const manifest = (await readdir(folderOf)).find((name) => name.endsWith('-m0.avro')) ?? '';
    for (const location of [list, metadataLocation, `file://${join(folderOf, manifest)}`]) {
      const file = location.replace('file://', '');
      const { length } = await readFile(file);
      for (const at of [0, 10, length - 1]) {
        await whileChanged(
          file,
          () => truncate(file, at),
          async () =>
            expect(await failureOf(scanned(uri('positions')))).toContain(
              `unreadable: ${location} cannot be read`,
            ),
        );
      }
    }
  });

  it('[IC-11] a warehouse that disappears while it is read ends the scan with an error', async () => {
    const table = await openTable(uri('positions'), NO_WAREHOUSES, never);
    const { metadata, files } = table;
    const plan = await planScan(
      metadata,
      { columns: null, filters: [], snapshotId: null },
      { files, signal: never, limits: LIMITS },
    );
    const last = plan.tasks.at(-1)?.file.path.replace('file://', '') ?? '';
    await whileChanged(
      last,
      () => unlink(last),
      async () => {
        const rows = async () => {
          for await (const batch of readScan(plan, { files, signal: never, batchRows: 1 }).batches)
            expect(batch.numRows).toBeGreaterThan(0);
        };
        expect(await failureOf(rows())).toContain('the file is missing.');
      },
    );
  });

  it('[IC-12] an aborted scan stops reading and throws the reason', async () => {
    const { metadata, files } = await openTable(uri('positions'), NO_WAREHOUSES, never);
    const plan = await planScan(
      metadata,
      { columns: null, filters: [], snapshotId: null },
      { files, signal: never, limits: LIMITS },
    );
    const controller = new AbortController();
    const { batches } = readScan(plan, { files, signal: controller.signal, batchRows: 1 });
    const iterator = batches[Symbol.asyncIterator]();
    expect((await iterator.next()).done).toBe(false);
    controller.abort(new Error('the client left'));
    await expect(iterator.next()).rejects.toThrow('the client left');
    expect((await iterator.next()).done).toBe(true);
  });
});
