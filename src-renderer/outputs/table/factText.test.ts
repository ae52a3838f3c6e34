import { expect, test } from 'vitest';
import { factText } from './factText.ts';

test.each<[number, string]>([
  [0, '0'],
  [-999, '-999'],
  [1_234, '1,234'],
  [123_456_789_012, '123,456,789,012'],
  [-1_234.5, '-1,234.5'],
  [1_234_567.891, '1,234,567.9'],
  [0.1 + 0.2, '0.3'],
  [123_456_789_012.5, '123,456,790,000'],
  [1e21, '1e+21'],
  [-1.5e-9, '-1.5e-9'],
  [Number.NaN, 'NaN'],
  [Number.NEGATIVE_INFINITY, '-Infinity'],
])('[WI-410] %d is written %s', (value, text) => {
  expect(factText(value)).toBe(text);
});
