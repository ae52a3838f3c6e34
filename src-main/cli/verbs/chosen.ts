import { UsageError } from '../arguments.ts';

type Command = (args: readonly string[]) => Promise<number>;

/** Runs the command of a verb that has several. @throws UsageError naming those there are */
export function chosen(
  verb: string,
  commands: Readonly<Record<string, Command>>,
  [name = '', ...rest]: readonly string[],
): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return command(rest);
  const known = Object.keys(commands).join(', ');
  throw new UsageError(
    name === ''
      ? `svc ${verb} needs a command: ${known}`
      : `svc ${verb} knows no \`${name}\`. Known: ${known}.`,
  );
}
