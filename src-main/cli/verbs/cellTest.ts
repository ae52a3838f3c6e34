import { type Command, guarded, parseArguments } from '../arguments.ts';
import { TARGET_OPTIONS } from '../place/target.ts';
import { cellTestOnServer, TEST_OPTIONS } from './cellRunning.ts';

const OPTIONS = { ...TEST_OPTIONS, ...TARGET_OPTIONS };

/** What was said of tests of a folder. */
export type TestsSaid = ReturnType<typeof parseArguments<typeof OPTIONS>>;

/** `svc cell test TGT [ID]…`: of a folder in this process, of a server by its routes (command-line). */
export const cellTest: Command = {
  ...cellTestOnServer,
  run: (args) =>
    guarded(async () => {
      if (isOnServer(args)) return cellTestOnServer.run(args);
      const said = parseArguments(args, OPTIONS);
      const { testFolder } = await import('./cellTestFolder.ts');
      return testFolder(said);
    }),
};

function isOnServer(args: readonly string[]): boolean {
  return args.some((arg) => /^--(server|session)(=|$)/.test(arg));
}
