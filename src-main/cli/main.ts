/** Runs the command line `svc <verb> …` and sets the exit code of the process. */

import { hideServerSecrets } from '../config/serverEnvironment.ts';
import { setUpCompileCache } from './compileCache.ts';
import { dispatch } from './dispatch.ts';
import { listHelp } from './help.ts';
import { PROGRAM } from './verbs.ts';

/**
 * Runs the command that the arguments name (docs/spec/command-line.md, 1).
 * @returns the exit code: 0 success, 1 the operation failed, 2 wrong use or set-up. Problems are reported on stderr.
 */
async function main(argv: readonly string[]): Promise<number> {
  const [name] = argv;
  if (name === undefined) {
    process.stdout.write(listHelp('svc', PROGRAM));
    return 2;
  }
  if (name === '--version') {
    process.stdout.write(`${process.env['SVC_VERSION'] ?? '0.2.0'}\n`);
    return 0;
  }
  return dispatch('svc', PROGRAM, argv);
}

/** Runs the command that this process was started with, and sets the exit code. */
export async function runProgram(): Promise<void> {
  // No process has been started yet: from here on, none of ours exposes a key.
  hideServerSecrets((message) => process.stderr.write(`svc: ${message}\n`));
  setUpCompileCache();
  process.exitCode = await main(process.argv.slice(2));
}
