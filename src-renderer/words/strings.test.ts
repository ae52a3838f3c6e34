import { expect, test } from 'vitest';
import { bytesText, countText } from './strings.ts';

const ROWS: readonly (readonly [value: number, text: string])[] = [
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [12_345, '12,345'],
  [1_234_567, '1,234,567'],
  [-100, '-100'],
  [-1_000, '-1,000'],
  [1_234.5678, '1,234.568'],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, '∞'],
];
test.each(ROWS)('a count of %d is written %s', (value, text) => {
  expect(countText(value)).toBe(text);
});

const SIZES: readonly (readonly [bytes: number, text: string])[] = [
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [200_000_000, '200.0 MB'],
];
test.each(SIZES)('%d bytes are written %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test('integers are grouped as the platform groups them', () => {
  const grouped = new Intl.NumberFormat('en-US');
  for (let value = 1; value < Number.MAX_SAFE_INTEGER; value = value * 7 + 3) {
    expect(countText(value)).toBe(grouped.format(value));
    expect(countText(-value)).toBe(grouped.format(-value));
  }
});
