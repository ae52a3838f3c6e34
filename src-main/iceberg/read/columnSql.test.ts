import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseType } from '../metadata/types.ts';
import { columnSql } from './columnSql.ts';
import { parquetTree } from './parquetTree.ts';

/** A Parquet column of one type, as DuckDB describes it. */
function nodeOf(duckdbType: string, { physical = 'INT64', logical = null as string | null } = {}) {
  const row = { name: 'c', children: null, convertedType: null, fieldId: 1 };
  const root = { ...row, name: 'schema', type: null, children: 1, logicalType: null, duckdbType: null };
  const [node] = parquetTree([root, { ...row, type: physical, logicalType: logical, duckdbType }], 'f');
  return node ?? null;
}

const SOURCE = { location: 'f.parquet', constants: new Map([[9, "'constant'"]]) };
const NANOS =
  'TimestampType(isAdjustedToUTC=1, unit=TimeUnit(MILLIS=<null>, MICROS=<null>, NANOS=NanoSeconds()))';

describe('[IC-2] a column in its current type', () => {
  let instance: DuckDBInstance;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
  });
  afterAll(() => instance.closeSync());
  const evaluated = async (sql: string): Promise<readonly unknown[]> => {
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    const [row] = await (
      await connection.run(`SELECT v::VARCHAR, typeof(v) FROM (SELECT ${sql} AS v)`)
    ).getRowsJson();
    connection.closeSync();
    return row ?? [];
  };

  it.each<[string, string, string, string, string, Parameters<typeof nodeOf>[1]]>([
    ['long', 'INTEGER', '5::INTEGER', '5', 'BIGINT', {}],
    ['double', 'FLOAT', '1.5::FLOAT', '1.5', 'DOUBLE', {}],
    ['decimal(20,2)', 'DECIMAL(9,2)', '1.25::DECIMAL(9,2)', '1.25', 'DECIMAL(20,2)', {}],
    ['timestamp', 'DATE', "DATE '1970-01-02'", '1970-01-02 00:00:00', 'TIMESTAMP', {}],
    [
      'timestamp',
      'TIMESTAMP_MS',
      "TIMESTAMP_MS '1970-01-02 00:00:00.5'",
      '1970-01-02 00:00:00.5',
      'TIMESTAMP',
      {},
    ],
    [
      'timestamptz',
      'TIMESTAMP',
      "TIMESTAMP '1970-01-02 00:00:00'",
      '1970-01-02 00:00:00+00',
      'TIMESTAMP WITH TIME ZONE',
      { physical: 'INT96' },
    ],
    ['string', 'BLOB', "encode('ä')", 'ä', 'VARCHAR', {}],
    ['binary', 'VARCHAR', "'a'", 'a', 'BLOB', {}],
    [
      'uuid',
      'BLOB',
      "from_hex('000102030405060708090a0b0c0d0eff')",
      '00010203-0405-0607-0809-0a0b0c0d0eff',
      'UUID',
      {},
    ],
  ])('%s of %s', async (type, duckdbType, value, text, typeNow, about) => {
    const field = { id: 1, name: 'c', required: false, type: parseType(type) };
    const node = nodeOf(duckdbType, about ?? {});
    expect(await evaluated(columnSql(field, node, `(${value})`, SOURCE))).toEqual([text, typeNow]);
  });

  it.each<[string, unknown, string, string]>([
    ['long', 9007199254740993n, '9007199254740993', 'BIGINT'],
    ['boolean', true, 'true', 'BOOLEAN'],
    ['double', 0.1, '0.1', 'DOUBLE'],
    ['string', "it's", "it's", 'VARCHAR'],
    ['decimal(5,2)', '14.20', '14.20', 'DECIMAL(5,2)'],
    ['date', '2017-11-16', '2017-11-16', 'DATE'],
    ['time', '22:31:08.123456', '22:31:08.123456', 'TIME'],
    ['timestamp', '2017-11-16T22:31:08', '2017-11-16 22:31:08', 'TIMESTAMP'],
    ['timestamptz', '2017-11-16T22:31:08+00:00', '2017-11-16 22:31:08+00', 'TIMESTAMP WITH TIME ZONE'],
    ['timestamp_ns', '2017-11-16T22:31:08.123456789', '2017-11-16 22:31:08.123456789', 'TIMESTAMP_NS'],
    ['uuid', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', 'UUID'],
    ['binary', '00ff', '\\x00\\xFF', 'BLOB'],
  ])('%s that the file lacks has its default %s', async (type, initialDefault, text, typeNow) => {
    const field = { id: 1, name: 'c', required: true, type: parseType(type), initialDefault };
    expect(await evaluated(columnSql(field, null, '', SOURCE))).toEqual([text, typeNow]);
  });

  it('that the file lacks is NULL, or the value of its partition', async () => {
    const field = (id: number) => ({ id, name: 'c', required: false, type: parseType('string') });
    expect(await evaluated(columnSql(field(1), null, '', SOURCE))).toEqual([null, 'VARCHAR']);
    expect(await evaluated(columnSql(field(9), null, '', SOURCE))).toEqual(['constant', 'VARCHAR']);
  });

  it.each<[string, string, Parameters<typeof nodeOf>[1]]>([
    ['int', 'BIGINT', {}],
    ['int', 'VARCHAR', {}],
    ['float', 'DOUBLE', {}],
    ['decimal(9,2)', 'DECIMAL(10,2)', {}],
    ['decimal(9,2)', 'DECIMAL(9,3)', {}],
    ['date', 'TIMESTAMP', {}],
    ['timestamp', 'TIMESTAMP WITH TIME ZONE', {}],
    ['timestamptz', 'TIMESTAMP', {}],
    ['timestamptz', 'TIMESTAMP WITH TIME ZONE', { logical: NANOS }],
  ])('%s is not read from %s', (type, duckdbType, about) => {
    const field = { id: 1, name: 'now', required: false, type: parseType(type) };
    expect(() => columnSql(field, nodeOf(duckdbType, about ?? {}), 'c', SOURCE)).toThrow(
      `f.parquet cannot be read: its column "c" has the type ${duckdbType}, which does not fit the column "now" of the table`,
    );
  });
});
