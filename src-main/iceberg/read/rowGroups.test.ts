import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Primitive } from '../metadata/types.ts';
import { bindFilters, type Operator, type ScanFilter } from '../plan/filters.ts';
import { filterSql } from './filterSql.ts';
import { type RowGroup, readRowGroups, rowGroupMayMatch } from './rowGroups.ts';
import { ScanSession } from './scanSession.ts';

const never = new AbortController().signal;
/** DuckDB writes row groups of whole vectors. */
const GROUP = 2048;
const GROUPS = 5;
const OPERATORS: readonly Operator[] = ['=', '!=', '<', '<=', '>', '>='];

/** A column of the file: its SQL, its type in the table, and the values that filters compare it with. */
interface TestColumn {
  readonly sql: string;
  readonly type: Primitive;
  readonly values: readonly ScanFilter['value'][];
}

// `g` is the number of the row group, `i` that of the row, `r` a number that repeats.
const COLUMNS: Readonly<Record<string, TestColumn>> = {
  int_sorted: { sql: 'i::INTEGER', type: { kind: 'int' }, values: [-1, 0, 2047, 2048, 2048.5, 5000, 99999] },
  int_as_long: {
    sql: '(g * 1000 - 2000)::INTEGER',
    type: { kind: 'long' },
    values: [-2000, -1000, 0, 1, 2000],
  },
  long_wide: {
    sql: 'g * 9007199254740993',
    type: { kind: 'long' },
    values: [0, 9_007_199_254_740_992n, 9_007_199_254_740_993n, 36_028_797_018_963_972n],
  },
  double_nan: {
    sql: "CASE WHEN r = 0 THEN 'nan'::DOUBLE ELSE g + r / 7 END",
    type: { kind: 'double' },
    values: [0, 0.14285714285714285, 1, 2.5, 3.857142857142857, 10],
  },
  double_signs: {
    sql: 'CASE WHEN g = 2 THEN -0.0::DOUBLE ELSE g - 2 END',
    type: { kind: 'double' },
    values: [-2, -1, 0, 1],
  },
  infinite: {
    sql: "CASE WHEN g = 1 THEN 'inf'::DOUBLE ELSE g END",
    type: { kind: 'double' },
    values: [0, 1, 4, 5],
  },
  float_thirds: {
    sql: '((g + r) / 3)::FLOAT',
    type: { kind: 'float' },
    values: [0, 1 / 3, Math.fround(1 / 3), 1, 3, 10 / 3],
  },
  float_as_double: {
    sql: '((g + 1) / 10)::FLOAT',
    type: { kind: 'double' },
    values: [0.1, Math.fround(0.1), 0.3, Math.fround(0.3), 0.5],
  },
  decimal: {
    sql: '(g * 1.25 - 2)::DECIMAL(12, 3)',
    type: { kind: 'decimal', precision: 12, scale: 3 },
    values: [-2, -1.999, -0.75, 0.5, 3],
  },
  decimal_rescaled: {
    sql: '(g * 1.25)::DECIMAL(12, 2)',
    type: { kind: 'decimal', precision: 12, scale: 3 },
    values: [0, 1.25, 5],
  },
  date: {
    sql: "DATE '1969-12-30' + g::INTEGER",
    type: { kind: 'date' },
    values: ['1969-12-30', '1970-01-01', '1970-01-03', '2000-01-01'],
  },
  date_as_timestamp: {
    sql: "DATE '1970-01-01' + g::INTEGER",
    type: { kind: 'timestamp' },
    values: ['1970-01-01', '1970-01-02 12:00:00'],
  },
  timestamp: {
    sql: "TIMESTAMP '1969-12-31 23:59:59.5' + INTERVAL (g * 500) MILLISECOND",
    type: { kind: 'timestamp' },
    values: ['1969-12-31 23:59:59.5', '1970-01-01', '1970-01-01 00:00:00.25', '1970-01-01 00:00:01.5'],
  },
  timestamptz: {
    sql: "TIMESTAMPTZ '2024-03-31 00:59:59+00' + INTERVAL (g) SECOND",
    type: { kind: 'timestamptz' },
    values: ['2024-03-31T00:59:59Z', '2024-03-31T03:00:00+02:00', '2024-04-01'],
  },
  text: {
    sql: "['ab', 'a', 'b~', 'Z z', ''][g + 1]",
    type: { kind: 'string' },
    values: ['', 'a', 'aa', 'ab', 'b~', 'c'],
  },
  text_escaped: {
    sql: "['a\\x41', 'é', 'a', '😀', 'b'][g + 1]",
    type: { kind: 'string' },
    values: ['a', 'a\\x41', 'b', 'é', '😀'],
  },
  nulls: {
    sql: 'CASE WHEN g = 3 THEN NULL WHEN r = 1 THEN NULL ELSE g END::INTEGER',
    type: { kind: 'int' },
    values: [0, 2, 3, 4],
  },
  flag: { sql: 'g > 2', type: { kind: 'boolean' }, values: [true, false] },
  uuid: {
    sql: "('0000000' || g || '-0000-0000-0000-000000000000')::UUID",
    type: { kind: 'uuid' },
    values: ['00000001-0000-0000-0000-000000000000'],
  },
};
const NAMES = Object.keys(COLUMNS);

let folder = '';
let path = '';
let session: ScanSession;
let groups: readonly RowGroup[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'row-groups-'));
  path = join(folder, 'with [wildcards]?.parquet');
  session = await ScanSession.open();
  const columns = NAMES.map((name) => `${COLUMNS[name]?.sql} AS ${name}`).join(', ');
  // A struct precedes the columns, so that the numbers of their leaves differ from their own numbers.
  const rows = `SELECT {a: i, b: [i]} AS nested, ${columns} FROM (SELECT range AS i, range // ${GROUP} AS g, range % 4 AS r FROM range(${GROUP * GROUPS}))`;
  const ids = NAMES.map((name, at) => `${name}: ${at + 1}`).join(', ');
  await session.rows(
    `COPY (${rows}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE ${GROUP}, FIELD_IDS {nested: 100, ${ids}})`,
    never,
  );
  groups = await readRowGroups(path, { session, location: path, mapping: null, signal: never });
});
afterAll(async () => {
  session.close();
  await rm(folder, { recursive: true, force: true });
});

/** The groups that a scan reads, and those that have a matching row, by DuckDB. */
async function readAndNeeded(filter: ScanFilter): Promise<{ read: number[]; needed: number[] }> {
  const { type } = COLUMNS[filter.column] as TestColumn; // of the table
  const id = NAMES.indexOf(filter.column) + 1;
  const field = { id, name: filter.column, required: false, type };
  const predicates = bindFilters([filter], { schemaId: 0, fields: [field] });
  const kind = { float: 'FLOAT', double: 'DOUBLE', timestamp: 'TIMESTAMP' }[type.kind as string];
  const value = kind === undefined ? filter.column : `${filter.column}::${kind}`;
  const conditions = predicates.map((predicate) => filterSql(predicate, value)).join(' AND ');
  const matching = await session.rows(
    `SELECT DISTINCT file_row_number // ${GROUP} AS g FROM read_parquet('${path.replace(/[*?[]/g, (c) => `[${c}]`)}', file_row_number = true) WHERE ${conditions} ORDER BY 1`,
    never,
  );
  const read = groups.flatMap((group, at) => (rowGroupMayMatch(group, predicates) ? [at] : []));
  return { read, needed: matching.map(({ g }) => Number(g)) };
}

describe('row groups are left out by their statistics', () => {
  it.each(NAMES)('[DP-78] never one with a matching row: %s', async (column) => {
    for (const value of COLUMNS[column]?.values ?? []) {
      for (const op of OPERATORS) {
        const { read, needed } = await readAndNeeded({ column, op, value });
        const missed = needed.filter((group) => !read.includes(group));
        expect(missed, `${column} ${op} ${String(value)}`).toEqual([]);
      }
    }
  });

  const rows: readonly (readonly [string, ScanFilter, readonly number[]])[] = [
    ['of a sorted column', { column: 'int_sorted', op: '=', value: 5000 }, [2]],
    ['of a wide number', { column: 'long_wide', op: '>', value: 27_021_597_764_222_978n }, [3, 4]],
    ['of a column with NaN', { column: 'double_nan', op: '>=', value: 4 }, [0, 1, 2, 3, 4]],
    ['of floats', { column: 'float_as_double', op: '=', value: Math.fround(0.3) }, [2]],
    ['of decimals', { column: 'decimal', op: '<', value: -0.75 }, [0]],
    ['of dates', { column: 'date', op: '=', value: '1970-01-01' }, [2]],
    ['of timestamps', { column: 'timestamp', op: '<=', value: '1970-01-01' }, [0, 1]],
    ['of moments', { column: 'timestamptz', op: '>', value: '2024-03-31T03:00:00+02:00' }, [2, 3, 4]],
    ['of text', { column: 'text', op: '=', value: 'b~' }, [2]],
    ['of only NULL', { column: 'nulls', op: '!=', value: 7 }, [0, 1, 2, 4]],
    ['not by text that may be escaped', { column: 'text_escaped', op: '=', value: 'zz' }, [0, 1, 3]],
    ['not by a type that is not compared', { column: 'flag', op: '=', value: true }, [0, 1, 2, 3, 4]],
  ];
  it.each(rows)('[DP-78] %s', async (_what, filter, wanted) => {
    expect((await readAndNeeded(filter)).read).toEqual(wanted);
  });
});
