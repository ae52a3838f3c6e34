import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  DurationMillisecond,
  Field,
  Float16,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  makeBuilder,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimeNanosecond,
  TimeSecond,
  TimestampMicrosecond,
  TimestampNanosecond,
  tableToIPC,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { halfFloat } from '../columns/cellValue.ts';
import { TableCache } from '../service/tableCache.ts';
import { MAX_VALUES } from './commonValues.ts';
import type { ColumnDistribution } from './distribution.ts';
import { MAX_BINS } from './distributionBins.ts';

const dir = mkdtempSync(join(tmpdir(), 'spread-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const runs = { numRuns: process.env['LONG'] === '1' ? 3000 : 50 };

/** A column `x` in batches, with a second one that says whether a filter keeps the row. */
interface Made<T> {
  readonly values: readonly (T | null)[];
  readonly kept: readonly boolean[];
  readonly cuts: readonly number[];
}

function made<T>(value: fc.Arbitrary<T>, maxLength = 60): fc.Arbitrary<Made<T>> {
  const row = fc.record({ value: fc.option(value, { nil: null, freq: 6 }), kept: fc.boolean() });
  return fc
    .record({ rows: fc.array(row, { maxLength }), cuts: fc.array(fc.nat(), { maxLength: 2 }) })
    .map(({ rows, cuts }) => ({
      values: rows.map((one) => one.value),
      kept: rows.map((one) => one.kept),
      cuts: [...new Set([...cuts.map((cut) => cut % (rows.length + 1)), rows.length])].sort((a, b) => a - b),
    }));
}

let count = 0;

function written<T>(
  { values, kept, cuts }: Made<T>,
  type: DataType,
  dataOf: (part: readonly (T | null)[]) => Data,
): { readonly path: string; readonly sha256: string } {
  const schema = new Schema([new Field('x', type, true), new Field('kept', new Bool(), false)]);
  let from = 0;
  const batches = cuts.map((end) => {
    const marks = makeBuilder({ type: new Bool() });
    for (const one of kept.slice(from, end)) marks.append(one);
    const children = [dataOf(values.slice(from, end)), marks.flush()];
    const length = end - from;
    from = end;
    return new RecordBatch(
      schema,
      makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }),
    );
  });
  count += 1;
  const path = join(dir, `${count}.arrow`);
  writeFileSync(path, tableToIPC(new Table(schema, batches), 'stream'));
  return { path, sha256: path };
}

const keptOnly = [{ col: 'kept', op: 'eq', value: true }];

/** The spread of all rows, then of the kept ones, each with its values. */
function spreadsOf<T>(
  table: Made<T>,
  file: { readonly path: string; readonly sha256: string },
): {
  readonly column: ColumnDistribution;
  readonly values: readonly (T | null)[];
  readonly cache: TableCache;
}[] {
  const cache = new TableCache(1 << 24);
  return [false, true].map((narrowed) => {
    const distributions = cache.distributions({ ...file, filters: narrowed ? keptOnly : [] });
    const [column] = distributions.pageable ? distributions.columns : [];
    if (column === undefined) throw new Error('a column');
    const values = table.values.filter((_value, row) => !narrowed || table.kept[row]);
    expect(distributions.pageable && distributions.total).toBe(values.length);
    expect([column.name, column.nulls]).toEqual(['x', values.filter((value) => value === null).length]);
    return { column, values, cache };
  });
}

/** Little-endian, in Arrow's memory layout. */
function packed(type: DataType, size: number, part: readonly (bigint | null)[]): Data {
  const bytes = Buffer.alloc(part.length * size);
  part.forEach((value, row) => {
    for (let at = 0; at < size; at += 1)
      bytes[row * size + at] = Number(((value ?? 7n) >> BigInt(at * 8)) & 255n);
  });
  const data = new type.ArrayType(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return numbersData(type, { length: part.length, data, ...nullsOf(part) });
}

/** The library has no type for the memory of any numeric type. */
function numbersData(
  type: DataType,
  memory: { length: number; data: Int64['TArray']; nullCount: number; nullBitmap: Uint8Array },
): Data {
  return makeData({ ...memory, type: type as Int64 }); // all types used here differ only in their width
}

function nullsOf(part: readonly unknown[]): { nullCount: number; nullBitmap: Uint8Array } {
  const nullBitmap = new Uint8Array(Math.ceil(part.length / 8) + 1);
  part.forEach((value, row) => {
    if (value !== null) nullBitmap[row >> 3] = (nullBitmap[row >> 3] ?? 0) | (1 << (row & 7));
  });
  return { nullCount: part.filter((value) => value === null).length, nullBitmap };
}

const bits = (size: number, signed: boolean): fc.Arbitrary<bigint> => {
  const [min, max] = signed
    ? [-(1n << BigInt(size - 1)), (1n << BigInt(size - 1)) - 1n]
    : [0n, (1n << BigInt(size)) - 1n];
  const near = (end: bigint) =>
    fc.bigInt({ min: end > 0n ? end - 40n : end, max: end > 0n ? end : end + 40n });
  return fc.oneof(fc.bigInt({ min, max }), near(max), near(min), fc.bigInt({ min: 0n, max: 90n }));
};
const stepped = (step: bigint, most: bigint) =>
  fc.bigInt({ min: 0n, max: most }).map((steps) => steps * step);
const DAY_NS = 86_400_000_000_000n;
const stamp = (perDay: bigint) =>
  fc.oneof(stepped(perDay, 20_000n), stepped(1n, 20_000n * perDay), stepped(perDay / 24n, 100n));

const counts: readonly (readonly [name: string, () => DataType, size: number, fc.Arbitrary<bigint>])[] = [
  ['int8', () => new Int8(), 1, bits(8, true)],
  ['int16', () => new Int16(), 2, bits(16, true)],
  ['int32', () => new Int32(), 4, bits(32, true)],
  ['int64', () => new Int64(), 8, bits(64, true)],
  ['uint8', () => new Uint8(), 1, bits(8, false)],
  ['uint16', () => new Uint16(), 2, bits(16, false)],
  ['uint32', () => new Uint32(), 4, bits(32, false)],
  ['uint64', () => new Uint64(), 8, bits(64, false)],
  ['decimal128', () => new Decimal(2, 38, 128), 16, bits(120, true)],
  ['decimal256', () => new Decimal(2, 60, 256), 32, bits(190, true)],
  ['date32', () => new DateDay(), 4, stepped(1n, 20_000n)],
  ['date64', () => new DateMillisecond(), 8, stepped(86_400_000n, 20_000n)],
  ['time32', () => new TimeSecond(), 4, stepped(1n, 86_399n)],
  ['time64', () => new TimeNanosecond(), 8, stepped(1n, DAY_NS - 1n)],
  ['timestamp, us', () => new TimestampMicrosecond(), 8, stamp(DAY_NS / 1000n)],
  ['timestamp, ns', () => new TimestampNanosecond(), 8, stamp(DAY_NS)],
  ['duration', () => new DurationMillisecond(), 8, bits(40, true)],
];

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}

/** Rows per bin, computed in the simplest way. Exact if a double holds every distance. */
function countsOf(values: readonly bigint[]): { readonly rows: number[]; readonly exact: boolean } {
  const least = values.reduce((a, b) => (b < a ? b : a));
  const most = values.reduce((a, b) => (b > a ? b : a));
  const span = most - least;
  const exact = span <= BigInt(Number.MAX_SAFE_INTEGER);
  const step = values.reduce((so, value) => divisor(so, value - least), 0n) || 1n;
  const perBin = (span / step + BigInt(MAX_BINS)) / BigInt(MAX_BINS);
  const bins = exact ? Number(span / step / perBin) + 1 : MAX_BINS;
  const rows = new Array<number>(bins).fill(0);
  for (const value of values) {
    const at = exact
      ? Number((value - least) / (step * perBin))
      : Math.min(MAX_BINS - 1, Math.floor((Number(value - least) / Number(span)) * MAX_BINS));
    rows[at] = (rows[at] ?? 0) + 1;
  }
  return { rows, exact };
}

describe('[VA-35] the distribution of a column’s values', () => {
  it.each(counts)('%s', (_name, type, size, value) => {
    fc.assert(
      fc.property(made(value), (table) => {
        const file = written(table, type(), (part) => packed(type(), size, part));
        for (const { column, values, cache } of spreadsOf(table, file)) {
          const present = values.filter((one) => one !== null);
          if (present.length === 0) {
            expect(column.spread).toEqual({ kind: 'none' });
            continue;
          }
          if (column.spread.kind !== 'bins') throw new Error(column.spread.kind);
          const { bins } = column.spread;
          const expected = countsOf(present);
          expect(bins.map((bin) => bin.count)).toEqual(expected.rows);
          const filters = values.length === table.values.length ? [] : keptOnly;
          const page = cache.page({ ...file, filters, sortBy: 'x', offset: 0, limit: 100 });
          const shown = page.pageable ? page.rows.map(([x]) => x) : [];
          expect([bins[0]?.from, bins.at(-1)?.to]).toEqual([shown[0], shown[present.length - 1]]);
          if (!expected.exact) continue;
          // A bin includes its ends, so a filter by them finds the rows it counts.
          for (const { from, to, count: rows } of bins) {
            const between = { col: 'x', op: 'between', value: from, value2: to };
            const hits = cache.page({ ...file, filters: [...filters, between], offset: 0, limit: 0 });
            expect([from, to, hits.pageable && hits.total]).toEqual([from, to, rows]);
          }
        }
        rmSync(file.path);
      }),
      runs,
    );
  });

  const half = fc.integer({ min: 0, max: 0xffff });
  const double = fc.oneof(
    fc.double(),
    fc.constantFrom(0, -0, 1, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324),
    fc.integer({ min: 1990, max: 2024 }),
    fc.integer({ min: -9, max: 9 }).map((tenths) => tenths / 10),
  );
  const floats: readonly (readonly [string, DataType, fc.Arbitrary<number>, (stored: number) => number])[] = [
    ['half floats', new Float16(), half, halfFloat],
    ['floats', new Float32(), double.map(Math.fround), Math.fround],
    ['doubles', new Float64(), double, (stored) => stored],
    ['doubles that are years', new Float64(), fc.integer({ min: 1900, max: 2024 }), (stored) => stored],
  ];
  it.each(floats)('%s', (_name, type, value, read) => {
    fc.assert(
      fc.property(made(value), (table) => {
        const file = written(table, type, (part) => {
          const data = type.ArrayType.from(part.map((one) => one ?? 3));
          return numbersData(type, { length: part.length, data, ...nullsOf(part) });
        });
        for (const { column, values } of spreadsOf(table, file)) {
          const present = values
            .filter((one) => one !== null)
            .map(read)
            .filter(Number.isFinite);
          if (present.length === 0) {
            expect(column.spread).toEqual({ kind: 'none' });
            continue;
          }
          if (column.spread.kind !== 'bins') throw new Error(column.spread.kind);
          const { bins } = column.spread;
          const [low, high] = [Math.min(...present), Math.max(...present)];
          expect([Number(bins[0]?.from) === low, Number(bins.at(-1)?.to) === high]).toEqual([true, true]);
          expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(present.length);
          const span = high / 2 - low / 2;
          const onGrid = (one: number) => Number.isInteger(one - low) && low + (one - low) === one;
          if (high - low <= Number.MAX_SAFE_INTEGER && present.every(onGrid)) {
            expect(bins.map((bin) => bin.count)).toEqual(
              countsOf(present.map((one) => BigInt(one - low))).rows,
            );
          } else if (span > 1e-300) {
            expect(bins).toHaveLength(MAX_BINS);
            bins.forEach((bin, at) => {
              // By the reported ends, except for values on a boundary.
              const slack = (high / 2 - low / 2) * 1e-12 + Math.max(Math.abs(low), Math.abs(high)) * 1e-15;
              const [from, to] = [Number(bin.from), Number(bin.to)];
              const sure = present.filter((one) => one > from + slack && one < to - slack).length;
              const maybe = present.filter((one) => one >= from - slack && one <= to + slack).length;
              expect([at, bin.count >= sure, bin.count <= maybe]).toEqual([at, true, true]);
            });
          }
        }
        rmSync(file.path);
      }),
      runs,
    );
  });

  const word = fc.oneof(
    fc.constantFrom('rain', 'sun', '', 'é', '😀', 'x'.repeat(300), `${'x'.repeat(198)}😀😀`),
    fc.string({ maxLength: 2 }),
  );
  const named: readonly (readonly [string, () => DataType, fc.Arbitrary<unknown>])[] = [
    ['texts', () => new Utf8(), word],
    ['truths', () => new Bool(), fc.boolean()],
    ['categories', () => new Dictionary(new Utf8(), new Int32()), word],
    ['coded numbers', () => new Dictionary(new Int32(), new Int32()), fc.integer({ min: -4, max: 15 })],
  ];
  it.each(named)('%s', (_name, type, value) => {
    fc.assert(
      fc.property(made(value), (table) => {
        const builder = makeBuilder({ type: type(), nullValues: [null] });
        const file = written(table, builder.type, (part) => {
          for (const one of part) builder.append(one);
          return builder.flush();
        });
        for (const { column, values } of spreadsOf(table, file)) {
          const present = values.filter((one) => one !== null);
          const rows = new Map<unknown, number>();
          for (const one of present) {
            const text = typeof one === 'string' ? Buffer.from(one).toString() : one;
            rows.set(text, (rows.get(text) ?? 0) + 1);
          }
          const many = rows.size > MAX_VALUES && rows.size * 2 > present.length;
          if (rows.size === 0 || many) {
            expect(column.spread).toEqual({ kind: 'none' });
            continue;
          }
          const sorted = [...rows].sort(
            ([a, ofA], [b, ofB]) => ofB - ofA || (String(a) < String(b) ? -1 : 1),
          );
          const top = sorted.slice(0, MAX_VALUES);
          expect(column.spread).toEqual({
            kind: 'values',
            values: top.map(([one, hits]) => ({ value: short(one), count: hits })),
            others: present.length - top.reduce((sum, [, hits]) => sum + hits, 0),
          });
        }
        rmSync(file.path);
      }),
      runs,
    );
  });

  function short(value: unknown): unknown {
    if (typeof value !== 'string' || value.length <= 200) return value;
    const start = value.slice(0, 199);
    return `${start.isWellFormed() ? start : start.slice(0, -1)}…`;
  }

  it.each<[string, readonly number[], string]>([
    ['integers from 1 to 5', [1, 5, 2, 2, 4, 3], '1 1, 2 2, 3 1, 4 1, 5 1'],
    ['one value', [7, 7, 7], '7 3'],
    [
      'thirty in a row, fewer bins than values',
      Array.from({ length: 30 }, (_none, at) => at),
      Array.from({ length: 15 }, (_none, at) => `${at * 2}–${at * 2 + 1} 2`).join(', '),
    ],
    ['values rounded to tens', [0, 10, 10, 30], '0 1, 10 2, 20 0, 30 1'],
    ['zeros of both signs', [0, -0, 1], '0 2, 1 1'],
    ['the ends of all doubles', [-Number.MAX_VALUE, 0, Number.MAX_VALUE], 'bins 24: 1 … 1 … 1'],
  ])('%s', (_name, values, expected) => {
    const table = { values, kept: values.map(() => true), cuts: [values.length] };
    const file = written(table, new Float64(), (part) =>
      makeData({ type: new Float64(), length: part.length, data: Float64Array.from(part.map(Number)) }),
    );
    const [found] = spreadsOf(table, file);
    const bins = found?.column.spread.kind === 'bins' ? found.column.spread.bins : [];
    const ends = (from: unknown, to: unknown) => (from === to ? String(from) : `${from}–${to}`);
    const words = bins.map(({ from, to, count: rows }) => `${ends(from, to)} ${rows}`).join(', ');
    const counts = bins.map((bin) => bin.count).filter((rows) => rows > 0);
    expect(expected.startsWith('bins') ? `bins ${bins.length}: ${counts.join(' … ')}` : words).toBe(expected);
  });

  it('none for lists, and none if every text is distinct', () => {
    const values = Array.from({ length: 6000 }, (_none, at) => `value ${at}`);
    const table = { values, kept: values.map(() => true), cuts: [2000, 6000] };
    const file = written(table, new Utf8(), (part) => {
      const builder = makeBuilder({ type: new Utf8() });
      for (const one of part) builder.append(one);
      return builder.flush();
    });
    const [found] = spreadsOf(table, file);
    expect(found?.column.spread).toEqual({ kind: 'none' });
    const types = new TableCache(1 << 20).distributions({
      path: new URL('../fixtures/types.arrow', import.meta.url).pathname,
      sha256: 'types',
    });
    const kinds = types.pageable ? types.columns.map(({ name, spread }) => [name, spread.kind]) : [];
    expect(Object.fromEntries(kinds)).toMatchObject({
      list: 'none',
      struct: 'none',
      bytes: 'none',
      null: 'none',
    });
  });
});
