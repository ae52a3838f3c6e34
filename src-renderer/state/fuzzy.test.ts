import { expect, test } from 'vitest';
import { bestOf, fuzzyScore } from './fuzzy.ts';

test.each<[string, string[], string[]]>([
  ['run', ['Rerun all', 'Run cell', 'Stop what runs'], ['Run cell', 'Stop what runs', 'Rerun all']],
  ['ra', ['Run all', 'Narrate', 'Scroll'], ['Run all', 'Narrate']],
  ['all run', ['Run all', 'Stop all'], ['Run all']],
  ['dailyRain', ['daily_rain', 'dailyRain'], ['dailyRain']],
  ['dr', ['dailyRain', 'harder'], ['dailyRain']],
  ['été', ['un été chaud', 'ete'], ['un été chaud']],
  ['zz', ['Run'], []],
  ['', ['b', 'a'], ['b', 'a']],
])('%j of %j is %j', (query, all, expected) => {
  const best = bestOf(all, query, { textOf: (one) => one, most: 3 });
  expect(best.slice(0, expected.length)).toEqual(expected);
});

test('the whole text is the best answer', () => {
  expect(fuzzyScore('load', 'load')).toBeGreaterThan(fuzzyScore('load data', 'load'));
});
