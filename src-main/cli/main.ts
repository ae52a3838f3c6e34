import { hideServerSecrets } from '../config/serverEnvironment.ts';
import { keepCompiledCode } from './compileCache.ts';
import { dispatch } from './dispatch.ts';
import { listHelp } from './help.ts';
import { PROGRAM } from './verbs.ts';

/**
 * The command line (command-line): `svc <verb> …`.
 * Exit 0 ok, 1 the operation failed, 2 wrong use or set-up; what went wrong is said on stderr.
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

/** Runs the verb that this process was started with, and sets the exit code. */
export async function runProgram(): Promise<void> {
  // Nothing has been started yet: from here on no process of ours shows a key.
  hideServerSecrets((words) => process.stderr.write(`svc: ${words}\n`));
  keepCompiledCode();
  process.exitCode = await main(process.argv.slice(2));
}
