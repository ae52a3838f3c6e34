/**
 * Column statistics and grouped aggregates of stored tables, compared with expected values, the summary, and
 * plain JavaScript.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Bool,
  Decimal,
  Dictionary,
  Float64,
  Int32,
  Int64,
  Table,
  TimestampMicrosecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { TableCache } from '../service/tableCache.ts';

const dir = mkdtempSync(join(tmpdir(), 'table-facts-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Decimals with two places; the builder only accepts 32-bit words. */
function decimals(values: readonly number[]) {
  const words = values.map((value) =>
    Uint32Array.of(value, value < 0 ? -1 : 0, value < 0 ? -1 : 0, value < 0 ? -1 : 0),
  );
  return vectorFromArray(words, new Decimal(2, 10));
}

let files = 0;
function stored(columns: ConstructorParameters<typeof Table>[0]) {
  const path = join(dir, `${files++}.arrow`);
  writeFileSync(path, tableToIPC(new Table(columns as never), 'stream'));
  return { path, sha256: path };
}

const file = stored({
  f: vectorFromArray([1, 2, Number.NaN, null, 4, 2], new Float64()),
  i: vectorFromArray([2n ** 62n, 2n ** 62n, 1n, null, -1n, 5n], new Int64()),
  t: vectorFromArray(['b', 'a', 'b', null, '', 'Abc'], new Utf8()),
  c: vectorFromArray(['x', 'y', 'x', null, 'x', 'y'], new Dictionary(new Utf8(), new Int32())),
  b: vectorFromArray([true, false, true, null, true, true], new Bool()),
  s: vectorFromArray(
    [0, 1000, 2000, null, 500, 0].map((ms) => (ms === null ? null : new Date(ms))),
    new TimestampMicrosecond(),
  ),
} as never);

function factsOf(column: string, query: object = {}) {
  const answer = new TableCache(1 << 22).column({ ...file, column, find: '', most: 10, ...query });
  if (!answer.pageable || answer.column === null) throw new Error('no facts');
  return answer.column;
}

describe('[TB-3] the statistics of a column', () => {
  it.each<readonly [column: string, facts: object]>([
    [
      'f',
      {
        dtype: 'double',
        count: 5,
        nulls: 1,
        nans: 1,
        distinct: 4,
        moments: { sum: 9, mean: 2.25, std: Math.sqrt((1.5625 + 0.0625 * 2 + 3.0625) / 3) },
        top: [
          { value: 2, count: 2 },
          { value: 1, count: 1 },
          { value: 4, count: 1 },
        ],
        matching: 3,
      },
    ],
    [
      'i',
      {
        count: 5,
        nulls: 1,
        distinct: 4,
        top: [
          { value: '4611686018427387904', count: 2 },
          { value: -1, count: 1 },
          { value: 1, count: 1 },
          { value: 5, count: 1 },
        ],
      },
    ],
    [
      't',
      {
        count: 5,
        nans: 0,
        distinct: 4,
        moments: null,
        quantiles: [],
        bins: null,
        top: [
          { value: 'b', count: 2 },
          { value: '', count: 1 },
          { value: 'Abc', count: 1 },
          { value: 'a', count: 1 },
        ],
      },
    ],
    [
      'c',
      {
        distinct: 2,
        top: [
          { value: 'x', count: 3 },
          { value: 'y', count: 2 },
        ],
      },
    ],
    [
      'b',
      {
        distinct: 2,
        top: [
          { value: true, count: 4 },
          { value: false, count: 1 },
        ],
      },
    ],
    ['s', { distinct: 4, moments: null }],
  ])('of %s', (column, facts) => {
    expect(factsOf(column)).toMatchObject(facts);
  });

  it('interpolates quantiles of numbers, and takes the lower value of times', () => {
    const at = (column: string, q: number) => factsOf(column).quantiles.find((one) => one.q === q)?.value;
    expect([0, 0.25, 0.5, 1].map((q) => at('f', q))).toEqual([1, 1.75, 2, 4]);
    expect([0, 0.5, 1].map((q) => at('s', q))).toEqual([
      '1970-01-01T00:00:00',
      '1970-01-01T00:00:00.500000',
      '1970-01-01T00:00:02',
    ]);
  });

  it.each(['types', 'types_batches', 'dictionary_delta'])(
    'agree with the summary for every type (%s)',
    async (name) => {
      const path = fileURLToPath(new URL(`../fixtures/${name}.arrow`, import.meta.url));
      const cache = new TableCache(1 << 22);
      const summary = await cache.summary({ path, sha256: name });
      if (!summary.pageable) throw new Error(summary.reason);
      const facts = summary.columns.map(({ name: column }) => {
        const answer = cache.column({ path, sha256: name, column, find: '', most: 10 });
        if (!answer.pageable || answer.column === null) throw new Error(column);
        const { dtype, nulls, distinct, count } = answer.column;
        return { name: column, dtype, nulls, distinct, rows: count + nulls };
      });
      expect(facts).toEqual(
        summary.columns.map(({ min: _min, max: _max, ...rest }) => ({ ...rest, rows: summary.total })),
      );
    },
  );

  it('finds values by their text, and counts the matches', () => {
    const facts = factsOf('t', { find: 'A', most: 1 });
    expect(facts).toMatchObject({ top: [{ value: 'Abc', count: 1 }], matching: 2, distinct: 4 });
  });

  it('counts the rows of filters and search', () => {
    const filters = [{ col: 'c', op: 'eq', value: 'x' }];
    expect(factsOf('f', { filters })).toMatchObject({ count: 3, nulls: 0, nans: 1, distinct: 3 });
  });
});

function groupsOf(of: { path: string; sha256: string }, query: object) {
  return new TableCache(1 << 22).groups({
    ...of,
    by: [],
    measures: [],
    sort: null,
    offset: 0,
    limit: 100,
    ...query,
  });
}

const rows = { col: null, agg: 'rows' };

describe('[TB-4] groups and aggregates', () => {
  it.each<readonly [what: string, query: object, answer: readonly (readonly unknown[])[]]>([
    [
      'null is a separate group, the last',
      { by: ['c'], measures: [rows] },
      [
        ['x', 3],
        ['y', 2],
        [null, 1],
      ],
    ],
    ['without a key', { measures: [rows, { col: 'f', agg: 'count' }] }, [[6, 5]]],
    [
      'every aggregate',
      {
        by: ['c'],
        measures: (['sum', 'mean', 'min', 'max', 'median', 'distinct', 'count', 'std'] as const).map(
          (agg) => ({
            col: 'f',
            agg,
          }),
        ),
      },
      [
        ['x', 'NaN', 'NaN', 1, 4, 2.5, 3, 3, 'NaN'],
        ['y', 4, 2, 2, 2, 2, 1, 2, 0],
        [null, 0, null, null, null, null, 0, 0, null],
      ],
    ],
    [
      'integers are added exactly',
      {
        measures: [
          { col: 'i', agg: 'sum' },
          { col: 'i', agg: 'max' },
        ],
      },
      [[(2n ** 63n + 5n).toString(), '4611686018427387904']],
    ],
    [
      'maximum of texts, minimum of booleans',
      {
        measures: [
          { col: 't', agg: 'max' },
          { col: 'b', agg: 'min' },
        ],
      },
      [['b', false]],
    ],
    [
      'two keys',
      { by: ['c', 'b'], measures: [rows] },
      [
        ['x', true, 3],
        ['y', false, 1],
        ['y', true, 1],
        [null, null, 1],
      ],
    ],
    [
      'by an aggregate, without a value last',
      { by: ['c'], measures: [{ col: 'f', agg: 'median' }], sort: { at: 1, dir: 'desc' } },
      [
        ['x', 2.5],
        ['y', 2],
        [null, null],
      ],
    ],
    ['a page', { by: ['c'], offset: 1, limit: 1 }, [['y']]],
    [
      'of filtered rows',
      { by: ['c'], measures: [rows], filters: [{ col: 'f', op: 'ge', value: 2 }] },
      [
        ['x', 1],
        ['y', 2],
      ],
    ],
  ])('%s', (_what, query, answer) => {
    expect(groupsOf(file, query)).toMatchObject({ pageable: true, rows: answer });
  });

  it('adds decimals exactly', () => {
    const of = stored({ d: decimals([150, -25]) } as never);
    expect(
      groupsOf(of, {
        measures: [
          { col: 'd', agg: 'sum' },
          { col: 'd', agg: 'mean' },
        ],
      }),
    ).toMatchObject({
      rows: [['1.25', 0.625]],
    });
  });

  it.each([
    ['an unknown column', { by: ['no'] }, /There is no column 'no'/],
    ['a measure of an unknown column', { measures: [{ col: 'no', agg: 'sum' }] }, /There is no column 'no'/],
    [
      'a sum of texts',
      { measures: [{ col: 't', agg: 'sum' }] },
      /'sum' cannot be computed of the column 't'/,
    ],
  ])('refuses %s', (_what, query, reason) => {
    expect(groupsOf(file, query)).toMatchObject({
      pageable: 'refused',
      reason: expect.stringMatching(reason),
    });
  });

  it('refuses too many groups', () => {
    const of = stored({ i: vectorFromArray(new Int32Array(50_001).map((_none, at) => at)) } as never);
    expect(groupsOf(of, { by: ['i'] })).toMatchObject({
      reason: expect.stringMatching(/more than 50,000 groups/),
    });
  });

  it('groups like plain JavaScript', () => {
    const value = fc.option(fc.constantFrom(-1, 0, 0.5, 2), { nil: null });
    const key = fc.option(fc.constantFrom('a', 'b', ''), { nil: null });
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 30 }), (pairs) => {
        const of = stored({
          k: vectorFromArray(
            pairs.map(([k]) => k),
            new Utf8(),
          ),
          v: vectorFromArray(
            pairs.map(([, v]) => v),
            new Float64(),
          ),
        } as never);
        const measures = [
          rows,
          { col: 'v', agg: 'sum' },
          { col: 'v', agg: 'min' },
          { col: 'v', agg: 'distinct' },
        ];
        const plain = [...Map.groupBy(pairs, ([k]) => k)]
          .sort(([a], [b]) => Number(a === null) - Number(b === null) || (String(a) < String(b) ? -1 : 1))
          .map(([k, group]) => {
            const values = group.flatMap(([, v]) => v ?? []);
            const least = values.length === 0 ? null : Math.min(...values);
            return [
              k,
              group.length,
              values.reduce<number>((sum, v) => sum + v, 0),
              least,
              new Set(values).size,
            ];
          });
        expect(groupsOf(of, { by: ['k'], measures })).toMatchObject({ rows: plain });
      }),
      { numRuns: 60 },
    );
  });
});
