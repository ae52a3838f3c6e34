import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  DurationMillisecond,
  Field,
  Float32,
  Float64,
  Int8,
  Int32,
  Int64,
  List,
  Map_ as MapType,
  makeData,
  Null,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Table,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint64,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadFrame } from './frameTable.ts';

let root = '';
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cellar-frame-'));
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
  rmSync(root, { recursive: true, force: true });
});

let count = 0;
const NEVER = new AbortController().signal;

/** Stores columns as a frame and loads it; returns its table name. */
async function load(
  columns: Readonly<Record<string, Vector>>,
  shape: string | null = 'table',
): Promise<string> {
  count += 1;
  const name = `frame${count}`;
  const table = new Table(columns);
  const metadata = new Map(shape === null ? [] : [['svc.arrow.shape', shape]]);
  const path = join(root, name);
  const schema = new Schema(table.schema.fields, metadata);
  writeFileSync(path, RecordBatchStreamWriter.writeAll(new Table(schema, table.batches)).toUint8Array(true));
  await loadFrame(connection, { name, path }, NEVER);
  return name;
}

async function rows(sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRowsJS() as unknown[][];
}

const vector = <T extends DataType>(values: readonly unknown[], type: T): Vector =>
  vectorFromArray(values as never[], type) as Vector;
const field = (name: string, type: DataType): Field => new Field(name, type, true);
const MAP_ENTRIES = field('entries', new Struct([field('key', new Utf8()), field('value', new Int32())]));

describe('[SQ-62] columns keep their type and every value', () => {
  it.each<[string, Vector, string, string[]]>([
    ['booleans', vector([true, false, null], new Bool()), 'BOOLEAN', ['true', 'false', 'NULL']],
    ['small integers', vector([-128, null, 127], new Int8()), 'TINYINT', ['-128', 'NULL', '127']],
    ['integers', vector([2 ** 31 - 1], new Int32()), 'INTEGER', ['2147483647']],
    [
      '64 bits',
      vector([2n ** 63n - 1n, -(2n ** 63n)], new Int64()),
      'BIGINT',
      ['9223372036854775807', '-9223372036854775808'],
    ],
    ['unsigned 64 bits', vector([2n ** 64n - 1n], new Uint64()), 'UBIGINT', ['18446744073709551615']],
    ['single floats', vector([0.5], new Float32()), 'FLOAT', ['0.5']],
    [
      'floats',
      vector([0.1, Number.NaN, Number.POSITIVE_INFINITY], new Float64()),
      'DOUBLE',
      ['0.1', 'nan', 'inf'],
    ],
    [
      'maps',
      vector([{ x: 1, y: 2 }, null], new MapType(MAP_ENTRIES as never)),
      'MAP(VARCHAR, INTEGER)',
      ['{x=1, y=2}', 'NULL'],
    ],
    ['texts', vector(['é', '', null, 'a"b'], new Utf8()), 'VARCHAR', ['é', '', 'NULL', 'a"b']],
    [
      'categories',
      vector(['x', 'y', 'x', null], new Dictionary(new Utf8(), new Int32())),
      'VARCHAR',
      ['x', 'y', 'x', 'NULL'],
    ],
    ['bytes', vector([new Uint8Array([0, 255])], new Binary()), 'BLOB', ['\\x00\\xFF']],
    [
      'days before 1970',
      vector([new Date('1969-12-31'), new Date('2024-02-29')], new DateDay()),
      'DATE',
      ['1969-12-31', '2024-02-29'],
    ],
    ['times', vector([86_399_999_999n], new TimeMicrosecond()), 'TIME', ['23:59:59.999999']],
    ['only NULL', vector([null, null], new Null()), 'INTEGER', ['NULL', 'NULL']],
    ['durations', vector([-1_500n], new DurationMillisecond()), 'INTERVAL', ['-00:00:01.5']],
    [
      'lists',
      vector([[1, null], [], null], new List(field('item', new Int32()))),
      'INTEGER[]',
      ['[1, NULL]', '[]', 'NULL'],
    ],
    [
      'structs',
      vector([{ a: 1, b: 'x' }], new Struct([field('a', new Int32()), field('b', new Utf8())])),
      'STRUCT(a INTEGER, b VARCHAR)',
      ["{'a': 1, 'b': x}"],
    ],
  ])('%s', async (_name, column, type, texts) => {
    const name = await load({ v: column });
    const result = await rows(`SELECT typeof(v), coalesce(v::VARCHAR, 'NULL') FROM ${name}`);
    expect(result).toEqual(texts.map((text) => [type, text]));
  });

  it.each<[string, DataType, bigint, string, string]>([
    ['seconds', new TimestampSecond(), -1n, 'TIMESTAMP_S', '1969-12-31 23:59:59'],
    ['microseconds', new TimestampMicrosecond(), -1n, 'TIMESTAMP', '1969-12-31 23:59:59.999999'],
    ['nanoseconds', new TimestampNanosecond(), 1n, 'TIMESTAMP_NS', '1970-01-01 00:00:00.000000001'],
    [
      'nanoseconds with a zone',
      new TimestampNanosecond('Europe/Berlin'),
      -1n,
      'TIMESTAMP WITH TIME ZONE',
      '1969-12-31 23:59:59.999999+00',
    ],
  ])('timestamps in %s', async (_name, type, ticks, duckdbType, text) => {
    const column = vector([0], type);
    const values = column.data[0]?.values as BigInt64Array;
    values[0] = ticks;
    const name = await load({ v: column });
    expect(await rows(`SELECT typeof(v), v::VARCHAR FROM ${name}`)).toEqual([[duckdbType, text]]);
  });

  it('decimals below zero', async () => {
    const column = vector([new Uint32Array([1, 0, 0, 0])], new Decimal(2, 10, 128));
    const words = column.data[0]?.values as Uint32Array;
    words.set([-150 >>> 0, 0xffffffff, 0xffffffff, 0xffffffff]);
    const name = await load({ v: column });
    expect(await rows(`SELECT typeof(v), v::VARCHAR FROM ${name}`)).toEqual([['DECIMAL(10,2)', '-1.50']]);
  });

  it('more rows than fit into one vector of DuckDB, in order', async () => {
    const name = await load({
      v: vector(
        Array.from({ length: 5_000 }, (_, at) => at),
        new Int32(),
      ),
    });
    expect(await rows(`SELECT count(*)::INT, min(v), max(v), (list(v))[2049] FROM ${name}`)).toEqual([
      [5_000, 0, 4_999, 2_048],
    ]);
  });
});

describe('[SQ-63] names and shapes', () => {
  it('an index without a name is left out, names that only differ in case are made unique', async () => {
    const one = vector([1], new Int32());
    const name = await load({ A: one, a: one, 'b "c"': one, __index_level_0__: one });
    const columnNames = await rows(`SELECT column_name FROM (DESCRIBE ${name})`);
    expect(columnNames.flat()).toEqual(['A', 'a_1', 'b "c"']);
  });

  it('a table without a shape is accepted; an array and a type without SQL equivalent are refused', async () => {
    const one = vector([1], new Int32());
    expect(await rows(`SELECT a FROM ${await load({ a: one }, null)}`)).toEqual([[1]]);
    await expect(load({ values: one }, 'tensor')).rejects.toThrow('is not a table: FROM reads data frames');
    const wide = new Decimal(0, 60, 256);
    const odd = new Vector([makeData({ type: wide, length: 1, data: new Uint32Array(8) })]);
    await expect(load({ odd })).rejects.toThrow('which SQL has no type for');
  });
});
