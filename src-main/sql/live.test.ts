import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DriverName } from '../../src-shared/sql/dialect.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { ConnectSettings, Driver, SqlConnection } from './driver.ts';
import { DRIVERS } from './drivers.ts';
import { boundSql, collect, tableNamed } from './testing/bound.ts';

/**
 * Tests the drivers with real accounts: see docs/testing-sql.md. Only run with CELLAR_LIVE_SQL, a JSON file of
 * connections as in notebook.toml, with their secrets.
 */
interface LiveConnection {
  readonly driver: DriverName;
  readonly keys: Readonly<Record<string, unknown>>;
  readonly auth?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, unknown>>;
  /** A table that these tests may create, write and drop, as a statement names it. */
  readonly scratch?: string;
}

const file = process.env['CELLAR_LIVE_SQL'];
const NEVER = new AbortController().signal;
const connections: Readonly<Record<string, LiveConnection>> =
  file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));

/** One row of values that every database supports, and the expected values. */
const VALUES: Readonly<Partial<Record<DriverName, readonly [sql: string, values: readonly unknown[]]>>> = {
  postgresql: [
    "SELECT 7::int8, 1.50::numeric(5,2), 'ü', DATE '2024-02-29', TIMESTAMPTZ '2024-02-29 13:05:09+05:30', NULL::text",
    [7n, '1.50', 'ü', 19_782, 1_709_192_109_000_000n, null],
  ],
  snowflake: [
    "SELECT 7::NUMBER(38,0), 1.50::NUMBER(5,2), 'ü', '2024-02-29'::DATE, '2024-02-29 13:05:09 +0530'::TIMESTAMP_TZ, NULL::TEXT",
    [7n, '1.50', 'ü', 19_782, 1_709_192_109_000_000n, null],
  ],
  bigquery: [
    "SELECT 7, NUMERIC '1.5', 'ü', DATE '2024-02-29', TIMESTAMP '2024-02-29 13:05:09+05:30', CAST(NULL AS STRING)",
    [7n, '1.5', 'ü', 19_782, 1_709_192_109_000_000n, null],
  ],
};
const LONG: Readonly<Partial<Record<DriverName, string>>> = {
  postgresql: 'SELECT pg_sleep(60)',
  snowflake: 'SELECT SYSTEM$WAIT(60)',
  bigquery: 'SELECT COUNT(*) FROM UNNEST(GENERATE_ARRAY(1, 1000000)) a, UNNEST(GENERATE_ARRAY(1, 1000000)) b',
};

describe.skipIf(file === undefined)('live (CELLAR_LIVE_SQL names no connections)', () => {
  for (const [name, live] of Object.entries(connections)) describe(name, () => liveTests(name, live));
});

function liveTests(name: string, live: LiveConnection): void {
  const settings: ConnectSettings = {
    name,
    driver: live.driver,
    keys: live.keys,
    auth: live.auth ?? {},
    options: live.options ?? {},
    notebookDir: notebookFolder(dirname(file ?? '.')),
    mounts: {},
  };
  let driver: Driver;
  let connection: SqlConnection;

  beforeAll(async () => {
    const load = DRIVERS[live.driver];
    if (load === undefined) throw new Error(`no driver ${live.driver}`);
    driver = await load();
    connection = await driver.connect(settings, { access: 'read', signal: NEVER });
  }, 60_000);
  afterAll(() => connection?.close());

  const ask = async (sql: string, signal = NEVER) =>
    collect(await connection.query(boundSql(sql), { signal, snapshot: null }));

  test('values are exact', { timeout: 60_000 }, async () => {
    const [sql = '', values = []] = VALUES[live.driver] ?? [];
    expect((await ask(sql)).rows).toEqual([values]);
  });

  test('an error about a name has its position', { timeout: 60_000 }, async () => {
    const sql = 'SELECT 1,\n  no_such_column_here';
    await expect(ask(sql)).rejects.toMatchObject({ name: 'SqlError', position: sql.indexOf('no_such') });
  });

  test('a long query is cancelled immediately', { timeout: 60_000 }, async () => {
    const stop = new AbortController();
    const running = ask(LONG[live.driver] ?? '', stop.signal);
    setTimeout(() => stop.abort(), 3_000);
    const started = performance.now();
    await expect(running).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(3_500);
  });

  test('the schema can be listed', { timeout: 120_000 }, async () => {
    const own = await driver.connect(settings, { access: 'read', signal: NEVER });
    expect(Array.isArray(await own.schema(NEVER))).toBe(true);
    await own.close();
  });

  test.skipIf(driverSnapshots(live.driver) === false)(
    'a snapshot can be taken',
    { timeout: 60_000 },
    async () => {
      expect(await connection.takeSnapshot?.(NEVER)).toMatch(/^\d{4}-\d{2}-\d{2}T/);
    },
  );

  test.skipIf(live.scratch === undefined)('a write changes the token', { timeout: 120_000 }, async () => {
    const table = live.scratch ?? '';
    const writer = await driver.connect(settings, { access: 'write', signal: NEVER });
    const write = (sql: string) => writer.write([boundSql(sql)], { signal: NEVER });
    await write(`CREATE TABLE ${table} (n ${live.driver === 'bigquery' ? 'INT64' : 'INT'})`);
    try {
      // The functions here read nothing else; finding that out is part of the test.
      const before = await writer.freshness([tableNamed(table)], NEVER, [tableNamed('count')]);
      expect(before).not.toBeNull();
      expect(await write(`INSERT INTO ${table} (n) VALUES (1), (2)`)).toEqual([{ rowsAffected: 2n }]);
      await writer.close();
      const fresh = await driver.connect(settings, { access: 'read', signal: NEVER });
      expect(await fresh.freshness([tableNamed(table)], NEVER, [tableNamed('count')])).not.toEqual(before);
      await fresh.close();
    } finally {
      const last = await driver.connect(settings, { access: 'write', signal: NEVER });
      await last.write([boundSql(`DROP TABLE ${table}`)], { signal: NEVER });
      await last.close();
    }
  });
}

function driverSnapshots(name: DriverName): boolean {
  return name === 'snowflake' || name === 'bigquery';
}
