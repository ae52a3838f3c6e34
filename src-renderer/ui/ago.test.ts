import { expect, test } from 'vitest';
import { agoText } from './ago.ts';

test.each([
  [0, 'just now'],
  [59_000, 'just now'],
  [60_000, '1 minute ago'],
  [3 * 3_600_000, '3 hours ago'],
  [86_400_000, 'yesterday'],
  [14 * 86_400_000, '2 weeks ago'],
  [-5_000, 'just now'],
])('%i ms ago is “%s”', (passed, words) => {
  expect(agoText(1_000_000_000_000, 1_000_000_000_000 + passed)).toBe(words);
});
