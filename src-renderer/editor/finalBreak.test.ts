import { expect, test } from 'vitest';
import { editedText, withoutFinalBreak } from './finalBreak.ts';

test.each<[text: string, shown: string]>([
  ['', ''],
  ['\n', ''],
  ['a', 'a'],
  ['a\n', 'a'],
  ['a\r\n', 'a'],
  ['a\n\n', 'a\n'],
  ['a\nb\n', 'a\nb'],
  ['\na', '\na'],
])('[ED-105] %j is shown as %j', (text, shown) => {
  expect(withoutFinalBreak(text)).toBe(shown);
});

test.each<[what: string, steps: readonly (readonly [stored: string, shown: string])[]]>([
  [
    'a final line break stays below what is typed',
    [
      ['a\n', 'a'],
      ['ab\n', 'ab'],
      ['ab\n\n', 'ab\n'],
    ],
  ],
  [
    'a final line break that is typed is shown',
    [
      ['a', 'a'],
      ['a\n', 'a\n'],
      ['a\nb', 'a\nb'],
    ],
  ],
  [
    'the line break is stored as it was',
    [
      ['a\r\n', 'a'],
      ['ab\r\n', 'ab'],
    ],
  ],
  [
    'a text of only directives is continued below them',
    [
      ['# @sql connection=db\n', '# @sql connection=db\n'],
      ['# @sql connection=db\nSELECT 1', '# @sql connection=db\nSELECT 1'],
    ],
  ],
  [
    'all text is deleted and typed again',
    [
      ['a\n', 'a'],
      ['\n', ''],
      ['b\n', 'b'],
    ],
  ],
])('[ED-105] while a text is edited, %s', (_what, steps) => {
  let text = steps[0]?.[0] ?? '';
  const edited = editedText({ now: () => text, watch: () => () => undefined });
  for (const [stored, shown] of steps) {
    expect(edited.stored(shown)).toBe(stored);
    text = stored;
    expect(edited.shown.now()).toBe(shown);
  }
});

test('[ED-105] a final line break that another program removes is not added again', () => {
  let text = 'a\n';
  const edited = editedText({ now: () => text, watch: () => () => undefined });
  expect(edited.shown.now()).toBe('a');
  text = 'b';
  expect(edited.shown.now()).toBe('b');
  expect(edited.stored('bc')).toBe('bc');
});

test('[ED-105] a final line break that changes its kind stays hidden', () => {
  let text = 'a\nb\n';
  const edited = editedText({ now: () => text, watch: () => () => undefined });
  expect(edited.shown.now()).toBe('a\nb');
  text = 'a\nb\r\n';
  expect([edited.shown.now(), edited.stored('a\nb')]).toEqual(['a\nb', text]);
  text = 'a\nb\n';
  expect([edited.shown.now(), edited.stored('a\nb')]).toEqual(['a\nb', text]);
});

test('[ED-105] an editor that has the complete text already shows all of it, for its undo steps', () => {
  const edited = editedText({ now: () => 'a\n', watch: () => () => undefined }, true);
  expect([edited.shown.now(), edited.stored('a\n')]).toEqual(['a\n', 'a\n']);
});
