import { expect, test } from 'vitest';
import { headingsOf, withHeading } from './headings.ts';

test('headings, but not those of code', () => {
  const source = '# One\ntext\n## Two ##\n```\n# no\n```\n~~~\n# no\n```\n~~~\n####### no\n#no\n### Three';
  expect(headingsOf(source)).toEqual([
    { level: 1, text: 'One', line: 1 },
    { level: 2, text: 'Two', line: 3 },
    { level: 3, text: 'Three', line: 13 },
  ]);
});

test.each([
  ['words', 2, '## words'],
  ['# words\nmore', 3, '### words\nmore'],
  ['', 1, '# '],
])('%j as heading %i', (source, level, expected) => {
  expect(withHeading(source, level)).toBe(expected);
});
