import { guarded, UsageError } from '../arguments.ts';
import { cellTest } from './cellTest.ts';

/** Every command about single cells (API supplement 7). */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = { test: cellTest };

/** `svc cell COMMAND …`. */
export function cell(args: readonly string[]): Promise<number> {
  return guarded(async () => {
    const [name = '', ...rest] = args;
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) {
      const known = Object.keys(COMMANDS).join(', ');
      throw new UsageError(
        name === ''
          ? `svc cell needs a command: ${known}`
          : `svc cell knows no \`${name}\`. Known: ${known}.`,
      );
    }
    return command(rest);
  });
}
