import { keepCompiledCode } from './compileCache.ts';
import { parseVerb, USAGE, VERBS } from './verbs.ts';
import { isWorkerFileCommand } from './workerCommands.ts';

/**
 * The command line (semantics 16): `svc <verb> …`.
 * Exit 0 ok, 1 the operation failed, 2 wrong use or set-up; what went wrong is said on stderr.
 */
async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(USAGE);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version') {
    process.stdout.write(`${process.env['SVC_VERSION'] ?? '0.1.0'}\n`);
    return 0;
  }
  // The other half of the verb looks at no folder: it is a worker.
  if (name === 'worker' && isWorkerFileCommand(args))
    return (await import('./verbs/workerFile.ts')).workerFile(args);
  const verb = parseVerb(name);
  if (verb === null) {
    process.stderr.write(`svc: there is no verb \`${name}\`. Known: ${Object.keys(VERBS).join(', ')}.\n`);
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`svc ${name} ${VERBS[verb].usage}\n  ${VERBS[verb].summary}\n`);
    return 0;
  }
  const run = await VERBS[verb].load();
  return run(args);
}

keepCompiledCode();
process.exitCode = await main(process.argv.slice(2));
