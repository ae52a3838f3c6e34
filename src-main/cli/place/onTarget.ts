import { ConfigError } from '../../config/configError.ts';
import {
  type Command,
  formatOf,
  guarded,
  type OptionTable,
  parseArguments,
  UsageError,
} from '../arguments.ts';
import { environmentSettled } from './environmentSettled.ts';
import { CallError } from './restCaller.ts';
import { openTarget, type Place, placeOf, TARGET_OPTIONS, TARGET_USAGE, type Target } from './target.ts';

/** How a command ended: what it answers as JSON, the same for people, and its exit code. */
export interface Done {
  readonly answer: unknown;
  readonly human: string;
  readonly code?: 0 | 1 | 2;
}

/** What was said on the command line, besides where the notebook is. */
export interface Said {
  /** Positional arguments after the target. */
  readonly rest: readonly string[];
  readonly place: Place;
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
}

/** One command on a notebook (command-line). `prepare` reads what was said before anything is opened. */
export interface TargetCommand<P> {
  /** What stands after the place of the notebook: `ID`. */
  readonly usage?: string;
  readonly options: OptionTable;
  /** Whether cells run or packages change: the environment is brought in step first, unless `--no-sync` is said. */
  readonly needsEnvironment: (prepared: P) => boolean;
  /** @throws UsageError */
  readonly prepare: (said: Said) => P | Promise<P>;
  /** @throws CallError */
  readonly run: (target: Target, prepared: P) => Promise<Done>;
}

/**
 * Makes a command of the command line: 0 when it went well, 1 when the notebook refused (`{error}` as JSON on stdout),
 * 2 for wrong use or where the notebook cannot be opened (on stderr).
 */
export function onTarget<P>(command: TargetCommand<P>): Command {
  const options: OptionTable = { ...command.options, ...TARGET_OPTIONS };
  const run = (args: readonly string[]): Promise<number> =>
    guarded(async () => {
      const { values, positionals } = parseArguments(args, options);
      const format = formatOf(textOf(values['format']) ?? 'json');
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
          await environmentSettled(target, { sync: values['no-sync'] !== true });
        const done = await command.run(target, prepared);
        print(format === 'json' ? JSON.stringify(done.answer, null, 2) : done.human);
        return done.code ?? 0;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        // Nobody answers: that is the set-up, not the notebook.
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

/** The text of an option; undefined where it was not given. */
export function textOf(value: Said['values'][string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The texts of an option that may be given several times. */
export function textsOf(value: Said['values'][string]): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The one argument after the target. @throws UsageError saying what it is to be */
export function onlyArgument({ rest }: Said, what: string): string {
  const [only, ...more] = rest;
  if (only === undefined || more.length > 0) throw new UsageError(`give exactly ${what}`);
  return only;
}

/** For a command that takes nothing after the target. @throws UsageError */
export function noArgument({ rest }: Said): void {
  if (rest.length > 0) throw new UsageError(`unexpected argument \`${rest[0]}\``);
}
