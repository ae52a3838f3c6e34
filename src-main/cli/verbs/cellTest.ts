/**
 * The command `svc cell test`: runs the tests of cells, in this process for a folder or on the server for a session.
 */

import { type Command, parseArguments, runGuarded } from '../arguments.ts';
import { cellTestOnServer } from './cellRunning.ts';
import { CELL_TEST_OPTIONS } from './cellTestOptions.ts';

/**
 * `svc cell test TGT [ID]…`: runs the tests of a folder in this process, and those of a session by the server's routes
 * (docs/spec/command-line.md, 4).
 */
export const cellTest: Command = {
  ...cellTestOnServer,
  run: (args) =>
    runGuarded(async () => {
      if (isOnServer(args)) return cellTestOnServer.run(args);
      const parsed = parseArguments(args, CELL_TEST_OPTIONS);
      const { testFolder } = await import('./cellTestFolder.ts');
      return testFolder(parsed);
    }),
};

function isOnServer(args: readonly string[]): boolean {
  return args.some((arg) => /^--(server|session)(=|$)/.test(arg));
}
