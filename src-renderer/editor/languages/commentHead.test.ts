import { expect, it } from 'vitest';
import { commentHead } from './commentHead.ts';

it.each<[string, string, [number, number], string | null]>([
  ['the first line', '@model x\nSay {{ a }}', [1, 1], '# @model x\nSay {{ a }}'],
  ['a comment becomes text again', '# @model x\nSay', [1, 1], '@model x\nSay'],
  ['the line below the comments', '# @model x\n\nSay', [3, 3], '# @model x\n\n# Say'],
  ['several lines, one of them a comment', '# a\nb\n\nc', [1, 2], '# # a\n# b\n\nc'],
  ['several comments', '# a\n  #b\nc', [1, 2], 'a\n  b\nc'],
  ['a line in the text is sent whatever precedes it', 'Say\nmore', [2, 2], null],
  ['an empty line', '\nSay', [1, 1], null],
])('[ED-60] the comment key in a prompt: %s', (_name, text, [first, last], wanted) => {
  expect(commentHead(text.split('\n'), { first, last })?.join('\n') ?? null).toBe(wanted);
});
