import { expect, test } from 'vitest';
import { menuCommandIds } from '../../src-shared/shell/menu.ts';
import { chordsOf } from './keys.ts';
import { COMMANDS, commandOf } from './registry.ts';

test('[ED-3] each command has a unique id and title', () => {
  expect(new Set(COMMANDS.map((command) => command.id)).size).toBe(COMMANDS.length);
  expect(new Set(COMMANDS.map((command) => command.title)).size).toBe(COMMANDS.length);
  expect(commandOf('run.all')?.title).toBe('Run all');
  expect(commandOf('no such')).toBeNull();
});

test.each(COMMANDS.flatMap((command) => command.keys.map((keys) => [keys, command.id])))(
  '[ED-4] the keys of %s (%s) are spelled as a key press is read',
  (keys) => {
    for (const chord of (keys ?? '').split(' ')) {
      const parts = chord.split('+');
      const key = parts.pop() ?? '';
      const [read] = chordsOf(
        {
          key: key === 'Space' ? ' ' : parts.includes('Shift') && key.length === 1 ? key.toUpperCase() : key,
          code: '',
          ctrlKey: parts.includes('Mod'),
          metaKey: false,
          shiftKey: parts.includes('Shift'),
          altKey: parts.includes('Alt'),
          isComposing: false,
        },
        false,
      );
      expect(read).toBe(chord);
    }
  },
);

test('[ED-3] every entry of the system’s menu is a command of the registry', () => {
  expect(menuCommandIds().filter((id) => commandOf(id) === null)).toEqual([]);
});
