import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedRows, lineDiff } from './lineDiff.ts';

const SIGN = { same: ' ', before: '-', after: '+' };
const shown = (before: string, after: string): string[] =>
  lineDiff(before, after).map(({ kind, text }) => `${SIGN[kind]}${text}`);

test.each<[string, string, string, string[]]>([
  ['equal', 'a\nb', 'a\nb', [' a', ' b']],
  ['one line', 'a\nb\nc', 'a\nB\nc', [' a', '-b', '+B', ' c']],
  ['added', 'a', 'a\nb', [' a', '+b']],
  ['removed', 'a\nb', 'b', ['-a', ' b']],
  ['empty', '', 'a', ['-', '+a']],
  ['moved', 'a\nb\nc', 'b\nc\na', ['-a', ' b', ' c', '+a']],
])('the lines of two texts: %s', (_name, before, after, expected) => {
  expect(shown(before, after)).toEqual(expected);
});

test('without the lines of one side, the other text is complete', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      const without = (kind: string): string =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join('\n');
      // Except for the line break at its end, which is not a line.
      expect(without('after')).toBe(before.replace(/\n$/, ''));
      expect(without('before')).toBe(after.replace(/\n$/, ''));
    }),
  );
});

test.each<[string, string, string, string[]]>([
  ['nothing', 'a\nb', 'a\nb', []],
  ['a line break at the end is not a change', 'a\nb\n', 'a\nb', []],
  [
    'the lines around a change',
    '1\n2\n3\n4\n5\n6\n7',
    '1\n2\n3\nx\n5\n6\n7',
    ['… 2', ' 3', '-4', '+x', ' 5', '… 2'],
  ],
  ['no gap of one line', '1\n2\n3\n4\n5', '1\n2\nx\n4\n5', [' 1', ' 2', '-3', '+x', ' 4', ' 5']],
  [
    'a line between two changes',
    'a\n1\n2\n3\nb',
    'x\n1\n2\n3\ny',
    ['-a', '+x', ' 1', ' 2', ' 3', '-b', '+y'],
  ],
])('what is shown of a change: %s', (_name, before, after, expected) => {
  const rows = changedRows(lineDiff(before, after));
  expect(rows.map((row) => (row.kind === 'gap' ? `… ${row.lines}` : `${SIGN[row.kind]}${row.text}`))).toEqual(
    expected,
  );
});

test('texts that have nothing in common are shown one after the other, without a slow comparison', () => {
  const many = (word: string): string =>
    Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`).join('\n');
  const kinds = lineDiff(many('a'), many('b')).map(({ kind }) => kind);
  expect(kinds.indexOf('after')).toBe(20_000);
  expect(kinds.lastIndexOf('before')).toBe(19_999);
});
