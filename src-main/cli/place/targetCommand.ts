/** Makes commands like `svc cell add TGT …`: opens the target, runs the command, prints its result. */

import { ConfigError } from '../../config/configError.ts';
import {
  type Command,
  formatOf,
  type OptionTable,
  parseArguments,
  runGuarded,
  UsageError,
} from '../arguments.ts';
import { CallError } from './restCaller.ts';
import { openTarget, type Place, placeOf, TARGET_OPTIONS, TARGET_USAGE, type Target } from './target.ts';
import { waitForTargetSync } from './waitForTargetSync.ts';

/** The result of a command: as JSON, as text for users, and its exit code. */
export interface CommandResult {
  readonly answer: unknown;
  readonly human: string;
  readonly code?: 0 | 1 | 2;
}

/** The parsed command line, without the target. */
export interface CommandLine {
  /** Positional arguments after the target. */
  readonly rest: readonly string[];
  readonly place: Place;
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
}

/**
 * One command on a notebook (docs/spec/command-line.md, 1). `prepare` reads the arguments before anything is opened.
 */
interface TargetCommand<P> {
  /** The arguments after the target: `ID`. */
  readonly usage?: string;
  readonly options: OptionTable;
  /** Whether cells run or packages change: the environment is synced first, unless `--no-sync` is set. */
  readonly needsEnvironment: (prepared: P) => boolean;
  /** @throws UsageError */
  readonly prepare: (line: CommandLine) => P | Promise<P>;
  /** @throws CallError */
  readonly run: (target: Target, prepared: P) => Promise<CommandResult>;
}

/**
 * Makes a command of the command line. Exit code 0: success, 1: the notebook refused (`{error}` as JSON on stdout), 2:
 * wrong use, or the notebook cannot be opened (on stderr).
 */
export function targetCommand<P>(command: TargetCommand<P>): Command {
  const options: OptionTable = { ...command.options, ...TARGET_OPTIONS };
  const run = (args: readonly string[]): Promise<number> =>
    runGuarded(async () => {
      const { values, positionals } = parseArguments(args, options);
      const format = formatOf(textOption(values['format']) ?? 'json');
      const { place, rest } = await placeOf(values, positionals);
      const prepared = await command.prepare({ rest, place, values });
      let target: Target;
      try {
        target = await openTarget(place);
      } catch (error) {
        if (!(error instanceof CallError) && !(error instanceof ConfigError)) throw error;
        throw new UsageError(error.message);
      }
      try {
        if (command.needsEnvironment(prepared))
          await waitForTargetSync(target, { sync: values['no-sync'] !== true });
        const result = await command.run(target, prepared);
        print(format === 'json' ? JSON.stringify(result.answer, null, 2) : result.human);
        return result.code ?? 0;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        // No answer: that is a problem of the set-up, not of the notebook.
        if (error.status === 0) throw new UsageError(error.message);
        if (format === 'json') print(JSON.stringify({ error: error.message }, null, 2));
        else process.stderr.write(`svc: ${error.message}\n`);
        return 1;
      } finally {
        await target.close();
      }
    });
  return { usage: `${TARGET_USAGE} ${command.usage ?? ''}`.trim(), options, run };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The text of an option; undefined if it is absent. */
export function textOption(value: CommandLine['values'][string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The texts of an option that may be repeated. */
export function textOptions(value: CommandLine['values'][string]): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The only argument after the target. @throws UsageError naming the expected argument */
export function onlyArgument({ rest }: CommandLine, what: string): string {
  const [only, ...more] = rest;
  if (only === undefined || more.length > 0) throw new UsageError(`give exactly ${what}`);
  return only;
}

/** For a command without arguments after the target. @throws UsageError */
export function noArgument({ rest }: CommandLine): void {
  if (rest.length > 0) throw new UsageError(`unexpected argument \`${rest[0]}\``);
}
