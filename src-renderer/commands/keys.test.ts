import { expect, test } from 'vitest';
import type { Press } from './keys.ts';
import { createKeyReader } from './keys.ts';
import { COMMANDS } from './registry.ts';

function press(key: string, fields: Partial<Press> = {}): Press {
  return {
    key,
    code: '',
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    isComposing: false,
    ...fields,
  };
}

test.each<[string, Press[], 'command' | 'edit', string | null]>([
  ['run', [press('Enter', { ctrlKey: true })], 'edit', 'cell.run'],
  ['run and advance', [press('Enter', { shiftKey: true })], 'command', 'cell.runAndAdvance'],
  ['enter edits', [press('Enter')], 'command', 'cell.edit'],
  ['enter is typed in edit mode', [press('Enter')], 'edit', null],
  ['enter belongs to an active input method', [press('Enter', { isComposing: true })], 'command', null],
  ['j', [press('j')], 'command', 'cell.next'],
  ['j types', [press('j')], 'edit', null],
  ['d d', [press('d'), press('d')], 'command', 'cell.delete'],
  ['d j', [press('d'), press('j')], 'command', 'cell.next'],
  ['ctrl+d belongs to the browser', [press('d', { ctrlKey: true })], 'command', null],
  ['a key that an input method is processing', [press('Process', { code: 'KeyJ' })], 'command', null],
  ['shift and a letter', [press('Z', { shiftKey: true })], 'command', 'edit.redoCells'],
  ['caps lock is not shift', [press('Z')], 'command', 'edit.undoCells'],
  ['a sign that needs shift', [press('?', { shiftKey: true, code: 'Slash' })], 'command', 'help.shortcuts'],
  ['Greek, by key position', [press('ξ', { code: 'KeyJ' })], 'command', 'cell.next'],
  [
    'Russian, twice by key position',
    [press('в', { code: 'KeyD' }), press('в', { code: 'KeyD' })],
    'command',
    'cell.delete',
  ],
  ['Russian with control', [press('я', { code: 'KeyZ', ctrlKey: true })], 'command', 'edit.undo'],
  ['French: a letter by its character', [press('a', { code: 'KeyQ' })], 'command', 'cell.addAbove'],
  ['French: a digit by key position', [press('&', { code: 'Digit1' })], 'command', 'cell.heading1'],
  ['split', [press('_', { code: 'Minus', ctrlKey: true, shiftKey: true })], 'edit', 'cell.split'],
  ['a backquote', [press('`', { code: 'Backquote', ctrlKey: true })], 'command', 'view.terminal'],
  ['a dead backquote', [press('Dead', { code: 'Backquote', ctrlKey: true })], 'command', 'view.terminal'],
  ['a dead key elsewhere', [press('Dead', { code: 'Equal', ctrlKey: true })], 'command', null],
  ['space', [press(' ', { shiftKey: true })], 'command', 'view.scrollUp'],
  [
    'shift alone does not interrupt a sequence',
    [press('d'), press('Shift', { shiftKey: true }), press('d')],
    'command',
    'cell.delete',
  ],
  ['escape leaves', [press('Escape')], 'edit', 'cell.leave'],
])('[ED-4] %s', (_name, presses, mode, expected) => {
  const reader = createKeyReader(COMMANDS, false);
  const commands = presses.map((one, at) => reader.read(one, mode, at * 100));
  expect(commands.at(-1)?.id ?? null).toBe(expected);
});

test('the second d must follow in time', () => {
  const reader = createKeyReader(COMMANDS, false);
  reader.read(press('d'), 'command', 0);
  expect(reader.read(press('d'), 'command', 2_000)).toBeNull();
});

test('on a Mac the command key is the modifier', () => {
  const reader = createKeyReader(COMMANDS, true);
  expect(reader.read(press('Enter', { metaKey: true }), 'edit', 0)?.id).toBe('cell.run');
});

test('[ED-3] no two commands share keys in a mode', () => {
  const bindings = COMMANDS.flatMap((command) =>
    command.keys.flatMap((keys) =>
      (command.mode === 'any' ? ['command', 'edit'] : [command.mode]).map((mode) => `${mode} ${keys}`),
    ),
  );
  expect(new Set(bindings).size).toBe(bindings.length);
});
