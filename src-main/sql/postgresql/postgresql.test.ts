/**
 * What is specific to the PostgreSQL driver, against a real server that the test starts; contract.test.ts has the tests
 * that all drivers share.
 */

import { describe, expect, test } from 'vitest';
import { seeded } from '../../../e2e/support/seeded.ts';
import type { BindValue } from '../bindValue.ts';
import type { ConnectSettings } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { boundSql, collect, tableNamed } from '../testing/bound.ts';
import { ask, NEVER, until } from '../testing/helpers.ts';
import { postgresDatabase } from '../testing/postgresDatabase.ts';
import { findPostgres } from '../testing/postgresServer.ts';
import { readStatements } from '../text/readStatements.ts';
import { postgresql } from './driver.ts';

describe.skipIf(findPostgres() === null)('PostgreSQL', () => {
  const database = postgresDatabase();
  const { open, settings } = database;

  const BINDS: readonly (readonly [bind: BindValue, type: string, text: string | null])[] = [
    [{ type: 'null', value: null }, 'text', null],
    [{ type: 'bool', value: true }, 'boolean', 'true'],
    [{ type: 'int', value: -7n }, 'integer', '-7'],
    [{ type: 'int', value: 2n ** 63n - 1n }, 'bigint', '9223372036854775807'],
    [{ type: 'int', value: 2n ** 70n }, 'numeric', '1180591620717411303424'],
    [{ type: 'float', value: 0.1 }, 'double precision', '0.1'],
    [{ type: 'float', value: Number.NEGATIVE_INFINITY }, 'double precision', '-Infinity'],
    [{ type: 'text', value: "'; DROP TABLE ev; --" }, 'text', "'; DROP TABLE ev; --"],
    [{ type: 'bytes', value: new Uint8Array([0, 39, 92, 255]) }, 'bytea', '\\x00275cff'],
    [{ type: 'decimal', value: '-12.3400' }, 'numeric', '-12.3400'],
    [
      { type: 'uuid', value: '2f4b3c1d-0000-4000-8000-000000000001' },
      'uuid',
      '2f4b3c1d-0000-4000-8000-000000000001',
    ],
    [
      { type: 'timestamp', value: '2024-02-29T13:05:09.000120' },
      'timestamp without time zone',
      '2024-02-29 13:05:09.00012',
    ],
    [
      { type: 'timestamp', value: '2024-02-29T13:05:09+05:30' },
      'timestamp with time zone',
      '2024-02-29 07:35:09+00',
    ],
    [{ type: 'date', value: '2024-02-29' }, 'date', '2024-02-29'],
    [{ type: 'time', value: '13:05:09.000120' }, 'time without time zone', '13:05:09.00012'],
  ];

  test('[SW-2] sends each kind of value as a bind with its type', async () => {
    await using connection = await open();
    for (const [bind, type, text] of BINDS) {
      // The server infers the type of text from the context.
      const sql = type === 'text' ? "SELECT 'text', $1::text" : 'SELECT pg_typeof($1)::text, $1::text';
      const { rows } = await collect(
        await connection.query(boundSql(sql, [bind]), { signal: NEVER, snapshot: null }),
      );
      expect([bind, rows]).toEqual([bind, [[type, text]]]);
    }
  });

  test('[SW-2] a bound value of any kind cannot become part of the statement', async () => {
    await using connection = await open();
    const hostile = [
      "'; DROP TABLE ev; --",
      '1); DELETE FROM ev; --',
      '\\',
      "\\'; SELECT 1 --",
      '$1',
      '":x"',
      'ü\u2028',
    ];
    for (const value of hostile) {
      const bound = boundSql('SELECT $1::text = any($2::text[]), length($1::text) ', [
        { type: 'text', value },
        { type: 'text', value: '{}' },
      ]);
      const { rows } = await collect(await connection.query(bound, { signal: NEVER, snapshot: null }));
      expect([value, rows]).toEqual([value, [[false, [...value].length]]]);
    }
    const rest = hostile.map((value) =>
      ['decimal', 'uuid', 'date', 'time', 'timestamp'].map((type) => ({ type, value })),
    );
    for (const bind of rest.flat()) {
      const bound = boundSql('SELECT $1', [bind as BindValue]);
      await expect(connection.query(bound, { signal: NEVER, snapshot: null })).rejects.toThrow(
        /invalid input syntax|out of range/,
      );
    }
    expect((await database.admin().query('SELECT count(*)::int AS n FROM ev')).rows).toEqual([{ n: 3 }]);
    await expect(ask(connection, 'SELECT 1\0; DROP TABLE ev')).rejects.toThrow(/NUL/);
  });

  test('[SW-3] a read connection cannot change anything', async () => {
    await using connection = await open();
    const attempts = [
      'INSERT INTO ev VALUES (9, 9)',
      'WITH gone AS (DELETE FROM ev RETURNING 1) SELECT * FROM gone',
      "SELECT set_config('transaction_read_only', 'off', false)",
      'SELECT sneak()',
      'SELECT 1; DELETE FROM ev',
    ];
    for (const sql of attempts) await expect(ask(connection, sql)).rejects.toThrow(SqlError);
    await ask(connection, "SELECT set_config('default_transaction_read_only', 'off', false)");
    await expect(ask(connection, 'SELECT sneak()')).rejects.toThrow(/read-only transaction/);
  });

  test("[SW-4] an error has the server's message, code, hint and the position in the text", async () => {
    await using connection = await open();
    const sql = "SELECT '🐘' AS e, nme FROM people";
    const error = await ask(connection, sql).then(
      () => null,
      (sqlErrorOf: unknown) => sqlErrorOf as SqlError,
    );
    expect({ ...error, message: error?.message, cause: null }).toEqual({
      name: 'SqlError',
      message: 'column "nme" does not exist',
      code: '42703',
      position: sql.indexOf('nme'),
      hint: 'Perhaps you meant to reference the column "people.name".',
      statement: null,
      cause: null,
    });
  });

  test('[SW-5] writes commit once, count rows, and roll back all when one fails', async () => {
    await using connection = await open('write');
    const run = (...sqls: string[]) =>
      connection.write(
        sqls.map((sql) => boundSql(sql)),
        { signal: NEVER },
      );
    await database.admin().query('CREATE TABLE w (n int PRIMARY KEY)');
    expect(
      await run(
        'INSERT INTO w SELECT generate_series(1, 9000) RETURNING n',
        'UPDATE w SET n = -n WHERE n < 3',
        'CREATE TABLE w2 (n int)',
      ),
    ).toEqual([{ rowsAffected: 9_000n }, { rowsAffected: 2n }, { rowsAffected: null }]);
    const failure = await run('DELETE FROM w', 'INSERT INTO w2 VALUES (1)', 'SELECT 1/0').then(
      () => null,
      (sqlErrorOf: unknown) => sqlErrorOf as SqlError,
    );
    expect([failure?.message, failure?.statement]).toEqual(['division by zero', 2]);
    expect((await database.admin().query('SELECT count(*)::int AS n FROM w')).rows).toEqual([{ n: 9_000 }]);
    const aborted = AbortSignal.abort();
    await expect(connection.write([boundSql('DELETE FROM w')], { signal: aborted })).rejects.toThrow();
  });

  test('[SW-6] a cancel also ends the statement at the server', async () => {
    await using connection = await open();
    const stop = new AbortController();
    const running = ask(connection, "SELECT pg_sleep(600), 'marked' AS m", stop.signal);
    await until(async () => (await database.busy("%'marked'%")) === 1);
    stop.abort();
    await expect(running).rejects.toThrow();
    await until(async () => (await database.busy("%'marked'%")) === 0);
  });

  test('[SW-6] no statement keeps running at the server, however early the cancel', async () => {
    const random = seeded(20_261_122);
    for (let turn = 0; turn < 60; turn += 1) {
      await using connection = await open();
      const stop = new AbortController();
      const running = ask(connection, "SELECT pg_sleep(600), 'early' AS m", stop.signal);
      setTimeout(() => stop.abort(), random() * 6);
      await expect(running).rejects.toThrow();
    }
    await until(async () => (await database.busy("%'early'%")) === 0);
  });

  test('[SW-7] tokens change with the tables, their views and partitions, and with nothing else', async () => {
    await using connection = await open();
    const token = async (...names: string[]) => {
      await database.admin().query('SELECT pg_stat_force_next_flush()');
      return connection.freshness(names.map(tableNamed), NEVER);
    };
    const CHANGES: readonly (readonly [table: string, change: string, changes: boolean])[] = [
      ['ev', 'INSERT INTO ev VALUES (4, 4.5)', true],
      ['ev', 'UPDATE ev SET v = v WHERE id = 4', true],
      ['ev', 'DELETE FROM ev WHERE id = 4', true],
      ['ev', 'SELECT * FROM ev', false],
      ['ev', 'INSERT INTO people VALUES (9)', false],
      ['ev', 'ANALYZE ev', false],
      ['scratch', 'TRUNCATE scratch', true],
      ['ev_view', 'INSERT INTO ev VALUES (5, 5.5)', true],
      ['ev_view', 'CREATE OR REPLACE VIEW ev_view AS SELECT id, v FROM ev WHERE id > 2', true],
      ['parts', 'INSERT INTO parts VALUES (1)', true],
      ['ev_kept', 'INSERT INTO ev VALUES (6, 6.5)', false],
      ['ev_kept', 'REFRESH MATERIALIZED VIEW ev_kept', true],
      ['nowhere', 'CREATE TABLE nowhere (n int)', true],
      ['moved', 'DROP TABLE moved; CREATE TABLE moved (n int)', true],
    ];
    for (const [table, change, changes] of CHANGES) {
      const before = await token(table);
      await database.admin().query(change);
      expect([change, JSON.stringify(await token(table)) !== JSON.stringify(before)]).toEqual([
        change,
        changes,
      ]);
    }
    for (const name of ['pg_catalog.pg_class', 'pg_stat_activity', 'counter', 'sneaky_view']) {
      expect([name, await token(name)]).toEqual([name, null]);
    }
  });

  test('[SW-7] a statement that calls a function that may read tables has no tokens', async () => {
    await database.admin().query(`
      CREATE FUNCTION total() RETURNS float AS 'SELECT sum(v) FROM ev' LANGUAGE sql STABLE;
      CREATE FUNCTION "Odd"() RETURNS int AS 'SELECT 1' LANGUAGE sql;
      CREATE FUNCTION twice(n int) RETURNS int AS 'SELECT 2 * n' LANGUAGE sql IMMUTABLE`);
    await using connection = await open();
    const CALLS: readonly (readonly [expression: string, isKnown: boolean])[] = [
      ['total()', false],
      ['public . TOTAL ()', false],
      ['"Odd"()', false],
      ['odd()', true],
      ['twice(count(*)::int), coalesce(max(id), 0), now(), random() IN (1)', true],
      ["nextval('counter')", false],
      ["query_to_xml('SELECT * FROM ev', true, true, '')", false],
      ["pg_read_file('x')", false],
      ["pg_relation_size('ev')", false],
    ];
    for (const [expression, isKnown] of CALLS) {
      const [first] = readStatements(`SELECT ${expression} FROM ev`, postgresql.dialect);
      const { tables = [], calls = [] } = first?.statement ?? {};
      expect([expression, (await connection.freshness(tables, NEVER, calls)) !== null]).toEqual([
        expression,
        isKnown,
      ]);
    }
  });

  test('[SW-7] the same name under another search_path is another table', async () => {
    await using plain = await open();
    await using other = await open('read', { search_path: 'elsewhere, public' });
    expect(await other.freshness([tableNamed('ev')], NEVER)).not.toEqual(
      await plain.freshness([tableNamed('ev')], NEVER),
    );
    expect(await other.schemaFingerprint([tableNamed('ev')], NEVER)).toEqual([
      '["\\"ev\\"","elsewhere.ev",null,[["id", "text", false]]]'
        .replaceAll('", "', '","')
        .replace('", false', '",false'),
    ]);
  });

  test('[SW-8] the identity of a database has no secret', () => {
    expect(
      postgresql.identity(settings({ role: 'reader', write_role: 'writer', search_path: 'a, b' }), 'read'),
    ).toEqual({
      host: '127.0.0.1',
      port: database.server().port,
      database: 'postgres',
      user: 'tester',
      role: 'reader',
      search_path: 'a, b',
    });
    expect(postgresql.identity(settings({ write_role: 'writer' }), 'write')['role']).toBe('writer');
    const uri = { ...settings(), keys: { uri: 'postgresql://me@db.example.org:6543/sales?sslmode=require' } };
    expect(postgresql.identity(uri, 'read')).toEqual({
      host: 'db.example.org',
      port: 6543,
      database: 'sales',
      user: 'me',
      role: null,
      search_path: null,
    });
  });

  const INVALID: readonly (readonly [change: Partial<ConnectSettings>, message: RegExp])[] = [
    [{ keys: {} }, /"pg" needs host\./],
    [{ keys: { host: 'x' } }, /"pg" needs user\./],
    [{ keys: { host: 'x', user: 'y', port: 'z' } }, /port/],
    [{ keys: { uri: 'postgresql://a:secret@h/d' } }, /password in its uri/],
    [{ keys: { uri: 'mysql://a@h/d' } }, /postgresql:\/\/user@host/],
    [{ options: { sslmode: 'maybe' } }, /sslmode "maybe"/],
    [{ options: { sslmode: 'require' } }, /does not support SSL/],
    [{ auth: { password: 'wrong' } }, /Files panel.*password = .*under auth/],
    [{ auth: {} }, /Files panel.*password = .*under auth/],
  ];

  test('[SW-8] the error of invalid settings names the key, and no secret', async () => {
    for (const [change, message] of INVALID) {
      const error = await postgresql
        .connect({ ...settings(), ...change }, { access: 'read', signal: NEVER })
        .then(
          () => null,
          (sqlErrorOf: unknown) => sqlErrorOf as SqlError,
        );
      expect([change, error?.message]).toEqual([change, expect.stringMatching(message)]);
      expect(error?.message).not.toMatch(/secret|wrong"/);
    }
    const unreachable = { ...settings(), keys: { host: '127.0.0.1', port: 1, user: 'u' } };
    await expect(postgresql.connect(unreachable, { access: 'read', signal: NEVER })).rejects.toThrow(
      /127\.0\.0\.1:1: connection refused/,
    );
    await expect(open('read', { role: 'nobody"; --' })).rejects.toThrow(/switch to the role "nobody"; --"/);
  });

  test('[SW-9] the schema lists the tables that the login may read', async () => {
    await using connection = await open('read', { role: 'reader' });
    const tables = await connection.schema(NEVER);
    expect(tables).toEqual([
      {
        catalog: 'postgres',
        schema: 'public',
        name: 'people',
        columns: [
          { name: 'id', type: 'integer', nullable: false },
          { name: 'name', type: 'character varying(20)', nullable: true },
        ],
      },
    ]);
  });

  test('[SW-10] streams a long result, and ends it when the reader stops', async () => {
    await using connection = await open();
    const { batches } = await connection.query(boundSql('SELECT generate_series(1, 100000000)'), {
      signal: NEVER,
      snapshot: null,
    });
    for await (const batch of batches) {
      expect(batch).toHaveLength(4_096);
      break;
    }
    expect((await ask(connection, 'SELECT 1')).rows).toEqual([[1]]);
  });
});
