import { describe, expect, test } from 'vitest';
import type { ColumnType } from '../columnType.ts';
import { ask } from '../testing/helpers.ts';
import { postgresDatabase } from '../testing/postgresDatabase.ts';
import { findPostgres } from '../testing/postgresServer.ts';

const WIDE: ColumnType = { kind: 'decimal', precision: 76, scale: 38 };
const TIMESTAMP: ColumnType = { kind: 'timestamp', unit: 'us', zone: null };
const INSTANT: ColumnType = { kind: 'timestamp', unit: 'us', zone: 'UTC' };
const int = (bits: 16 | 32 | 64): ColumnType => ({ kind: 'int', bits, signed: true });
const decimal = (precision: number, scale: number): ColumnType => ({ kind: 'decimal', precision, scale });
const TEXT: ColumnType = { kind: 'text' };

describe.skipIf(findPostgres() === null)('types of PostgreSQL', () => {
  const { open } = postgresDatabase();

  const ROWS: readonly (readonly [expression: string, type: ColumnType, value: unknown])[] = [
    ['true', { kind: 'bool' }, true],
    ['(-32768)::int2', int(16), -32_768],
    ['2147483647', int(32), 2_147_483_647],
    ['(-9223372036854775808)::int8', int(64), -9_223_372_036_854_775_808n],
    ['4294967295::oid', int(64), 4_294_967_295n],
    ['1.5::float4', { kind: 'float', bits: 32 }, 1.5],
    ["'NaN'::float8", { kind: 'float', bits: 64 }, Number.NaN],
    ["'-Infinity'::float8", { kind: 'float', bits: 64 }, Number.NEGATIVE_INFINITY],
    ['12.340::numeric(10,3)', decimal(10, 3), '12.340'],
    ['1200::numeric(2,-2)', decimal(4, 0), '1200'],
    ['(-0.00012)::numeric', decimal(38, 5), '-0.00012'],
    [
      '123456789012345678901234567890123456789.5::numeric',
      decimal(40, 1),
      `${'1234567890'.repeat(3)}123456789.5`,
    ],
    ["repeat('9', 80)::numeric", TEXT, '9'.repeat(80)],
    ["'a ''ü'' 🐘'::text", TEXT, "a 'ü' 🐘"],
    ["'ab'::char(4)", TEXT, 'ab  '],
    ["''::text", TEXT, ''],
    ["'\\x00ff10'::bytea", { kind: 'bytes' }, Buffer.from([0, 255, 16])],
    ["'2024-02-29'::date", { kind: 'date' }, 19_782],
    ["'0044-03-15 BC'::date", { kind: 'date' }, -735_160],
    ["'13:05:09.00012'::time", { kind: 'time' }, 47_109_000_120n],
    ["'2024-02-29 13:05:09.000001'::timestamp", TIMESTAMP, 1_709_211_909_000_001n],
    ["'1969-12-31 23:59:59.5'::timestamp", TIMESTAMP, -500_000n],
    ["'2024-02-29 13:05:09+05:30'::timestamptz", INSTANT, 1_709_192_109_000_000n],
    ["'1 year 2 mons 3 days 04:05:06'::interval", TEXT, '1 year 2 mons 3 days 04:05:06'],
    ["'2F4B3C1D-0000-4000-8000-000000000001'::uuid", TEXT, '2f4b3c1d-0000-4000-8000-000000000001'],
    ['\'{"a": [1, null]}\'::json', TEXT, '{"a": [1, null]}'],
    ['\'{"a":1}\'::jsonb', TEXT, '{"a": 1}'],
    ["'sad'::mood", TEXT, 'sad'],
    ["'12'::positive", int(32), 12],
    ['int4range(1, 5)', TEXT, '[1,5)'],
    ["'(1,2)'::point", TEXT, '(1,2)'],
    ["'10.0.0.1'::inet", TEXT, '10.0.0.1'],
    ['ARRAY[1, NULL, 3]', { kind: 'list', item: int(32) }, [1, null, 3]],
    ["'{}'::int8[]", { kind: 'list', item: int(64) }, []],
    ["'[0:1]={7,8}'::int8[]", { kind: 'list', item: int(64) }, [7n, 8n]],
    [
      `ARRAY['a"b', 'NULL', '', 'c\\d', 'e,f', NULL]`,
      { kind: 'list', item: TEXT },
      ['a"b', 'NULL', '', 'c\\d', 'e,f', null],
    ],
    ['ARRAY[1.5, 2]::numeric(4,2)[]', { kind: 'list', item: decimal(4, 2) }, ['1.50', '2.00']],
    ['ARRAY[1.5]::numeric[]', { kind: 'list', item: WIDE }, ['1.5']],
    ["ARRAY['sad','ok']::mood[]", { kind: 'list', item: TEXT }, ['sad', 'ok']],
    ["ARRAY['a b'::varchar]", { kind: 'list', item: TEXT }, ['a b']],
    [
      `ROW(1, 'x "y", z', NULL, ARRAY[1,2])::item`,
      {
        kind: 'struct',
        fields: [
          { name: 'n', type: int(32) },
          { name: 'label', type: TEXT },
          { name: 'at', type: INSTANT },
          { name: 'list', type: { kind: 'list', item: int(32) } },
        ],
      },
      [1, 'x "y", z', null, [1, 2]],
    ],
    [
      `ARRAY[ROW(1, '', NULL, NULL)::item]`,
      {
        kind: 'list',
        item: {
          kind: 'struct',
          fields: [
            { name: 'n', type: int(32) },
            { name: 'label', type: TEXT },
            { name: 'at', type: INSTANT },
            { name: 'list', type: { kind: 'list', item: int(32) } },
          ],
        },
      },
      [[1, '', null, null]],
    ],
    ['ROW(1, NULL)', TEXT, '(1,)'],
  ];

  test('[SW-1] reads every type to its column type and value, and NULL', async () => {
    await using connection = await open();
    for (const [expression, type, value] of ROWS) {
      const { columns, rows } = await ask(connection, `SELECT ${expression} AS x`);
      expect({ expression, columns, rows }).toEqual({
        expression,
        columns: [{ name: 'x', type }],
        rows: [[value]],
      });
      const nulls = await ask(connection, `SELECT CASE WHEN false THEN ${expression} END AS x`);
      expect([expression, nulls.rows]).toEqual([expression, [[null]]]);
    }
  });

  test('[SW-1] a result without rows has its columns', async () => {
    await using connection = await open();
    const { columns, rows } = await ask(connection, 'SELECT 1 AS a, 1.5::numeric AS b WHERE false');
    expect({ columns, rows }).toEqual({
      columns: [
        { name: 'a', type: int(32) },
        { name: 'b', type: decimal(38, 0) },
      ],
      rows: [],
    });
  });

  const UNSUPPORTED: readonly (readonly [expression: string, message: RegExp])[] = [
    ["'infinity'::timestamptz", /"x" holds infinity.*nullif/],
    ["'-infinity'::date", /"x" holds -infinity.*nullif/],
    ["'24:00'::time", /"x" holds 24:00:00/],
    ["'NaN'::numeric", /"x" holds NaN.*float8/],
    ['ARRAY[[1],[2]]', /several dimensions.*to_jsonb/],
  ];

  test('[SW-1] the error for a value that Arrow does not support explains how to cast it', async () => {
    await using connection = await open();
    for (const [expression, message] of UNSUPPORTED) {
      await expect(ask(connection, `SELECT ${expression} AS x`)).rejects.toThrow(message);
    }
    expect((await ask(connection, 'SELECT 1 AS still')).rows).toEqual([[1]]);
  });

  test('[SW-1] unconstrained decimals of a long result have 38 digits before and after the point', async () => {
    await using connection = await open();
    const { columns, rows } = await ask(connection, 'SELECT (n / 3.0) AS x FROM generate_series(1, 5000) n');
    expect(columns).toEqual([{ name: 'x', type: WIDE }]);
    expect(rows.length).toBe(5_000);
  });
});
