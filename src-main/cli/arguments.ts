import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Wrong use of a verb: exit 2 with these words. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Parses a verb's arguments strictly. @throws UsageError naming the argument that is not understood */
export function parseArguments<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** `--format`: human unless asked for json. */
export function formatOf(value: string | undefined): 'human' | 'json' {
  if (value === undefined || value === 'human') return 'human';
  if (value === 'json') return 'json';
  throw new UsageError(`--format is human or json, not ${value}`);
}

/** A whole command, with usage errors on stderr and exit code 2. */
export async function guarded(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`svc: ${error.message}\n`);
    return 2;
  }
}

/** The one folder a verb works on. */
export function onlyFolder(positionals: readonly string[], verb: string): string {
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new UsageError(`svc ${verb} takes one notebook folder`);
  return folder;
}
