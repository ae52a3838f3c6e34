/**
 * Declares commands of `svc` as tables of options, parses their arguments strictly, and reports wrong use with exit
 * code 2.
 */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../config/configError.ts';

/** Wrong use of a command: exit code 2 with this message. */
export class UsageError extends Error {}

/** One option of a command: how it is parsed, and its line in the help. */
export type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** The name of its value, if it has one: `FILE`. */
  readonly takes?: string;
  readonly says: string;
};

/** The options of a command: the table that parses them and generates their help. */
export type OptionTable = Readonly<Record<string, Option>>;

/** One command of the command line. */
export interface Command {
  /** The arguments after its name, besides the options: `DIR`. */
  readonly usage: string;
  readonly options: OptionTable;
  /** @returns the exit code */
  readonly run: (args: readonly string[]) => Promise<number>;
}

type ParsedArguments<O extends OptionTable> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>
>;

/** The parsed values of such a table. */
export type ValuesOf<O extends OptionTable> = ParsedArguments<O>['values'];

/**
 * Makes a command with strict parsing. Wrong use and an invalid configuration are reported on stderr with exit code 2.
 */
export function defineCommand<const O extends OptionTable>(what: {
  readonly usage: string;
  readonly options: O;
  readonly run: (parsed: ParsedArguments<O>) => Promise<number>;
}): Command {
  const { usage, options, run } = what;
  return { usage, options, run: (args) => runGuarded(async () => run(parseArguments(args, options))) };
}

/** Parses a command's arguments strictly. @throws UsageError naming the argument that is not valid */
export function parseArguments<const O extends OptionTable>(
  args: readonly string[],
  options: O,
): ParsedArguments<O> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** `--format` of commands that are mainly for interactive use. */
export const HUMAN_FORMAT = {
  type: 'string',
  takes: 'human|json',
  says: 'Human-readable (default), or one JSON object.',
} as const;

/** `--format` of commands that are mainly for programs. */
export const JSON_FORMAT = {
  type: 'string',
  takes: 'json|human',
  says: 'One JSON value (default), or human-readable.',
} as const;

/** `--format`: human unless json is requested. */
export function formatOf(value: string | undefined): 'human' | 'json' {
  if (value === undefined || value === 'human') return 'human';
  if (value === 'json') return 'json';
  throw new UsageError(`--format must be human or json, not ${value}`);
}

/** Runs a command; usage errors and an invalid configuration are reported on stderr with exit code 2. */
export async function runGuarded(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof ConfigError)) throw error;
    process.stderr.write(`svc: ${error.message}\n`);
    return 2;
  }
}

/** The one folder that a command works on. */
export function onlyFolder(positionals: readonly string[], verb: string): string {
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new UsageError(`svc ${verb} takes one notebook folder`);
  return folder;
}
