import { expect, test } from 'vitest';
import { barsOf, rangeText } from './distribution.ts';

test.each<[unknown, unknown, string]>([
  [1, 1, '1'],
  [12.345678, 12.345678, '12.346'],
  [12.32, 14.51, '12.3 – 14.5'],
  [0.4, 13.12, '0.4 – 13.1'],
  [1234.5, 2345.6, '1235 – 2346'],
  [0.1, 0.1458333333, '0.1 – 0.146'],
  [1013.21, 1013.24, '1013.21 – 1013.24'],
  [-1.25, 0, '-1.3 – 0'],
  [100, 119, '100 – 119'],
  [2.5e300, 4.5e307, '2.5e+300 – 4.5e+307'],
  [1e-9, 3e-9, '1e-9 – 3e-9'],
  ['9223372036854775807', '9223372036854775807', '9223372036854775807'],
  ['0.10', '0.99', '0.10 – 0.99'],
  ['2024-01-01T00:00:00', '2024-01-01T00:00:00', '2024-01-01'],
  ['2024-01-01T00:00:00', '2024-01-02T00:00:00', '2024-01-01 – 2024-01-02'],
  ['2024-01-01', '2024-03-01', '2024-01-01 – 2024-03-01'],
  ['2024-01-01T10:00:00.5', '2024-01-04T02:00:00', '2024-01-01 – 2024-01-04'],
  ['2024-01-01T10:00:00+01:00', '2024-01-02T02:30:00+01:00', '2024-01-01 10:00 – 2024-01-02 02:30'],
  ['2024-01-01T10:00:00', '2024-01-01T12:30:10', '2024-01-01 10:00 – 12:30'],
  ['2024-01-01T10:00:01', '2024-01-01T10:00:05.25', '2024-01-01 10:00:01 – 10:00:05'],
  ['1 day, 2:00:00', '1 day, 3:00:00', '1 day, 2:00:00 – 1 day, 3:00:00'],
])('the range from %j to %j', (from, to, words) => {
  expect(rangeText(from, to)).toBe(words);
});

const base = { name: 'a', nulls: 0 };

test('[WI-251] a bar’s label has its value, its count and its share of the rows', () => {
  const bins = [
    { from: 0, to: 4, count: 1_200 },
    { from: 5, to: 9, count: 0 },
  ];
  expect(barsOf({ ...base, spread: { kind: 'bins', bins } }, 1_200)).toEqual([
    { count: 1_200, words: '0 – 4 · 1,200', rest: false },
    { count: 0, words: '5 – 9 · 0', rest: false },
  ]);
  const values = [
    { value: 'rain', count: 641 },
    { value: '', count: 2 },
    { value: 'a text that is far too\nlong for a label', count: 1 },
    { value: false, count: 1 },
  ];
  const named = barsOf({ ...base, spread: { kind: 'values', values, others: 812 } }, 1_457);
  expect(named.map(({ words }) => words)).toEqual([
    'rain · 641 (44 %)',
    'empty text · 2 (<1 %)',
    'a text that is far too … · 1 (<1 %)',
    'false · 1 (<1 %)',
    'other values · 812 (56 %)',
  ]);
  expect(named.map(({ rest }) => rest)).toEqual([false, false, false, false, true]);
  expect(barsOf({ ...base, spread: { kind: 'none' } }, 5)).toEqual([]);
});
