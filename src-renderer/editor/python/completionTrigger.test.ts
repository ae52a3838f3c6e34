import { expect, it } from 'vitest';
import { requestsCompletionsAt } from './completionTrigger.ts';

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
  expect(requestsCompletionsAt(before)).toBe(wanted);
});
