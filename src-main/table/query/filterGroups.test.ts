/** Filters with lists, patterns and nested groups, and sorting by several columns, on one small stored table. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DateDay,
  Dictionary,
  Float64,
  Int32,
  Int64,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { TableCache } from '../service/tableCache.ts';
import { compilePattern, PatternError, withinTime } from './pattern.ts';

const dir = mkdtempSync(join(tmpdir(), 'filter-groups-'));
const path = join(dir, 'table.arrow');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const day = (text: string) => new Date(`${text}T00:00:00Z`);
const columns = {
  f: vectorFromArray([0.5, -0, Number.NaN, null, 2, 0.5, 3, 1e300], new Float64()),
  i: vectorFromArray([1n, -1n, 0n, null, 2n ** 62n, 3n, 3n, 2n], new Int64()),
  t: vectorFromArray(['alpha', 'Beta', '', null, 'beta 2', 'a\tb', 'É1', 'x10'], new Utf8()),
  c: vectorFromArray(['a', 'b', 'a', null, 'c', 'b', 'a', 'c'], new Dictionary(new Utf8(), new Int32())),
  d: vectorFromArray(
    [
      '2024-01-01',
      '2024-01-02',
      '2024-01-03',
      null,
      '2024-01-01',
      '2025-01-01',
      '1969-12-31',
      '2024-01-02',
    ].map((text) => (text === null ? null : day(text))),
    new DateDay(),
  ),
};
writeFileSync(path, tableToIPC(new Table(columns), 'stream'));

function pageOf(query: object): { rows: number[]; page: Record<string, unknown> } {
  const cache = new TableCache(1 << 22);
  const ask = { path, sha256: 'groups', offset: 0, limit: 100 };
  const all = cache.page(ask);
  const page = cache.page({ ...ask, ...query });
  if (!all.pageable || !page.pageable) throw new Error('no table');
  const texts = all.rows.map((row) => JSON.stringify(row));
  return { rows: page.rows.map((row) => texts.indexOf(JSON.stringify(row))), page: { ...page } };
}

const ALL = [0, 1, 2, 3, 4, 5, 6, 7];

describe('[TB-1] conditions beyond the specification', () => {
  it.each<readonly [what: string, filters: readonly unknown[], rows: readonly number[]]>([
    ['values of doubles', [{ col: 'f', op: 'in', values: [0.5, 0, 'x'] }], [0, 1, 5]],
    [
      'none of the doubles; NaN is another value',
      [{ col: 'f', op: 'not_in', values: [0.5, 0] }],
      [2, 4, 6, 7],
    ],
    ['values of long integers', [{ col: 'i', op: 'in', values: ['4611686018427387904', 3, 1.5] }], [4, 5, 6]],
    ['none of the long integers', [{ col: 'i', op: 'not_in', values: [3, -1] }], [0, 2, 4, 7]],
    ['many doubles', [{ col: 'f', op: 'in', values: [0.5, 2, 9, 10, 11, 12] }], [0, 4, 5]],
    ['none of many doubles', [{ col: 'f', op: 'not_in', values: [0.5, 2, 9, 10, 11, 12] }], [1, 2, 6, 7]],
    [
      'many long integers',
      [{ col: 'i', op: 'in', values: ['4611686018427387904', 3, -1, 9, 8, 1.5] }],
      [1, 4, 5, 6],
    ],
    [
      'many days',
      [{ col: 'd', op: 'not_in', values: ['2024-01-01', '2024-01-02', 'x', 'y', 'z'] }],
      [2, 5, 6],
    ],
    ['values of texts', [{ col: 't', op: 'in', values: ['Beta', '', 'É1'] }], [1, 2, 6]],
    ['none of the texts', [{ col: 't', op: 'not_in', values: ['Beta', ''] }], [0, 4, 5, 6, 7]],
    ['values of categories', [{ col: 'c', op: 'in', values: ['a', 'none'] }], [0, 2, 6]],
    ['none of the categories', [{ col: 'c', op: 'not_in', values: ['a'] }], [1, 4, 5, 7]],
    ['values of days', [{ col: 'd', op: 'in', values: ['2024-01-01', '1969-12-31'] }], [0, 4, 6]],
    ['a list without a usable value is skipped', [{ col: 'i', op: 'in', values: ['x'] }], ALL],
    ['a fraction is not an integer', [{ col: 'i', op: 'in', values: [1.5] }], []],
    ['a value that is not a list is skipped', [{ col: 'i', op: 'in', values: 3 }], ALL],
    ['text that does not contain', [{ col: 't', op: 'not_contains', value: 'BETA' }], [0, 2, 5, 6, 7]],
    ['category that does not contain', [{ col: 'c', op: 'not_contains', value: 'A' }], [1, 4, 5, 7]],
    ['start', [{ col: 't', op: 'starts_with', value: 'BE' }], [1, 4]],
    ['end', [{ col: 't', op: 'ends_with', value: 'A' }], [0, 1]],
    ['start of a number', [{ col: 'i', op: 'starts_with', value: '-' }], [1]],
    ['a pattern anywhere', [{ col: 't', op: 'regex', value: '^[ab]' }], [0, 4, 5]],
    ['a pattern that ignores case', [{ col: 't', op: 'regex', value: '(?i)^b' }], [1, 4]],
    ['digits and spaces', [{ col: 't', op: 'regex', value: '[\\s]\\d$|a\\sb' }], [4, 5]],
    ['a pattern on categories', [{ col: 'c', op: 'regex', value: '[ab]' }], [0, 1, 2, 5, 6]],
    [
      'one of several',
      [
        {
          any: [
            { col: 'f', op: 'gt', value: 2 },
            { col: 't', op: 'is_null' },
          ],
        },
      ],
      [3, 6, 7],
    ],
    [
      'one of several, and another',
      [
        {
          any: [
            { col: 'c', op: 'eq', value: 'a' },
            { col: 'c', op: 'eq', value: 'b' },
          ],
        },
        { col: 'f', op: 'le', value: 0.5 },
      ],
      [0, 1, 5],
    ],
    [
      'all of a group within one of several',
      [
        {
          any: [
            {
              all: [
                { col: 'c', op: 'eq', value: 'a' },
                { col: 'f', op: 'ge', value: 1 },
              ],
            },
            { col: 'i', op: 'eq', value: -1 },
          ],
        },
      ],
      [1, 6],
    ],
    [
      'a group whose conditions cannot be used is skipped',
      [{ any: [{ col: 'no', op: 'eq', value: 1 }] }],
      ALL,
    ],
    [
      'what cannot be used is skipped in a group',
      [{ any: [{ col: 'no' }, { col: 'c', op: 'is_null' }] }],
      [3],
    ],
    ['an empty group is skipped', [{ any: [] }, { all: [] }], ALL],
  ])('%s', (_what, filters, rows) => {
    expect(pageOf({ filters }).rows).toEqual(rows);
  });

  it.each([
    ['(', /not a regular expression/],
    ['a(?=b)', /Look-around/],
    ['(?<!a)b', /Look-around/],
    ['(a)\\1', /back-references/],
    ['(?i)[', /not a regular expression/],
  ])('refuses the pattern %s', (pattern, why) => {
    expect(() => compilePattern(pattern)).toThrow(PatternError);
    expect(() => compilePattern(pattern)).toThrow(why);
  });

  it.each(['\\\\1', '\\(?=', '[(?]=', '\\p{L}+', '(?:a|b)', '(?<name>a)'])(
    'accepts the pattern %s',
    (pattern) => {
      expect(compilePattern(pattern)).toBeInstanceOf(RegExp);
    },
  );

  it('stops a pattern that takes too long', () => {
    const slow = compilePattern('^(a+)+$');
    expect(() => withinTime(() => void slow.test(`${'a'.repeat(60)}b`), 50)).toThrow(/takes too long/);
  });
});

describe('[TB-2] sorting by several columns', () => {
  it.each<readonly [what: string, sorts: readonly unknown[], rows: readonly number[]]>([
    [
      'the second decides among equals',
      [
        { col: 'c', dir: 'asc' },
        { col: 'f', dir: 'desc' },
      ],
      [6, 0, 2, 5, 1, 7, 4, 3],
    ],
    [
      'rows that are equal in all stay in their order',
      [
        { col: 'c', dir: 'desc' },
        { col: 'no', dir: 'asc' },
        { col: 'c', dir: 'asc' },
      ],
      [4, 7, 1, 5, 0, 2, 6, 3],
    ],
    ['no usable key', [{ col: 'no' }], ALL],
  ])('%s', (_what, sorts, rows) => {
    expect(pageOf({ sorts }).rows).toEqual(rows);
  });

  it('lists the applied sort keys only if several were requested', () => {
    const sorts = [{ col: 'c', dir: 'desc' }, { col: 'f' }];
    expect(pageOf({ sorts }).page).toMatchObject({
      sort_by: 'c',
      sort_dir: 'desc',
      sort: [
        { col: 'c', dir: 'desc' },
        { col: 'f', dir: 'asc' },
      ],
    });
    expect(pageOf({ sortBy: 'c', sortDir: 'desc' }).page).not.toHaveProperty('sort');
  });
});
