import { expect, test } from 'vitest';
import { linesOf } from './offscreenCell.ts';

test.each<[string, number]>([
  ['', 1],
  ['a', 1],
  ['a\n', 1],
  ['\n', 1],
  ['\n\n', 2],
  ['a\nb', 2],
  ['a\n\nb\n', 3],
])('lines of %j', (text, lines) => {
  expect(linesOf(text)).toBe(lines);
});
