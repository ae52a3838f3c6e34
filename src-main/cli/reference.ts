/** Generates docs/reference/command-line.md: every command with its options, from the tables that parse them. */

import type { Command } from './arguments.ts';
import type { CommandEntry } from './commandTable.ts';
import { optionDescription, optionText } from './help.ts';
import { PROGRAM } from './verbs.ts';

/** Every command with its options as Markdown, generated from the tables that parse them. */
export async function commandReference(): Promise<string> {
  const sections = await sectionsOf('svc', PROGRAM);
  return [
    '# Command line',
    'The options of every command; `svc COMMAND --help` prints the same. Output and exit codes are in [../spec/command-line.md](../spec/command-line.md).',
    ...sections,
  ].join('\n\n');
}

async function sectionsOf(
  name: string,
  { summary, commands = {}, load }: CommandEntry,
): Promise<readonly string[]> {
  const own = load === undefined ? [] : [section(name, summary, await load())];
  const below: string[] = [];
  for (const [word, listed] of Object.entries(commands)) {
    below.push(...(await sectionsOf(`${name} ${word}`, listed)));
  }
  return [...own, ...below];
}

function section(name: string, summary: string, { usage, options }: Command): string {
  const rows = Object.entries(options).map(
    ([flag, option]) => `| \`${cell(optionText(flag, option))}\` | ${cell(optionDescription(option))} |`,
  );
  const table = rows.length === 0 ? [] : ['', '| Option | What it does |', '|---|---|', ...rows];
  const called = usage === '' ? name : `${name} ${usage}`;
  return [`## \`${called}\``, '', summary, ...table].join('\n');
}

/** Escapes bars, which would end the cell of a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
