/**
 * The command `svc cell test`: runs the tests of cells, in this process for a folder or on the server for a session.
 */

import { type Command, parseArguments, runGuarded } from '../arguments.ts';
import { TARGET_OPTIONS } from '../place/target.ts';
import { cellTestOnServer, TEST_OPTIONS } from './cellRunning.ts';

const OPTIONS = { ...TEST_OPTIONS, ...TARGET_OPTIONS };

/** The parsed command line of `cell test`. */
export type TestArguments = ReturnType<typeof parseArguments<typeof OPTIONS>>;

/**
 * `svc cell test TGT [ID]…`: runs the tests of a folder in this process, and those of a session by the server's routes
 * (docs/spec/command-line.md, 4).
 */
export const cellTest: Command = {
  ...cellTestOnServer,
  run: (args) =>
    runGuarded(async () => {
      if (isOnServer(args)) return cellTestOnServer.run(args);
      const parsed = parseArguments(args, OPTIONS);
      const { testFolder } = await import('./cellTestFolder.ts');
      return testFolder(parsed);
    }),
};

function isOnServer(args: readonly string[]): boolean {
  return args.some((arg) => /^--(server|session)(=|$)/.test(arg));
}
