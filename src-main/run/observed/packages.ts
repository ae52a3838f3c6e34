import * as z from 'zod';
import type { HarnessResult } from '../../../src-shared/wire/harness.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { type InstalledPackages, reachedBy } from '../../environment/venv/installedPackages.ts';
import type { StepRequest } from '../step.ts';

/** What is installed where cells run, and what of the environment every result depends on. */
export interface KnownPackages {
  /** Digest of what is no package: the interpreter, and what each of its processes reads as it starts. */
  readonly fixed: string;
  readonly installed: InstalledPackages;
}

/** The key of a row's params that holds the key of its run without the packages. */
export const UNLOCKED = 'unlocked';
/** The key of a row's params that holds what of the packages its run reached. */
export const PACKAGES = 'packages';

const packageFact = z.object({
  /** Top-level names it asked for, found or not. */
  names: z.array(z.string()),
  /** The distributions behind them, and all those require, with the digest of what each installed. */
  reached: z.record(z.string(), z.string()),
});
export type PackageFact = z.infer<typeof packageFact>;

/** Child processes have packages of their own; of what is unclear nothing is known. */
const UNKNOWN: ReadonlySet<string> = new Set(['process', 'unclear']);

/** What the params of a run's rows say of its packages; empty where all of the lock counts. */
export function packageParams(
  request: Pick<StepRequest, 'unlockedKey' | 'packages' | 'loop' | 'language'>,
  { observed }: HarnessResult,
): Record<string, string> {
  const { unlockedKey = null, packages = null, loop, language } = request;
  if (unlockedKey === null || packages === null || observed?.packages === undefined) return {};
  // Of a loop only the last iteration was observed.
  if (language !== 'python' || loop !== null) return {};
  if (observed.packages.whole || observed.open.some((reason) => UNKNOWN.has(reason))) return {};
  const { names } = observed.packages;
  const fact: PackageFact = { names, reached: reachedBy(packages.installed, names) };
  return { [UNLOCKED]: unlockedKey, [PACKAGES]: JSON.stringify(fact) };
}

const parsed = new WeakMap<ArtifactRow['params'], PackageFact | null>();

/** What of the packages the run of a row reached; null where nothing is known of that. */
export function packageFactIn({ params }: Pick<ArtifactRow, 'params'>): PackageFact | null {
  const known = parsed.get(params);
  if (known !== undefined) return known;
  const text = params[PACKAGES];
  const fact = text === undefined ? null : parse(text);
  parsed.set(params, fact);
  return fact;
}

function parse(text: string): PackageFact | null {
  try {
    return packageFact.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What was last asked of a fact: the status walk asks the same after every event. */
const answers = new WeakMap<
  PackageFact,
  { readonly installed: InstalledPackages; readonly changed: readonly string[] }
>();

/**
 * The distributions that are another thing for a run than they were: installed, removed or in another version. Empty:
 * the run would find what it found. A new distribution counts where it provides a name that the run looked for.
 */
export function changedPackages(fact: PackageFact, { installed }: KnownPackages): readonly string[] {
  const known = answers.get(fact);
  if (known?.installed === installed) return known.changed;
  const now = reachedBy(installed, fact.names);
  const all = [...new Set([...Object.keys(fact.reached), ...Object.keys(now)])].sort();
  const changed = all.filter((name) => own(fact.reached, name) !== own(now, name));
  answers.set(fact, { installed, changed });
  return changed;
}

function own(record: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
