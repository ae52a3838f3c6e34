/**
 * Random small tables in one to three batches, and one of 70,000 rows: sorting, filtering, searching and paging give
 * the same as simple JavaScript.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Bool,
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  makeBuilder,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMicrosecond,
  tableToIPC,
  Utf8,
} from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { CellValue } from './columns/cellValue.ts';
import type { Filter } from './query/filterRows.ts';
import { TableCache } from './service/tableCache.ts';

const dir = mkdtempSync(join(tmpdir(), 'table-oracle-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Kind {
  readonly type: () => DataType;
  /** The builder's input; null = null. */
  readonly value: fc.Arbitrary<unknown>;
  /** Its form on a page. */
  shown(value: unknown): CellValue;
  /** Its sort key. */
  order(value: unknown): number | bigint | Buffer;
  /** A filter's value for a value of the table. */
  filter(value: unknown): unknown;
}

const long = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -3n, max: 3n }),
);
const word = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'ab', 'Ab\0', 'éa', 'É', '😀', '\uffff', 'same prefix 1', 'same prefix 12'),
  fc.string({ maxLength: 12 }),
);

function isoMicros(count: bigint): string {
  const ms = Number(count / 1000n);
  const micros = Number(count % 1_000_000n);
  const text = new Date(ms).toISOString().slice(0, 19);
  return micros === 0 ? text : `${text}.${String(micros).padStart(6, '0')}`;
}

const kinds: Readonly<Record<string, Kind>> = {
  int32: {
    type: () => new Int32(),
    value: fc.oneof(fc.integer(), fc.integer({ min: -2, max: 2 })),
    shown: (value) => Number(value),
    order: (value) => Number(value),
    filter: (value) => value,
  },
  int64: {
    type: () => new Int64(),
    value: long,
    shown: (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value)),
    order: (value) => BigInt(String(value)),
    filter: (value) => String(value),
  },
  float64: {
    type: () => new Float64(),
    value: fc.oneof(fc.double(), fc.constantFrom(0, -0, 1, -1, Number.NaN)),
    shown: (value) => (Number.isFinite(value) ? Number(value) : String(value)),
    order: (value) => Number(value),
    filter: (value) => value,
  },
  bool: {
    type: () => new Bool(),
    value: fc.boolean(),
    shown: (value) => value === true,
    order: (value) => (value === true ? 1 : 0),
    filter: (value) => value,
  },
  text: {
    type: () => new Utf8(),
    value: word,
    shown: (value) => Buffer.from(String(value)).toString(),
    order: (value) => Buffer.from(String(value)),
    filter: (value) => value,
  },
  coded: {
    type: () => new Dictionary(new Utf8(), new Int32()),
    value: word,
    shown: (value) => Buffer.from(String(value)).toString(),
    order: (value) => Buffer.from(String(value)),
    filter: (value) => value,
  },
  micros: {
    type: () => new TimestampMicrosecond(),
    value: fc.oneof(
      fc.bigInt({ min: 0n, max: 4_000_000_000_000_000n }),
      fc.constantFrom(0n, 1n, 1_000_000n, 86_400_000_000n),
    ),
    shown: (value) => isoMicros(BigInt(String(value))),
    order: (value) => BigInt(String(value)),
    filter: (value) => isoMicros(BigInt(String(value))),
  },
};

function writeStream(columns: Readonly<Record<string, readonly unknown[]>>, cuts: readonly number[]): Buffer {
  const fields = Object.keys(columns).map((name) => new Field(name, kindOf(name).type(), true));
  const schema = new Schema(fields);
  const rows = Object.values(columns)[0]?.length ?? 0;
  const ends = [...new Set([...cuts.map((cut) => cut % (rows + 1)), rows])].sort((a, b) => a - b);
  // The library's timestamp builder takes milliseconds; the same memory with another type does not.
  const stored = fields.map(({ type }) => (type instanceof TimestampMicrosecond ? new Int64() : type));
  const builders = stored.map((type) => makeBuilder({ type, nullValues: [null] }));
  let from = 0;
  const batches = ends.map((end) => {
    const children = fields.map((field, at) => {
      const builder = builders[at];
      if (builder === undefined) throw new Error('a builder per field');
      for (const value of columns[field.name]?.slice(from, end) ?? []) builder.append(value);
      const data = builder.flush();
      if (!(field.type instanceof TimestampMicrosecond)) return data;
      const { length, nullCount, nullBitmap, values } = data;
      return makeData({ type: field.type, length, nullCount, nullBitmap, data: values });
    });
    const data = makeData({ type: new Struct(fields), length: end - from, nullCount: 0, children });
    from = end;
    return new RecordBatch(schema, data);
  });
  return Buffer.from(tableToIPC(new Table(schema, batches), 'stream'));
}

function kindOf(name: string): Kind {
  const kind = kinds[name];
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind;
}

type Row = Readonly<Record<string, unknown>>;

function compare(a: number | bigint | Buffer, b: number | bigint | Buffer): number {
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return Buffer.compare(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function passes(row: Row, { col, op, value, value2 }: Filter): boolean {
  const kind = kinds[String(col)];
  const cell = row[String(col)];
  if (kind === undefined || op === 'like') return true;
  if (op === 'is_null') return cell === null;
  if (op === 'not_null') return cell !== null;
  if (op === 'contains') {
    return cell !== null && String(kind.shown(cell)).toLowerCase().includes(String(value).toLowerCase());
  }
  if (Number.isNaN(value) || (op === 'between' && Number.isNaN(value2))) return true;
  if (cell === null) return false;
  if (Number.isNaN(cell)) return op === 'ne';
  const at = (other: unknown) => compare(kind.order(cell), kind.order(backFrom(String(col), other)));
  switch (op) {
    case 'eq':
      return at(value) === 0;
    case 'ne':
      return at(value) !== 0;
    case 'gt':
      return at(value) > 0;
    case 'ge':
      return at(value) >= 0;
    case 'lt':
      return at(value) < 0;
    case 'le':
      return at(value) <= 0;
    case 'between':
      return at(value) >= 0 && at(value2) <= 0;
    default:
      return true;
  }
}

/** A filter's value in its original form. */
function backFrom(name: string, value: unknown): unknown {
  if (name !== 'micros') return value;
  const [text = '', fraction = '0'] = String(value).split('.');
  return BigInt(Date.parse(`${text}Z`)) * 1000n + BigInt(fraction);
}

const names = Object.keys(kinds);
const cell = (name: string) => fc.option(kindOf(name).value, { nil: null, freq: 5 });
const rowArbitrary = fc.record(Object.fromEntries(names.map((name) => [name, cell(name)])));
const filterArbitrary: fc.Arbitrary<Filter> = fc.constantFrom(...names, 'nowhere').chain((col) =>
  fc.record({
    col: fc.constant(col),
    op: fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le', 'between', 'is_null', 'not_null', 'like'),
    value: kinds[col] === undefined ? fc.string() : kindOf(col).value.map(kindOf(col).filter),
    value2: kinds[col] === undefined ? fc.string() : kindOf(col).value.map(kindOf(col).filter),
  }),
);
const containsArbitrary: fc.Arbitrary<Filter> = fc.record({
  col: fc.constantFrom(...names),
  op: fc.constant('contains'),
  value: fc.oneof(word, fc.constantFrom('1', '0', '-', 'e', '2024', 'tr', 'T', '.')),
});

let built = 0;
test('[VA-7] pages of random tables equal the results of plain JavaScript', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        rows: fc.array(rowArbitrary, { maxLength: 60 }),
        cuts: fc.array(fc.nat(), { maxLength: 2 }),
        filters: fc.array(fc.oneof(filterArbitrary, containsArbitrary), { maxLength: 2 }),
        search: fc.option(fc.oneof(word, fc.constantFrom('1', 'a', '5', 'true', '19', 'nan')), { nil: '' }),
        sortBy: fc.option(fc.constantFrom(...names), { nil: null }),
        sortDir: fc.constantFrom('asc' as const, 'desc' as const),
        offset: fc.nat({ max: 10 }),
        limit: fc.nat({ max: 70 }),
      }),
      async ({ rows, cuts, filters, search, sortBy, sortDir, offset, limit }) => {
        built += 1;
        const path = join(dir, `${built}.arrow`);
        const columns = Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])]));
        writeFileSync(path, writeStream(columns, cuts));

        const display = (row: Row) =>
          names.map((name) => (row[name] === null ? null : kindOf(name).shown(row[name])));
        let expected: Row[] = rows.filter((row) => filters.every((filter) => passes(row, filter)));
        if (search !== '') {
          const needle = search.toLowerCase();
          expected = expected.filter((row) =>
            display(row).some((text) => text !== null && String(text).toLowerCase().includes(needle)),
          );
        }
        if (sortBy !== null) {
          const rank = (row: Row) => (row[sortBy] === null ? 2 : Number.isNaN(row[sortBy]) ? 1 : 0);
          const sign = sortDir === 'desc' ? -1 : 1;
          expected = expected.toSorted((a, b) => {
            if (rank(a) !== 0 || rank(b) !== 0) return rank(a) - rank(b);
            return sign * compare(kindOf(sortBy).order(a[sortBy]), kindOf(sortBy).order(b[sortBy]));
          });
        }

        const cache = new TableCache(1 << 24);
        const page = cache.page({ path, sha256: path, offset, limit, sortBy, sortDir, search, filters });
        expect(page).toEqual({
          pageable: true,
          columns: names,
          rows: expected.slice(offset, offset + limit).map(display),
          total: expected.length,
          offset,
          limit,
          sort_by: sortBy,
          sort_dir: sortDir,
        });

        const summary = await cache.summary({ path, sha256: path });
        expect(
          summary.pageable && summary.columns.map(({ name, nulls, distinct }) => ({ name, nulls, distinct })),
        ).toEqual(
          names.map((name) => {
            const present = rows.map((row) => row[name]).filter((value) => value !== null);
            const keys = present.map((value) => (value === 0 ? '0' : String(kindOf(name).shown(value))));
            return { name, nulls: rows.length - present.length, distinct: new Set(keys).size };
          }),
        );
        rmSync(path);
      },
    ),
    { numRuns: process.env['LONG'] === '1' ? 5000 : 150 },
  );
});

/** Large enough for radix sorting, partitions and the runtime's own search. */
test('[VA-7] a table of 70,000 rows is sorted, searched and counted as plain JavaScript does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('int32', 'int64', 'float64', 'text', 'coded', 'micros'),
      fc.integer(),
      async (name, seed) => {
        const count = 70_000;
        const few = fc.sample(kindOf(name).value, { seed, numRuns: 500 });
        const values = Array.from({ length: count }, (_, row) => {
          const pick = Math.imul(row ^ seed, 0x9e3779b1) >>> 0;
          if (pick % 17 === 0) return null;
          if (name === 'text' && pick % 3 !== 0) return `common prefix ${pick % 9973}`;
          if (name === 'float64' && pick % 3 !== 0) return pick / 7;
          return few[pick % few.length] ?? null;
        });
        built += 1;
        const path = join(dir, `${built}.arrow`);
        writeFileSync(path, writeStream({ [name]: values }, [20_000, 50_001]));
        const cache = new TableCache(1 << 28);
        const { order, shown } = kindOf(name);
        const keyed = values.map((value) => (value === null ? null : order(value)));
        const rank = (value: unknown) => (value === null ? 2 : Number.isNaN(value) ? 1 : 0);
        for (const sortDir of ['asc', 'desc'] as const) {
          const expected = keyed
            .map((_, row) => row)
            .sort((a, b) => {
              const [left, right] = [keyed[a] ?? null, keyed[b] ?? null];
              if (left === null || right === null || rank(left) + rank(right) > 0)
                return rank(left) - rank(right);
              return sortDir === 'asc' ? compare(left, right) : compare(right, left);
            })
            .map((row) => [values[row] === null ? null : shown(values[row])]);
          const page = cache.page({ path, sha256: path, offset: 0, limit: count, sortBy: name, sortDir });
          if (!page.pageable) throw new Error('pageable');
          expect(page.rows.findIndex((row, at) => row[0] !== expected[at]?.[0])).toBe(-1);
        }
        for (const needle of ['1', '99', 'prefix 9']) {
          const hits = values.filter(
            (value) => value !== null && String(shown(value)).toLowerCase().includes(needle),
          );
          const page = cache.page({ path, sha256: path, offset: 0, limit: 0, search: needle });
          expect([needle, page.pageable && page.total]).toEqual([needle, hits.length]);
        }
        const summary = await cache.summary({ path, sha256: path });
        const keys = values
          .filter((value) => value !== null)
          .map((value) => (value === 0 ? '0' : String(shown(value))));
        expect(summary.pageable && summary.columns[0]?.distinct).toBe(new Set(keys).size);
        rmSync(path);
      },
    ),
    { numRuns: process.env['LONG'] === '1' ? 60 : 4 },
  );
});
