/**
 * The DuckDB driver: the contract of all SQL drivers with its types, then files, mounts, settings, values
 * without an Arrow form, and freshness.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { writeTable } from '../arrow/writeTable.ts';
import type { ConnectSettings } from '../driver.ts';
import { boundSql } from '../testing/bound.ts';
import { driverContract } from '../testing/driverContract.ts';
import { duckdb } from './duckdbDriver.ts';

const NEVER = new AbortController().signal;

function settings(folder: NotebookFolder, more: Partial<ConnectSettings> = {}): ConnectSettings {
  return {
    name: 'db',
    driver: 'duckdb',
    keys: { path: 'test.duckdb' },
    auth: {},
    options: {},
    notebookDir: folder,
    mounts: {},
    ...more,
  };
}

driverContract('duckdb', {
  driver: duckdb,
  settings,
  types: [
    ['true', 'bool', true],
    ['127::TINYINT', 'int8', 127],
    ['(-32768)::SMALLINT', 'int16', -32_768],
    ['1', 'int32', 1],
    ['9223372036854775807::BIGINT', 'int64', '9223372036854775807'],
    ['255::UTINYINT', 'uint8', 255],
    ['18446744073709551615::UBIGINT', 'uint64', '18446744073709551615'],
    ['99999999999999999999999999999999999999::HUGEINT', 'decimal128(38, 0)', '9'.repeat(38)],
    [
      '170141183460469231731687303715884105727::HUGEINT',
      'decimal128(38, 0)',
      '170141183460469231731687303715884105727',
    ],
    [
      "'-170141183460469231731687303715884105728'::HUGEINT",
      'decimal128(38, 0)',
      '-170141183460469231731687303715884105728',
    ],
    ['1.5::FLOAT', 'float', 1.5],
    ["'nan'::DOUBLE", 'double', 'nan'],
    ["'-inf'::DOUBLE", 'double', '-inf'],
    ['(-12.340)::DECIMAL(10,3)', 'decimal128(10, 3)', '-12.340'],
    ['0.1::DECIMAL(38,37)', 'decimal128(38, 37)', `0.1${'0'.repeat(36)}`],
    ["'it''s 🐘 and longer than twelve bytes'", 'string', "it's 🐘 and longer than twelve bytes"],
    ["'\\x00\\xFF'::BLOB", 'binary', "b'\\x00\\xff'"],
    ["DATE '2024-02-29'", 'date32[day]', '2024-02-29'],
    ["DATE '1969-12-31'", 'date32[day]', '1969-12-31'],
    ["TIME '13:05:09.00012'", 'time64[us]', '13:05:09.000120'],
    ["TIMESTAMP '2024-02-29 13:05:09.000001'", 'timestamp[us]', '2024-02-29 13:05:09.000001'],
    ["TIMESTAMP '1969-12-31 23:59:59.5'", 'timestamp[us]', '1969-12-31 23:59:59.500000'],
    ["TIMESTAMP_S '2024-02-29 13:05:09'", 'timestamp[s]', '2024-02-29 13:05:09'],
    ["TIMESTAMP_NS '2024-02-29 13:05:09.000000001'", 'timestamp[ns]', '2024-02-29 13:05:09.000000001'],
    ["TIMESTAMPTZ '2024-02-29 13:05:09+05:30'", 'timestamp[us, tz=UTC]', '2024-02-29 07:35:09+00:00'],
    ["INTERVAL '1 month 2 days'", 'string', '1 month 2 days'],
    ["'2f4b3c1d-0000-4000-8000-000000000001'::UUID", 'string', '2f4b3c1d-0000-4000-8000-000000000001'],
    [`'{"a": [1, null]}'::JSON`, 'string', '{"a": [1, null]}'],
    ["'b'::ENUM('a', 'b')", 'string', 'b'],
    ['[1, NULL, 3]', 'list<item: int32>', [1, null, 3]],
    ['[]::BIGINT[]', 'list<item: int64>', []],
    ["{'a': 1, 'b': ['x', NULL]}", 'struct<a: int32, b: list<item: string>>', { a: 1, b: ['x', null] }],
    ["[{'d': 1.5::DECIMAL(4,2)}]", 'list<item: struct<d: decimal128(4, 2)>>', [{ d: '1.50' }]],
    ["MAP {'k': 1}", 'list<item: struct<key: string, value: int32>>', [{ key: 'k', value: 1 }]],
    ['array_value(1::DOUBLE, 2::DOUBLE)', 'list<item: double>', [1, 2]],
  ],
  bound: [
    [{ type: 'null', value: null }, null],
    [{ type: 'bool', value: false }, false],
    [{ type: 'int', value: -9_223_372_036_854_775_808n }, '-9223372036854775808'],
    [{ type: 'float', value: 1 }, 1],
    [{ type: 'float', value: Number.NEGATIVE_INFINITY }, '-inf'],
    [{ type: 'text', value: '' }, ''],
    [{ type: 'bytes', value: new Uint8Array([0, 39, 255]) }, "b'\\x00\\x27\\xff'"],
    [{ type: 'decimal', value: '-12.340' }, '-12.340'],
    [{ type: 'decimal', value: '0.00' }, '0.00'],
    [{ type: 'uuid', value: '2f4b3c1d-0000-4000-8000-000000000001' }, '2f4b3c1d-0000-4000-8000-000000000001'],
    [{ type: 'timestamp', value: '2024-02-29T13:05:09.000120' }, '2024-02-29 13:05:09.000120'],
    [{ type: 'timestamp', value: '2024-02-29T13:05:09Z' }, '2024-02-29 13:05:09+00:00'],
    [{ type: 'date', value: '1969-12-31' }, '1969-12-31'],
    [{ type: 'time', value: '13:05:09.000120' }, '13:05:09.000120'],
  ],
  slow: 'SELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE (a.range * b.range) % 7 = 3',
});

describe('DuckDB over files', () => {
  let folder = notebookFolder('');
  beforeAll(() => {
    folder = notebookFolder(mkdtempSync(join(tmpdir(), 'cellar-duckdb-files-')));
    writeFileSync(join(folder, 'one.csv'), 'a,b\n1,x\n2,y\n');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function rows(sql: string, more: Partial<ConnectSettings>): Promise<number> {
    const connection = await duckdb.connect(settings(folder, { keys: {}, ...more }), {
      access: 'read',
      signal: NEVER,
    });
    try {
      const stream = await connection.query(boundSql(sql), { signal: NEVER, snapshot: null });
      return (await writeTable(stream, join(folder, `${Math.random()}.arrow`), NEVER)).rows;
    } finally {
      await connection.close();
    }
  }

  test('[SQ-23] a path is relative to the notebook’s folder, and a mount is a view with its name', async () => {
    expect(await rows("SELECT * FROM 'one.csv'", {})).toBe(2);
    expect(await rows('SELECT * FROM "it\'s"', { mounts: { "it's": folder } })).toBe(2);
  });

  test.each([
    ["PIVOT (FROM (VALUES ('a', 1), ('b', 2)) t(k, v)) ON k USING sum(v)", 1],
    ["FROM (PIVOT (FROM (VALUES ('a', 1), ('b', 2)) t(k, v)) ON k USING sum(v) GROUP BY v)", 2],
  ])('[SQ-47] the columns of a PIVOT are read from the data: %s', async (sql, count) => {
    expect(await rows(sql, {})).toBe(count);
  });

  test.each([
    [{ mounts: { m: '/not/there' } }, 'read', /contains no Parquet, CSV or JSON files \(/],
    [
      { mounts: { m: tmpdir() } },
      'write',
      /uses mounts, which are read-only\. Use a connection without mounts to write\./,
    ],
    [{ keys: { catalog: 'lake' } }, 'read', /uses the catalog "lake", which is not defined/],
    [{ keys: { path: 'gone.duckdb' } }, 'read', /refers to a file that does not exist:/],
    [{ options: { threads: {} } }, 'read', /must be a text, number or boolean\./],
    [{ options: { not_a_setting: 1 } }, 'read', /not_a_setting/],
  ] as const)(
    '[SQ-22] an invalid connection has a message with what to fix: %j',
    async (more, access, says) => {
      const connecting = duckdb.connect(settings(folder, { keys: {}, ...more }), { access, signal: NEVER });
      await expect(connecting).rejects.toThrow(says);
    },
  );

  test('[SQ-22] the time zone of its options is the zone of its times', async () => {
    const zoned = { options: { TimeZone: 'Asia/Tokyo' } };
    expect(await rows("SELECT 1 WHERE current_setting('TimeZone') = 'Asia/Tokyo'", zoned)).toBe(1);
    expect(await rows("SELECT 1 WHERE current_setting('TimeZone') = 'UTC'", {})).toBe(1);
  });

  test.each([
    ["'infinity'::DATE", /"x" holds infinity, which Arrow has no date for; use nullif/],
    ["'-infinity'::DATE", /"x" holds -infinity/],
    ["'infinity'::TIMESTAMP", /"x" holds infinity, which Arrow has no timestamp for/],
    ["'-infinity'::TIMESTAMPTZ", /"x" holds -infinity/],
    ["'infinity'::TIMESTAMP_S", /infinity/],
    ["'-infinity'::TIMESTAMP_MS", /infinity/],
    ["'infinity'::TIMESTAMP_NS", /infinity/],
    ["[NULL, 'infinity'::DATE]", /infinity/],
    ["{'a': ['-infinity'::TIMESTAMP]}", /infinity/],
    ["MAP {'k': 'infinity'::DATE}", /infinity/],
    ["TIME '24:00:00'", /"x" holds 24:00:00, which Arrow has no time for/],
    ["'340282366920938463463374607431768211455'::UHUGEINT", /decimals of 38 digits/],
  ])('[SQ-11] a value that Arrow cannot represent has an error message: %s', async (expression, says) => {
    await expect(rows(`SELECT ${expression} AS x`, {})).rejects.toThrow(says);
    expect(await rows(`SELECT x FROM (SELECT 1 AS o, ${expression} AS x) WHERE o > 1`, {})).toBe(0);
    expect(await rows(`SELECT ${expression}::text AS x, nullif(${expression}, ${expression}) AS y`, {})).toBe(
      1,
    );
  });

  test.each<[definition: string, isKnown: boolean]>([
    ["VIEW v AS SELECT * FROM read_csv('one.csv')", false],
    ["VIEW v AS SELECT * FROM 'one.csv'", false],
    ['MACRO f() AS TABLE SELECT * FROM "one.csv"', false],
    ["MACRO f() AS (SELECT max(a) FROM read_csv('one.csv'))", false],
    ["MACRO f(x) AS x + (SELECT max(a) FROM 'one.csv')", false],
    ['MACRO f(path) AS (SELECT count(*) FROM glob(path))', false],
    ['MACRO f(x) AS x + 1', true],
    ['MACRO f(x) AS TABLE SELECT * FROM range(x)', true],
    ['VIEW v AS SELECT range AS a FROM range(3)', true],
  ])('[SQ-17] files behind a view or a macro have no freshness: %s', async (definition, isKnown) => {
    const write = async (sql: string) => {
      const writer = await duckdb.connect(settings(folder), { access: 'write', signal: NEVER });
      await writer.write([boundSql(sql)], { signal: NEVER });
      await writer.close();
    };
    await write(`CREATE ${definition}`);
    const connection = await duckdb.connect(settings(folder), { access: 'read', signal: NEVER });
    expect((await connection.freshness([], NEVER)) !== null).toBe(isKnown);
    await connection.close();
    await write(
      `DROP ${definition.replace(/\(.*|AS .*/, '').replace(/MACRO/, definition.includes('TABLE') ? 'MACRO TABLE' : 'MACRO')}`,
    );
  });
});
