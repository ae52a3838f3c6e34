import { expect, test } from 'vitest';
import { canSuggestAt, type LastSuggestion, remainingSuggestion } from './suggestion.ts';

test.each<[before: string, after: string, expected: boolean]>([
  ['total = ', '', true],
  ['total = sum(', ')', true],
  ['total = sum(', ')\nprint(1)', true],
  ['x', '', false],
  ['  \n ', '', false],
  ['total = ', 'rows', false],
  ['total = ', '\nrows', true],
])('[AG-103] a suggestion is requested at %j before %j: %s', (before, after, expected) => {
  expect(canSuggestAt({ before, after })).toBe(expected);
});

const LAST: LastSuggestion = { cellId: 'a', before: 'total = ', after: '', text: 'sum(rows)' };

test.each<[what: string, cellId: string, before: string, after: string, expected: string | null]>([
  ['nothing was typed', 'a', 'total = ', '', 'sum(rows)'],
  ['its beginning was typed', 'a', 'total = su', '', 'm(rows)'],
  ['all of it was typed', 'a', 'total = sum(rows)', '', null],
  ['something else was typed', 'a', 'total = m', '', null],
  ['text was removed', 'a', 'total ', '', null],
  ['the text after the caret has changed', 'a', 'total = ', ')', null],
  ['it was for another cell', 'b', 'total = ', '', null],
])('[AG-103] the last suggestion when %s', (_what, cellId, before, after, expected) => {
  expect(remainingSuggestion(LAST, cellId, { before, after })).toBe(expected);
});

test('[AG-103] without a last suggestion nothing remains', () => {
  expect(remainingSuggestion(null, 'a', LAST)).toBeNull();
});
