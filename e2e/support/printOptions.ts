/**
 * Prints the options of every `svc` command as JSON, in a process of its own, for a test that compares them with the
 * documents.
 */

import type { OptionTable } from '../../src-main/cli/arguments.ts';
import type { CommandEntry } from '../../src-main/cli/commandTable.ts';
import { PROGRAM } from '../../src-main/cli/verbs.ts';

/**
 * Prints the options of every command as one JSON object: full name of the command → the table that parses its
 * arguments. Run directly by Node, which loads the whole program in two seconds; the test runner would take fifteen.
 */
async function optionsOf(
  name: string,
  { commands = {}, load }: CommandEntry,
): Promise<Record<string, OptionTable>> {
  const tables: Record<string, OptionTable> = load === undefined ? {} : { [name]: (await load()).options };
  for (const [word, listed] of Object.entries(commands))
    Object.assign(tables, await optionsOf(`${name} ${word}`, listed));
  return tables;
}

process.stdout.write(JSON.stringify(await optionsOf('svc', PROGRAM)));
