import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from './lineDiff.ts';

const SIGN = { same: ' ', theirs: '-', mine: '+' };
const shown = (theirs: string, mine: string): string[] =>
  lineDiff(theirs, mine).map(({ kind, text }) => `${SIGN[kind]}${text}`);

test.each<[string, string, string, string[]]>([
  ['alike', 'a\nb', 'a\nb', [' a', ' b']],
  ['one line', 'a\nb\nc', 'a\nB\nc', [' a', '-b', '+B', ' c']],
  ['added', 'a', 'a\nb', [' a', '+b']],
  ['removed', 'a\nb', 'b', ['-a', ' b']],
  ['empty', '', 'a', ['-', '+a']],
  ['moved', 'a\nb\nc', 'b\nc\na', ['-a', ' b', ' c', '+a']],
])('two texts over each other: %s', (_name, theirs, mine, expected) => {
  expect(shown(theirs, mine)).toEqual(expected);
});

test('without one side, the other is whole', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (theirs, mine) => {
      const lines = lineDiff(theirs, mine);
      const without = (kind: string): string =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join('\n');
      expect(without('mine')).toBe(theirs);
      expect(without('theirs')).toBe(mine);
    }),
  );
});
