/**
 * The tests that every SQL driver must pass: values in both directions, injection, read-only access,
 * stopping, keys.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordBatchReader } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shownValue } from '../arrow/shown.ts';
import { type WrittenTable, writeTable } from '../arrow/writeTable.ts';
import type { BindValue } from '../bindValue.ts';
import type { Access, BoundStatement, ConnectSettings, Driver, SqlConnection } from '../driver.ts';
import { render } from '../render.ts';
import { RetryQuery } from '../retryQuery.ts';
import { SqlError } from '../sqlError.ts';
import { readStatements } from '../text/readStatements.ts';
import { HOSTILE, hostileBinds } from './hostile.ts';

/** One driver and the database to test it with. */
interface DriverCase {
  readonly driver: Driver;
  /** Settings for an empty, writable database in its own folder. */
  settings(folder: string): ConnectSettings;
  /** An expression of every type, the type of its column and its value in a preview. */
  readonly types: readonly (readonly [expression: string, dtype: string, shown: unknown])[];
  /** The result of binding a value of each type. */
  readonly bound: readonly (readonly [bind: BindValue, shown: unknown])[];
  /** A query that takes minutes and can be stopped. */
  readonly slow: string;
}

const NEVER = new AbortController().signal;

/** One suite for every driver: exact values in both directions, no injection, no writes through a read connection. */
export function driverContract(name: string, subject: DriverCase): void {
  const { driver } = subject;
  let folder = '';
  let files = 0;

  const open = (access: Access): Promise<SqlConnection> =>
    driver.connect(subject.settings(folder), { access, signal: NEVER });

  function bound(text: string, values: Readonly<Record<string, BindValue>> = {}): BoundStatement[] {
    return readStatements(text, driver.dialect).map(({ statement }) => {
      const { sql, slots } = render(statement, driver.dialect);
      return { statement, sql, binds: slots.flatMap((slot) => values[slot] ?? []) };
    });
  }

  async function write(text: string, values: Readonly<Record<string, BindValue>> = {}) {
    const connection = await open('write');
    try {
      return await connection.write(bound(text, values), { signal: NEVER });
    } finally {
      await connection.close();
    }
  }

  /** Queries like the SQL thread does: repeats the query when a column turns out to be wider. */
  async function table(
    text: string,
    values: Readonly<Record<string, BindValue>> = {},
    signal: AbortSignal = NEVER,
  ): Promise<WrittenTable & { readonly shown: unknown[][] }> {
    const connection = await open('read');
    try {
      const [statement] = bound(text, values);
      if (statement === undefined) throw new Error('no statement');
      for (;;) {
        const file = join(folder, `result-${files++}.arrow`);
        try {
          const written = await writeTable(
            await connection.query(statement, { signal, snapshot: null }),
            file,
            signal,
          );
          checkFile(file, written);
          const displayedRows = written.head.map((row) =>
            row.map((value, i) => shownValue(value, written.columns[i]?.type ?? { kind: 'null' })),
          );
          return { ...written, shown: displayedRows };
        } catch (error) {
          if (!(error instanceof RetryQuery)) throw error;
        }
      }
    } finally {
      await connection.close();
    }
  }

  async function failure(work: Promise<unknown>): Promise<SqlError> {
    const error = await work.then(
      () => new Error('nothing failed'),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof SqlError)) throw error;
    return error;
  }

  describe(`driver contract: ${name}`, () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), `cellar-${name}-`));
      await write(
        `CREATE TABLE people (id INTEGER, name VARCHAR(80)); INSERT INTO people VALUES (1, 'Ada'), (2, 'Bo')`,
      );
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test('[SQ-11] every type of the table has one column type, keeps its value, and accepts NULL', async () => {
      for (const [expression, dtype, shown] of subject.types) {
        const result = await table(`SELECT ${expression} AS x`);
        expect([expression, result.schema, result.shown]).toEqual([
          expression,
          [{ name: 'x', dtype }],
          [[shown]],
        ]);
        const nulls = await table(
          `SELECT x FROM (SELECT 1 AS o, ${expression} AS x UNION ALL SELECT 2, NULL) AS t ORDER BY o`,
        );
        expect([expression, nulls.schema, nulls.shown]).toEqual([
          expression,
          [{ name: 'x', dtype }],
          [[shown], [null]],
        ]);
      }
    });

    test('[SQ-12] any bound value is returned unchanged', async () => {
      for (const [bind, shown] of subject.bound) {
        const result = await table('SELECT :v AS x', { v: bind });
        expect([bind, result.shown]).toEqual([bind, [[shown]]]);
      }
      for (const text of HOSTILE) {
        const value: BindValue = { type: 'text', value: text };
        expect((await table('SELECT :v AS x, :v AS y', { v: value })).shown).toEqual([[text, text]]);
        expect((await table('SELECT id FROM people WHERE name = :v', { v: value })).rows).toBe(0);
        await write('UPDATE people SET name = :v WHERE id = 2', { v: value });
        expect((await table('SELECT name FROM people WHERE id = 2')).shown).toEqual([[text]]);
      }
      await write(`UPDATE people SET name = 'Bo' WHERE id = 2`);
      expect((await table('SELECT count(*) AS n FROM people')).shown).toEqual([[2]]);
    });

    test('[SQ-12] no part of a value becomes part of a statement: every type, read and written', async () => {
      for (const bind of hostileBinds()) {
        // A value that is invalid for its type is refused; an accepted one is only a value.
        await table('SELECT :v AS x', { v: bind }).catch(expectSqlError);
        await write('UPDATE people SET name = :v WHERE id = 99', { v: bind }).catch(expectSqlError);
      }
      expect((await table('SELECT id, name FROM people ORDER BY id')).shown).toEqual([
        [1, 'Ada'],
        [2, 'Bo'],
      ]);
    }, 60_000);

    test('[SQ-13] a read connection refuses every change', async () => {
      for (const text of [
        "INSERT INTO people VALUES (3, 'x')",
        "UPDATE people SET name = 'x'",
        'DELETE FROM people',
        'DROP TABLE people',
        'CREATE TABLE more (a INTEGER)',
      ]) {
        await failure(table(text));
      }
      expect((await table('SELECT id, name FROM people ORDER BY id')).shown).toEqual([
        [1, 'Ada'],
        [2, 'Bo'],
      ]);
    });

    test('[SQ-14] a query that is stopped ends soon', async () => {
      const stop = new AbortController();
      const connection = await open('read');
      const [statement] = bound(subject.slow);
      if (statement === undefined) throw new Error('no statement');
      const running = connection
        .query(statement, { signal: stop.signal, snapshot: null })
        .then((stream) => writeTable(stream, join(folder, `slow-${files++}.arrow`), stop.signal));
      setImmediate(() => stop.abort());
      await expect(running).rejects.toThrow();
      await connection.close();
    }, 20_000);

    test('[SQ-15] an error of the database has its position', async () => {
      for (const text of ['SELECT id,\n  oops FROM people', "SELECT 'é🐘', oops FROM people"]) {
        const { position, message } = await failure(table(text));
        expect([text, position, message]).toEqual([
          text,
          text.indexOf('oops'),
          expect.stringContaining('oops'),
        ]);
      }
    });

    test('[SQ-16] an empty result has columns, and columns with the same name are renamed', async () => {
      const none = await table('SELECT id, name FROM people WHERE id > 99');
      expect([none.rows, none.schema.map((column) => column.name), none.shown]).toEqual([
        0,
        ['id', 'name'],
        [],
      ]);
      const duplicates = await table('SELECT 1 AS a, 2 AS a, 3 AS a_1');
      expect([duplicates.schema.map((column) => column.name), duplicates.shown]).toEqual([
        ['a', 'a_2', 'a_1'],
        [[1, 2, 3]],
      ]);
    });

    test('[SQ-17] tokens change only with the data; the schema has a fingerprint of its own', async () => {
      const tables = [{ parts: ['people'], quoted: [false], start: 0, end: 6 }];
      const probe = async () => {
        const connection = await open('read');
        try {
          return [
            await connection.freshness(tables, NEVER),
            await connection.schemaFingerprint(tables, NEVER),
          ] as const;
        } finally {
          await connection.close();
        }
      };
      const before = await probe();
      expect(before[0]).not.toBeNull();
      expect(await probe()).toEqual(before);
      await table('SELECT * FROM people');
      expect(await probe()).toEqual(before);
      await write(`INSERT INTO people VALUES (3, 'Cy')`);
      const after = await probe();
      expect(after[0]).not.toEqual(before[0]);
      expect(after[1]).toEqual(before[1]);
      await write('ALTER TABLE people ADD COLUMN age INTEGER');
      expect((await probe())[1]).not.toEqual(before[1]);
      await write('ALTER TABLE people DROP COLUMN age; DELETE FROM people WHERE id = 3');
    });

    test('[SQ-18] a write is one commit: the first failure undoes everything, and names the statement', async () => {
      const results = await write(
        `INSERT INTO people VALUES (4, 'Di'), (5, 'Ed'); CREATE TABLE made (a INTEGER); DELETE FROM people WHERE id > 3`,
      );
      expect(results.map(({ rowsAffected }) => rowsAffected)).toEqual([2n, null, 2n]);
      const { statement } = await failure(write(`DELETE FROM people; INSERT INTO nowhere VALUES (1)`));
      expect(statement).toBe(1);
      expect((await table('SELECT count(*) AS n FROM people')).shown).toEqual([[2]]);
      const stop = new AbortController();
      stop.abort();
      const connection = await open('write');
      await expect(connection.write(bound('DELETE FROM people'), { signal: stop.signal })).rejects.toThrow();
      await connection.close();
      expect((await table('SELECT count(*) AS n FROM people')).shown).toEqual([[2]]);
    });

    test('[SQ-19] tables and their columns are listed', async () => {
      const connection = await open('read');
      const schemaTables = await connection.schema(NEVER);
      await connection.close();
      const people = schemaTables.find((one) => one.name === 'people');
      expect(people?.columns.map((column) => column.name)).toEqual(['id', 'name']);
      expect(schemaTables.every((one) => !/^(sqlite_|pg_|duckdb_)/.test(one.name))).toBe(true);
    });

    test('[SQ-20] the identity has no secrets and is the same for the same database', () => {
      const settings = subject.settings(folder);
      const secret = { ...settings, auth: { password: 'hunter2-hunter2' } };
      const identity = driver.identity(settings, 'read');
      expect(JSON.stringify(driver.identity(secret, 'read'))).not.toContain('hunter2');
      expect(driver.identity(settings, 'read')).toEqual(identity);
      expect(driver.identity(subject.settings(join(folder, 'elsewhere')), 'read')).not.toEqual(identity);
    });
  });
}

/** An error that is shown to users is an SqlError. */
function expectSqlError(error: unknown): void {
  expect(error).toBeInstanceOf(SqlError);
}

/** The file matches its reported size, rows and columns. */
function checkFile(file: string, written: WrittenTable): void {
  const bytes = readFileSync(file);
  expect(bytes.byteLength).toBe(written.bytes);
  const reader = RecordBatchReader.from(bytes);
  reader.open();
  const { fields, metadata } = reader.schema;
  const rows = [...reader].reduce((sum, batch) => sum + batch.numRows, 0);
  expect(rows).toBe(written.rows);
  expect(fields.map((field) => field.name)).toEqual(written.columns.map((column) => column.name));
  expect(metadata.get('svc.arrow.source')).toBe('pyarrow.Table');
}
