import { expect, it } from 'vitest';
import { asksAt } from './pythonPlace.ts';

it.each([
  ['df.', true],
  ['df.gro', true],
  ['pri', true],
  ['df["', true],
  ["df.loc['a', '", true],
  ["df[['a', '", true],
  ['df[', true],
  ['x = [', false],
  ['x = "', false],
  ['x = "a.', false],
  ['# df.', false],
  ['x = 1.', false],
  ['x = 1', false],
  ['x1.', true],
  ['f("a").', true],
  ['x = "#" + df.', true],
])('[LS-5] requests completions after %j: %s', (before, wanted) => {
  expect(asksAt(before)).toBe(wanted);
});
