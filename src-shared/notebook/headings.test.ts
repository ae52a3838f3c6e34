import { expect, test } from 'vitest';
import { headingsOf, withHeading } from './headings.ts';

test.each<[string, string, string[]]>([
  ['none', 'just words\n#no space\n####### seven\n#', []],
  ['levels and lines', '# One\ntext\n### Three ###', ['1 One 1', '3 Three 3']],
  ['Markdown marks are removed', '## The *new* `plan` of [Ada](x.md)', ['2 The new plan of Ada 1']],
  ['not in code', '```py\n# comment\n```\n# After', ['1 After 4']],
  ['a fence ends with its own mark', '````\n```\n# in\n````\n# out', ['1 out 5']],
  ['a fence may contain one of the other kind', '~~~\n# in\n```\n~~~\n# out', ['1 out 5']],
  ['a fence without end', '~~~\n# in', []],
  ['four spaces are code', '    # in\n   # out', ['1 out 2']],
])('headings: %s', (_name, source, expected) => {
  expect(headingsOf(source).map(({ level, text, line }) => `${level} ${text} ${line}`)).toEqual(expected);
});

test.each([
  ['words', 2, '## words'],
  ['# words\nmore', 3, '### words\nmore'],
  ['', 1, '# '],
])('%j as heading %i', (source, level, expected) => {
  expect(withHeading(source, level)).toBe(expected);
});
