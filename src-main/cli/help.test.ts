import { describe, expect, it, vi } from 'vitest';
import type { CommandEntry, CommandTable } from './commandTable.ts';
import { dispatch } from './dispatch.ts';
import { commandReference } from './reference.ts';
import { PROGRAM } from './verbs.ts';

/** Every command, by its full name. */
function commandsOf(
  name: readonly string[],
  { commands = {}, load }: CommandEntry,
): readonly (readonly string[])[] {
  const below = Object.entries(commands).flatMap(([word, listed]) => commandsOf([...name, word], listed));
  return load === undefined ? below : [name, ...below];
}

function listedAt(words: readonly string[]): CommandEntry {
  return words.reduce<CommandEntry>((at, word) => {
    const below: CommandEntry | undefined = (at.commands as CommandTable)[word]; // a listing has commands
    if (below === undefined) throw new Error(word);
    return below;
  }, PROGRAM);
}

async function outputOf(args: readonly string[]): Promise<string> {
  let text = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    text += String(piece);
    return true;
  });
  const code = await dispatch('svc', PROGRAM, args);
  spy.mockRestore();
  expect(code).toBe(0);
  return text;
}

const COMMANDS = commandsOf([], PROGRAM);

describe('[CL-17] --help', () => {
  it.each(COMMANDS.map((words) => words.join(' ')))(
    'svc %s lists every option that it parses',
    async (typed) => {
      const words = typed.split(' ');
      const command = await listedAt(words).load?.();
      const help = await outputOf([...words, '--help']);
      expect(help.startsWith(`svc ${typed}`)).toBe(true);
      for (const [flag, { says }] of Object.entries(command?.options ?? {})) {
        expect(help).toMatch(new RegExp(`^  (-\\w, )?--${flag}\\b`, 'm'));
        expect(says).toMatch(/\S\.$/);
      }
      expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    },
    60_000,
  );

  it.each([[[]], [['cell']], [['dep']], [['worker']]])(
    'svc %j lists its commands, one per line',
    async (words) => {
      const help = await outputOf([...words, '--help']);
      for (const name of Object.keys(listedAt(words).commands ?? {}))
        expect(help).toMatch(new RegExp(`^  ${name}  +\\S`, 'm'));
    },
  );
});

it('[CL-66] the reference page lists every command with its options', async () => {
  const page = await commandReference();
  const commands = commandsOf(['svc'], PROGRAM).map((words) => words.join(' '));
  const missing = commands.filter((name) => !new RegExp(`^## \`${name}[ \`]`, 'm').test(page));
  expect(missing).toEqual([]);
  expect(page).toContain('| `--visible-folder` | Create new notebooks in ~/Cellar');
});
