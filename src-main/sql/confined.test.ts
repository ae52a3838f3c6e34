import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIALECTS, type DriverName } from '../../src-shared/sql/dialect.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { isWithinFolder } from './confined.ts';
import type { Access, ConnectSettings } from './driver.ts';
import { refuseUnnamed } from './duckdb/confineSession.ts';
import { createSqlThreads, type SqlThreads } from './sqlThreads.ts';
import { boundSql } from './testing/bound.ts';
import { readStatements } from './text/readStatements.ts';

/**
 * What notebooks of a shared server must not be able to reach (docs/spec/sql.md, 3), tested through the processes that
 * run drivers.
 */

let root = '';
let threads: SqlThreads;
const notebook = () => join(root, 'notebook');
const outside = () => join(root, 'outside');

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cellar-confined-'));
  for (const folder of ['notebook', 'notebook/sub', 'notebook2', 'outside', 'mount'])
    mkdirSync(join(root, folder));
  for (const file of [
    'notebook/in.csv',
    'notebook/sub/in.csv',
    'notebook2/x.csv',
    'outside/secret.csv',
    'mount/m.csv',
  ])
    writeFileSync(join(root, file), 'a\n1\n2\n');
  symlinkSync(outside(), join(notebook(), 'link'));
  symlinkSync(join(outside(), 'secret.csv'), join(notebook(), 'link.csv'));
  symlinkSync(join(outside(), 'not-yet.db'), join(notebook(), 'dangling.db'));
  new Database(join(notebook(), 'own.db')).exec('CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)').close();
  new Database(join(outside(), 'other.db')).exec('CREATE TABLE t (x)').close();
  for (const [file, sql] of [
    [join(notebook(), 'own.duckdb'), `CREATE VIEW far AS SELECT * FROM read_csv('${outside()}/secret.csv')`],
    [join(outside(), 'other.duckdb'), 'CREATE TABLE t (x INTEGER)'],
  ] as const) {
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
  }
  threads = createSqlThreads();
});
afterAll(async () => {
  await threads.close();
  rmSync(root, { recursive: true, force: true });
});

function settings(driver: DriverName, more: Partial<ConnectSettings> = {}): ConnectSettings {
  const common = { name: 'db', auth: {}, options: {}, mounts: {}, confined: true };
  return {
    ...common,
    driver,
    keys: driver === 'sqlite' ? { path: 'own.db' } : {},
    notebookDir: notebookFolder(notebook()),
    ...more,
  };
}

const NEVER = new AbortController().signal;
let files = 0;

/** Runs SQL in which `OUT` and `NB` are the folders. @returns the number of rows, or the message of the refusal */
async function runSql(of: ConnectSettings, text: string, access: Access = 'read'): Promise<number | string> {
  const sql = text.replaceAll('OUT', outside()).replaceAll('NB', notebook());
  const [statement] = readStatements(sql, DIALECTS[of.driver]);
  const bound = boundSql(
    sql,
    [],
    statement === undefined ? {} : { unnameable: statement.statement.unnameable },
  );
  try {
    const asker = await threads.begin(of, { access, signal: NEVER });
    try {
      await asker.ask({ kind: 'connect', settings: of, access });
      if (access === 'write') {
        // A hostile cell first ends the transaction that it runs in.
        const statements = sql.split(';').map((one) => boundSql(one));
        return (await asker.ask({ kind: 'write', statements })).length;
      }
      const file = join(root, `${files++}.arrow`);
      return (await asker.ask({ kind: 'query', statements: [bound], snapshot: null, file })).rows;
    } finally {
      await asker.close();
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'SqlError') return error.message;
    throw error;
  }
}

/** The last message is for addresses in the network, which are not reachable here. */
const REFUSED =
  /disabled by configuration|disabled through configuration|configuration has been locked|requires the extension httpfs/;

describe('duckdb on a shared server', () => {
  const OWN: [sql: string, rows: number, access?: Access][] = [
    ["SELECT * FROM 'in.csv'", 2],
    ["SELECT * FROM 'NB/in.csv'", 2],
    ["SELECT * FROM read_csv('sub/*.csv')", 2],
    ['SELECT * FROM m', 2],
    ["COPY (SELECT 1 AS a) TO 'made.csv'", 1, 'write'],
  ];
  test.each<[string, number, Access?]>(OWN)(
    '[SQ-41] its own files are read as before: %s',
    async (sql, rows, access = 'read') => {
      const mounts = access === 'read' ? { m: join(root, 'mount') } : {};
      expect(await runSql(settings('duckdb', { mounts }), sql, access)).toBe(rows);
    },
  );

  const READS = [
    "SELECT * FROM '/etc/passwd.csv'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM read_blob('file:///etc/passwd')",
    "SELECT * FROM read_text('~/.bashrc')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM 'OUT/secret.csv'",
    "SELECT * FROM '../outside/secret.csv'",
    "SELECT * FROM 'NB/../outside/secret.csv'",
    "SELECT * FROM 'NB2/x.csv'",
    "SELECT * FROM 'link/secret.csv'",
    "SELECT * FROM 'NB/link/secret.csv'",
    "SELECT * FROM 'link.csv'",
    "SELECT * FROM read_csv('l*/*.csv')",
    "SELECT * FROM sniff_csv('OUT/secret.csv')",
    "SELECT * FROM parquet_metadata('/etc/passwd')",
    "SELECT * FROM query('FROM read_text(''/etc/passwd'')')",
    "SELECT * FROM 'http://127.0.0.1:9/x.csv'",
    "SELECT * FROM 'https://example.com/x.parquet'",
    "SELECT * FROM 's3://bucket/x.parquet'",
  ];
  test.each(READS)('[SQ-41] other files are not read: %s', async (sql) => {
    expect(await runSql(settings('duckdb'), sql)).toMatch(REFUSED);
  });

  const WRITES = [
    "ATTACH 'OUT/made.duckdb' AS x",
    "COMMIT;ATTACH 'OUT/other.duckdb' AS x (READ_ONLY)",
    "ATTACH 'link/made.duckdb' AS x",
    "COPY (SELECT 1) TO 'OUT/made.csv'",
    "COPY (SELECT 1) TO 'link/made.csv'",
    "CREATE TABLE t (a VARCHAR);COPY t FROM '/etc/passwd'",
    "EXPORT DATABASE 'OUT/made'",
    "IMPORT DATABASE 'OUT'",
    'INSTALL httpfs',
    'LOAD httpfs',
    "LOAD 'NB/evil.duckdb_extension'",
    'SET enable_external_access = true',
    "SET allowed_directories = ['/']",
    'RESET allowed_directories',
    "SET home_directory = 'OUT'",
    "PRAGMA temp_directory = 'OUT'",
    "SET profiling_output = 'OUT/made.json'",
    "SET log_query_path = 'OUT/made.log'",
    "SET secret_directory = 'OUT'",
    'CREATE SECRET s (TYPE s3)',
  ];
  test.each(WRITES)('[SQ-41] other files are not written, attached, loaded or set: %s', async (sql) => {
    expect(await runSql(settings('duckdb'), sql, 'write')).toMatch(REFUSED);
    expect(readdirSync(outside()).sort()).toEqual(['other.db', 'other.duckdb', 'secret.csv']);
  });

  test('[SQ-41] a view in its own file cannot read other files', async () => {
    expect(await runSql(settings('duckdb', { keys: { path: 'own.duckdb' } }), 'SELECT * FROM far')).toMatch(
      REFUSED,
    );
  });

  const CONNECTIONS: readonly (readonly [more: Partial<ConnectSettings>, says: RegExp])[] = [
    [{ keys: { path: '../outside/other.duckdb' } }, /path outside the notebook folder/],
    [{ keys: { path: 'link/other.duckdb' } }, /path outside the notebook folder/],
    [
      { options: { enable_external_access: true } },
      /option enable_external_access .* is not allowed on a shared server/,
    ],
    [{ options: { allowed_paths: '/etc/passwd' } }, /is not allowed on a shared server\. Allowed:/],
    [{ options: { log_query_path: '/x' } }, /is not allowed on a shared server\. Allowed:/],
    [{ options: { autoinstall_known_extensions: true } }, /is not allowed on a shared server\. Allowed:/],
  ];
  test.each(CONNECTIONS)('[SQ-41] a connection to other files is refused: %j', async (more, says) => {
    for (const access of ['read', 'write'] as const)
      expect(await runSql(settings('duckdb', more), 'SELECT 1', access)).toMatch(says);
  });

  test.each<[unnameable: string | null, says: RegExp | null]>([
    [null, null],
    ["the file 'x.csv'", /can read only its tables, not the file 'x\.csv'/],
  ])('[SQ-41] with a catalog only its tables are read over the network: %s', (unnameable, says) => {
    const check = () => refuseUnnamed({ unnameable });
    if (says === null) expect(check).not.toThrow();
    else expect(check).toThrow(says);
  });

  test('[SQ-41] options for performance and formats are allowed', async () => {
    expect(
      await runSql(settings('duckdb', { options: { threads: 1, TimeZone: 'Asia/Tokyo' } }), 'SELECT 1'),
    ).toBe(1);
  });
});

describe('sqlite on a shared server', () => {
  test('[SQ-42] its own file is read and written as before', async () => {
    expect(await runSql(settings('sqlite'), 'SELECT * FROM t')).toBe(2);
    expect(await runSql(settings('sqlite'), 'CREATE TABLE u (x);INSERT INTO u VALUES (1)', 'write')).toBe(2);
  });

  const STATEMENTS = [
    "ATTACH 'OUT/other.db' AS x",
    "/* */ -- a\nattach database 'OUT/made.db' AS x",
    "COMMIT;ATTACH 'OUT/made.db' AS x",
    "COMMIT;VACUUM INTO 'OUT/made.db'",
    "COMMIT;VACUUM main INTO 'OUT/made.db'",
    "PRAGMA temp_store_directory = 'OUT'",
    "SELECT load_extension('OUT/evil.so')",
    "SELECT writefile('OUT/made', 'x')",
    "SELECT readfile('/etc/passwd')",
    "CREATE VIRTUAL TABLE v USING csv(filename = '/etc/passwd')",
  ];
  test.each(STATEMENTS)('[SQ-42] other files are not reached: %s', async (sql) => {
    expect(await runSql(settings('sqlite'), sql, 'write')).toMatch(
      /(ATTACH|VACUUM|PRAGMA) is not allowed on a shared server|not authorized|no such (function|module)/,
    );
    expect(readdirSync(outside()).sort()).toEqual(['other.db', 'other.duckdb', 'secret.csv']);
  });

  const PLACES: readonly (readonly [keys: ConnectSettings['keys'], says: RegExp])[] = [
    [{ uri: 'file:own.db' }, /has a uri, which is not allowed on a shared server\. Use path instead\./],
    [
      { uri: 'file:/etc/passwd?mode=ro' },
      /has a uri, which is not allowed on a shared server\. Use path instead\./,
    ],
    [{ path: '../outside/other.db' }, /path outside the notebook folder/],
    [{ path: '/etc/passwd' }, /path outside the notebook folder/],
    [{ path: 'link/other.db' }, /path outside the notebook folder/],
    [{ path: 'dangling.db' }, /path outside the notebook folder/],
    [{ path: 'sub/../../outside/other.db' }, /path outside the notebook folder/],
  ];
  test.each(PLACES)('[SQ-42] a file elsewhere is refused: %j', async (keys, says) => {
    for (const access of ['read', 'write'] as const)
      expect(await runSql(settings('sqlite', { keys }), 'SELECT 1', access)).toMatch(says);
    expect(existsSync(join(outside(), 'not-yet.db'))).toBe(false);
  });
});

test.each([
  ['in.csv', true],
  ['gone/deeper/x', true],
  ['', true],
  ['..x', true],
  ['..', false],
  ['../notebook2/x.csv', false],
  ['link', false],
  ['link/gone', false],
  ['dangling.db', false],
])('[SQ-42] links are followed to find the folder of a file: %j', (file, isWithin) => {
  expect(isWithinFolder(file, notebook())).toBe(isWithin);
});
