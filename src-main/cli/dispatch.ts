/** Finds the command of `svc` that the arguments name and runs it, or prints help. */

import type { CommandEntry } from './commandTable.ts';
import { commandHelp, listHelp } from './help.ts';

const HELP = new Set(['--help', '-h']);

/** Runs the command that `args` name, or shows help. @returns the exit code */
export async function dispatch(name: string, listed: CommandEntry, args: readonly string[]): Promise<number> {
  const { commands, load } = listed;
  const [first, ...rest] = args;
  if (first !== undefined && commands !== undefined && Object.hasOwn(commands, first)) {
    const below = commands[first];
    if (below !== undefined) return dispatch(`${name} ${first}`, below, rest);
  }
  const isWord = first !== undefined && !first.startsWith('-');
  if (load === undefined || (commands !== undefined && isWord)) return showCommands(name, listed, first);
  const command = await load();
  // After `--` there are no options.
  const end = args.indexOf('--');
  if (args.slice(0, end === -1 ? undefined : end).some((arg) => HELP.has(arg))) {
    process.stdout.write(commandHelp(name, listed, command));
    return 0;
  }
  return command.run(args);
}

/** Prints the commands of a group: as help if it was requested, else with the error about `first` on stderr. */
function showCommands(name: string, listed: CommandEntry, first: string | undefined): number {
  if (first !== undefined && (HELP.has(first) || first === 'help')) {
    process.stdout.write(listHelp(name, listed));
    return 0;
  }
  const names = Object.keys(listed.commands ?? {}).join(', ');
  process.stderr.write(
    first === undefined
      ? `svc: ${name} needs a command: ${names}\n`
      : `svc: ${name} has no command \`${first}\`. Commands: ${names}.\n`,
  );
  return 2;
}
