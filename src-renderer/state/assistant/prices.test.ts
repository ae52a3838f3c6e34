import { expect, test } from 'vitest';
import { costOf, pricesIn } from './prices.ts';

test.each<[text: string, models: Record<string, [number, number]>, wrong: string[]]>([
  ['', {}, []],
  ['small-1 3 15', { 'small-1': [3, 15] }, []],
  [' a 0.5 1.25 ; b 0 0;\nc/d:8b 1 2 ', { a: [0.5, 1.25], b: [0, 0], 'c/d:8b': [1, 2] }, []],
  ['a 1 2; a 3 4', { a: [3, 4] }, []],
  ['a; b 1; c x y; d -1 2; e 1 2 3', {}, ['a', 'b 1', 'c x y', 'd -1 2', 'e 1 2 3']],
])('[AG-110] the table %j', (text, models, wrong) => {
  const table = pricesIn(text);
  const read = [...table.byModel].map(([model, { input, output }]) => [model, [input, output]]);
  expect(Object.fromEntries(read)).toEqual(models);
  expect(table.wrong).toEqual(wrong);
});

test('[AG-110] the cost of tokens, if the model is in the table', () => {
  const table = pricesIn('small-1 3 15');
  expect(costOf(table, 'small-1', { input: 2_000_000, output: 100_000 })).toBe(7.5);
  expect(costOf(table, 'other', { input: 1, output: 1 })).toBeNull();
  expect(costOf(table, null, { input: 1, output: 1 })).toBeNull();
});
