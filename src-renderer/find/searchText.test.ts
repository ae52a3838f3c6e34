import { expect, test } from 'vitest';
import type { FindOptions } from '../state/findStore.ts';
import { performSearch } from './searchTask.ts';
import type { Match, SearchText } from './searchText.ts';
import { MAX_MATCHES, patternOf, placesOf, replaceAll, replaceAt } from './searchText.ts';

const plain: FindOptions = { matchCase: false, wholeWord: false, regex: false };
const regex: FindOptions = { ...plain, regex: true };

function regexpOf(query: string, options: FindOptions): RegExp {
  const pattern = patternOf(query, options);
  if (pattern.kind !== 'pattern') throw new Error(`${query} is no pattern`);
  return pattern.regexp;
}

function findMatches(texts: readonly SearchText[], regexp: RegExp): readonly Match[] {
  const most = MAX_MATCHES;
  const task = { kind: 'find', regexp, texts: texts.map(({ text }) => text), most, mostEach: most } as const;
  return placesOf(texts, performSearch(task));
}

function found(text: string, query: string, options: FindOptions): string[] {
  const matches = findMatches([{ cellId: 'a', area: 'source', text }], regexpOf(query, options));
  return matches.map((match) => text.slice(match.start, match.end));
}

test.each<[string, string, FindOptions, string, string[]]>([
  ['any case', 'ab', plain, 'Ab aB cab', ['Ab', 'aB', 'ab']],
  ['this case', 'ab', { ...plain, matchCase: true }, 'Ab aB cab', ['ab']],
  ['whole words', 'ab', { ...plain, wholeWord: true }, 'ab cab ab_ (ab)', ['ab', 'ab']],
  ['whole words of any alphabet', 'été', { ...plain, wholeWord: true }, 'été étés', ['été']],
  ['special characters are literal', 'a.b(', plain, 'a.b( axb(', ['a.b(']],
  ['a special character as a whole word', '+=', { ...plain, wholeWord: true }, 'x += 1', ['+=']],
  ['over several lines', 'a\nb', plain, 'a\nb', ['a\nb']],
  ['regular', '^\\w+', regex, 'one two\nthree', ['one', 'three']],
  ['no empty matches', 'x*', regex, 'axxb', ['xx']],
])('[ED-6] finds %s', (_name, query, options, text, expected) => {
  expect(found(text, query, options)).toEqual(expected);
});

test('[ED-6] an invalid regular expression shows the reason', () => {
  expect(patternOf('(a', regex)).toEqual({ kind: 'wrong', problem: expect.stringMatching(/group/i) });
  expect(patternOf('', regex)).toEqual({ kind: 'nothing' });
});

test('[ED-6] a match has its line number', () => {
  const texts = [{ cellId: 'a', area: 'stdout' as const, text: 'x\n\nax x\n' }];
  const places = findMatches(texts, /x/gu).map(({ line, lines, nth }) => [line, lines, nth]);
  expect(places).toEqual([
    [0, 4, 0],
    [2, 4, 1],
    [2, 4, 2],
  ]);
});

test('[ED-6] counting stops at the limit', () => {
  const texts = [{ cellId: 'a', area: 'source' as const, text: 'a'.repeat(MAX_MATCHES * 2) }];
  expect(findMatches(texts, /a/gu)).toHaveLength(MAX_MATCHES);
});

test.each<[string, string, FindOptions, string, string, string]>([
  ['plain', 'a', plain, '$1', 'a A', '$1 $1'],
  ['groups', '(\\w)=(\\w)', regex, '$2=$1 $$ $& $3', 'a=b', 'b=a $ a=b $3'],
  ['nothing', 'x*', regex, '-', 'axb', 'a-b'],
])('[ED-6] replaces: %s', (_name, query, options, by, text, expected) => {
  const replacing = { regexp: regexpOf(query, options), by, groups: options.regex };
  expect(replaceAll(text, replacing)).toBe(expected);
});

test('[ED-6] a single match is replaced if it still exists', () => {
  const replacing = { regexp: /(a)/gu, by: '<$1>', groups: true };
  expect(replaceAt('a a a', 2, replacing)).toBe('a <a> a');
  expect(replaceAt('a a a', 3, replacing)).toBe('a a a');
});

test('[ED-6] counts the replacements in several texts', () => {
  const replacing = { regexp: /a/gu, by: 'b', groups: false };
  expect(performSearch({ kind: 'replaceAll', replacing, texts: ['a a', '', 'ca'] })).toEqual({
    texts: ['b b', '', 'cb'],
    count: 3,
  });
  const one = { kind: 'replaceAt', replacing, text: 'a a', start: 2 } as const;
  expect(performSearch(one)).toEqual({ text: 'a b', again: false });
  expect(performSearch({ ...one, replacing: { ...replacing, by: 'aa' } })).toEqual({
    text: 'a aa',
    again: true,
  });
});

test('[ED-6] limits matches in total and per text', () => {
  const texts = ['aaa', 'aaa'];
  const task = { kind: 'find', regexp: /a/gu, texts, most: 5, mostEach: 4 } as const;
  expect(performSearch(task).map((offsets) => offsets.length / 2)).toEqual([3, 2]);
  expect(performSearch({ ...task, mostEach: 1 }).map((offsets) => offsets.length / 2)).toEqual([1, 1]);
});
