import { expect, test } from 'vitest';
import { longHex } from './longHex.ts';

test.each([
  ['#fff', '#ffffff'],
  ['#1aF', '#11aaFF'],
  ['#12348', '#12348'],
  ['#0008', '#00000088'],
  ['#7a3e9d', '#7a3e9d'],
  ['rgb(1, 2, 3)', 'rgb(1, 2, 3)'],
  ['', ''],
])('%s as the editor reads it', (colour, long) => {
  expect(longHex(colour)).toBe(long);
});
