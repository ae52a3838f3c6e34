import { expect, test } from 'vitest';
import { conditionWords } from './conditionWords.ts';
import type { Condition, TableQuery } from './tableQuery.ts';
import {
  filterOf,
  isNarrowed,
  isPlain,
  nextSort,
  plainQuery,
  queryParams,
  sortOf,
  withFilter,
  withSort,
} from './tableQuery.ts';

const one = { col: 'km', op: 'gt', value: 5 } as const;
const group: Condition = { any: [one, { col: 'station', op: 'is_null' }] };

test.each<readonly [query: Partial<TableQuery>, params: object]>([
  [{}, {}],
  [{ sorts: [{ column: 'km', dir: 'desc' }] }, { sort_by: 'km', sort_dir: 'desc' }],
  [
    {
      sorts: [
        { column: 'km', dir: 'desc' },
        { column: 'at', dir: 'asc' },
      ],
    },
    { sort: '[{"col":"km","dir":"desc"},{"col":"at","dir":"asc"}]' },
  ],
  [
    { search: 'x', filters: [group] },
    { search: 'x', filters: JSON.stringify([group]) },
  ],
])('[TB-2] %j is sent as %j', (query, params) => {
  expect(queryParams({ ...plainQuery, ...query })).toEqual(params);
});

test('[TB-2] a header cycles through the sort directions, alone or with the other keys', () => {
  const alone = [1, 2, 3].reduce<TableQuery[]>(
    (all) => [...all, nextSort(all.at(-1) ?? plainQuery, 'km', false)],
    [],
  );
  expect(alone.map((query) => sortOf(query, 'km')?.dir)).toEqual(['asc', 'desc', undefined]);
  const both = nextSort(nextSort(plainQuery, 'km', false), 'at', true);
  expect(both.sorts).toEqual([
    { column: 'km', dir: 'asc' },
    { column: 'at', dir: 'asc' },
  ]);
  expect(nextSort(both, 'km', true).sorts[0]).toEqual({ column: 'km', dir: 'desc' });
  expect(withSort(both, 'km', { dir: null, also: true }).sorts).toEqual([{ column: 'at', dir: 'asc' }]);
  expect(nextSort(both, 'at', false).sorts).toEqual([{ column: 'at', dir: 'desc' }]);
});

test('a header changes its own condition, and leaves groups of conditions alone', () => {
  const query = withFilter({ ...plainQuery, filters: [group] }, 'km', one);
  expect(query.filters).toEqual([group, one]);
  expect(filterOf(query, 'km')).toBe(one);
  expect(withFilter(query, 'km', { ...one, value: 6 }).filters).toEqual([group, { ...one, value: 6 }]);
  expect(withFilter(query, 'km', null).filters).toEqual([group]);
  expect([isNarrowed(query), isPlain(query), isPlain(plainQuery)]).toEqual([true, false, true]);
});

test.each<readonly [Condition, string]>([
  [one, 'km > 5'],
  [group, 'km > 5 or station is null'],
  [{ col: 'km', op: 'between', value: 1, value2: 2 }, 'km between 1 and 2'],
  [{ col: 's', op: 'in', values: ['a', '', 'c', 'd', 'e'] }, 's in a, empty text, c and 2 more'],
  [{ col: '__index_level_0__', op: 'not_null' }, 'index is not null'],
])('%j reads as %s', (condition, words) => {
  expect(conditionWords(condition)).toBe(words);
});
