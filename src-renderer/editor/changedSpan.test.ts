import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedSpan } from './changedSpan.ts';

test.each([
  ['a\nb\nc', 'a\nX\nc', { from: 2, to: 3, text: 'X' }],
  ['a\nb', '# new\na\nb', { from: 0, to: 0, text: '# new\n' }],
  ['aa', 'aaa', { from: 2, to: 2, text: 'a' }],
  ['same', 'same', { from: 4, to: 4, text: '' }],
])('%j to %j', (before, after, span) => {
  expect(changedSpan(before, after)).toEqual(span);
});

test('replacing the span produces the other text and never splits a character', () => {
  const text = fc.array(fc.constantFrom('a', '\r\n', '\n', '😀', '😁')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { from, to, text: piece } = changedSpan(before, after);
      expect(before.slice(0, from) + piece + before.slice(to)).toBe(after);
      expect([piece.isWellFormed(), before.slice(0, from).isWellFormed()]).toEqual([true, true]);
    }),
    { numRuns: 2_000 },
  );
});
