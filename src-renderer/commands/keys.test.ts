import { expect, test } from 'vitest';
import type { Press } from './keys.ts';
import { createKeyReader } from './keys.ts';
import { COMMANDS } from './registry.ts';

function press(key: string, fields: Partial<Press> = {}): Press {
  return {
    key,
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
  ['enter types', [press('Enter')], 'edit', null],
  ['an input method owns its enter', [press('Enter', { isComposing: true })], 'command', null],
  ['j', [press('j')], 'command', 'cell.next'],
  ['j types', [press('j')], 'edit', null],
  ['d d', [press('d'), press('d')], 'command', 'cell.delete'],
  ['d j', [press('d'), press('j')], 'command', 'cell.next'],
  ['ctrl+b is the browser’s', [press('b', { ctrlKey: true })], 'command', null],
  ['escape leaves', [press('Escape')], 'edit', 'cell.leave'],
])('%s', (_name, presses, mode, expected) => {
  const reader = createKeyReader(COMMANDS, false);
  const commands = presses.map((one, at) => reader.read(one, mode, at * 100));
  expect(commands.at(-1)?.id ?? null).toBe(expected);
});

test('the second d may not come late', () => {
  const reader = createKeyReader(COMMANDS, false);
  reader.read(press('d'), 'command', 0);
  expect(reader.read(press('d'), 'command', 2_000)).toBeNull();
});

test('on a Mac the command key is the modifier', () => {
  const reader = createKeyReader(COMMANDS, true);
  expect(reader.read(press('Enter', { metaKey: true }), 'edit', 0)?.id).toBe('cell.run');
});

test('no two commands share keys in a mode', () => {
  const seen = COMMANDS.flatMap((command) =>
    command.keys.flatMap((keys) =>
      (command.mode === 'any' ? ['command', 'edit'] : [command.mode]).map((mode) => `${mode} ${keys}`),
    ),
  );
  expect(new Set(seen).size).toBe(seen.length);
});
