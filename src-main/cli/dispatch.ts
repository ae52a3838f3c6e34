import type { Command } from './arguments.ts';
import { commandHelp, listHelp } from './help.ts';

/** A verb as a list shows it. It does something itself (`load`), or is a room of commands, or both. */
export interface Listed {
  readonly summary: string;
  readonly commands?: Listing;
  /** Lazy, so that one verb never pays for another. */
  readonly load?: () => Promise<Command>;
}

export type Listing = Readonly<Record<string, Listed>>;

const HELP = new Set(['--help', '-h']);

/** Runs what `args` name of a verb, or shows its help. @returns the exit code */
export async function dispatch(name: string, listed: Listed, args: readonly string[]): Promise<number> {
  const { commands, load } = listed;
  const [first, ...rest] = args;
  if (first !== undefined && commands !== undefined && Object.hasOwn(commands, first)) {
    const below = commands[first];
    if (below !== undefined) return dispatch(`${name} ${first}`, below, rest);
  }
  const isWord = first !== undefined && !first.startsWith('-');
  if (load === undefined || (commands !== undefined && isWord)) return room(name, listed, first);
  const command = await load();
  // After `--` everything is a name.
  const end = args.indexOf('--');
  if (args.slice(0, end === -1 ? undefined : end).some((arg) => HELP.has(arg))) {
    process.stdout.write(commandHelp(name, listed, command));
    return 0;
  }
  return command.run(args);
}

function room(name: string, listed: Listed, first: string | undefined): number {
  if (first !== undefined && (HELP.has(first) || first === 'help')) {
    process.stdout.write(listHelp(name, listed));
    return 0;
  }
  const known = Object.keys(listed.commands ?? {}).join(', ');
  process.stderr.write(
    first === undefined
      ? `svc: ${name} needs a command: ${known}\n`
      : `svc: ${name} has no command \`${first}\`. Commands: ${known}.\n`,
  );
  return 2;
}
