import { expect, test } from 'vitest';
import { findInJson } from './findInJson.ts';

const value = { rides: 12, stations: { busiest: ['Part-Dieu', 'Gerland'], 'two words': null }, list: [[1]] };

test.each<[string, string[]]>([
  ['part', ['stations.busiest[0]']],
  ['STATIONS', ['stations']],
  ['null', ['stations["two words"]']],
  ['12', ['rides']],
  ['words', ['stations["two words"]']],
  ['nowhere', []],
])('%s is located at %j', (needle, paths) => {
  expect(findInJson(value, needle, 10).map((hit) => hit.path)).toEqual(paths);
});

test('a search stops at the limit', () => {
  expect(findInJson(Array(1_000).fill('x'), 'x', 3).map((hit) => hit.path)).toEqual(['[0]', '[1]', '[2]']);
});
