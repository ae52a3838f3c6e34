import { describe, expect, it } from 'vitest';
import { caretAtOffset, caretBelowDirectives, offsetOfCaret } from './caret.ts';

describe('a place in a text', () => {
  it.each([
    ['', 0, 1, 1],
    ['ab', 0, 1, 1],
    ['ab', 2, 1, 3],
    ['ab\n', 3, 2, 1],
    ['ab\ncd\n\ne', 4, 2, 2],
    ['ab\ncd\n\ne', 6, 3, 1],
    ['🌧x', 2, 1, 3],
  ])('%j at %d is line %d, column %d, and back', (text, offset, line, column) => {
    expect(caretAtOffset(text, offset)).toEqual({ line, column });
    expect(offsetOfCaret(text, { line, column })).toBe(offset);
  });

  it.each([
    ['ab\ncd', 9, 9, 5],
    ['ab\ncd', 1, 9, 2],
    ['', 3, 3, 0],
  ])('%j has no line %d, column %d: the nearest place', (text, line, column, offset) => {
    expect(offsetOfCaret(text, { line, column })).toBe(offset);
  });
});

it.each([
  ['# @sql connection=memory\n', { line: 2, column: 1 }],
  ['# @sql connection=db\n# @timeout 5\n', { line: 3, column: 1 }],
  ['-- @sql connection=db\n', { line: 2, column: 1 }],
  ['# @sql connection=memory\nSELECT 1', null],
  ['# @sql connection=memory', null],
  ['# a comment\n', null],
  ['\n', null],
  ['', null],
])('[SQ-65] a text of only directives is continued below them: %j', (text, caret) => {
  expect(caretBelowDirectives(text)).toEqual(caret);
});
