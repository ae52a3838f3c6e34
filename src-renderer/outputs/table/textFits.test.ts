import { expect, test } from 'vitest';
import { textFits } from './textFits.ts';

test.each<[string, number, boolean]>([
  ['', 0, true],
  ['12.50', 60, true],
  ['2024-01-01 00:00', 126, true],
  ['WWWWWWWWWW', 100, false],
  ['a'.repeat(20), 126, false],
  // The width of letters other than ASCII is not known.
  ['東', 100, false],
  ['é', 100, false],
  ['\t', 100, false],
])('%j within %d px: %s', (text, px, fits) => {
  expect(textFits(text, px, 12)).toBe(fits);
});
