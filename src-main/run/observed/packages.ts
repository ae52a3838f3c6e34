/** Compares the packages that a run used with those that are installed now. */

import * as z from 'zod';
import type { HarnessResult } from '../../../src-shared/wire/harness.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { type InstalledPackages, reachedBy } from '../../environment/venv/installedPackages.ts';
import type { ReadingRequest } from '../step.ts';
import type { KnownPackages } from './knownPackages.ts';

/** The param of a row with the key of its run without the packages. */
export const UNLOCKED_PARAM = 'unlocked';
/** The param of a row with the packages its run reached. */
const PACKAGES = 'packages';

const packageFact = z.object({
  /** Top-level names it looked up, found or not. */
  names: z.array(z.string()),
  /** The distributions behind them, and their requirements, with the digest of each one's installed files. */
  reached: z.record(z.string(), z.string()),
});
type PackageFact = z.infer<typeof packageFact>;

/** Child processes have their own packages, and an unclear run is unknown. */
const UNKNOWN: ReadonlySet<string> = new Set(['process', 'unclear']);

/** The params of a run's rows about its packages; empty if the whole lock counts. */
export function packageParams(request: ReadingRequest, { observed }: HarnessResult): Record<string, string> {
  // In a loop only the last iteration was observed.
  if (!('packages' in request) || request.shape === 'loop') return {};
  const { unlockedKey, packages } = request;
  if (unlockedKey === null || packages === null || observed?.packages === undefined) return {};
  if (observed.packages.whole || observed.open.some((reason) => UNKNOWN.has(reason))) return {};
  const { names } = observed.packages;
  const fact: PackageFact = { names, reached: reachedBy(packages.installed, names) };
  return { [UNLOCKED_PARAM]: unlockedKey, [PACKAGES]: JSON.stringify(fact) };
}

const parsed = new WeakMap<ArtifactRow['params'], PackageFact | null>();

/** The packages that a row's run reached; null if unknown. */
export function packageFactIn({ params }: Pick<ArtifactRow, 'params'>): PackageFact | null {
  const cached = parsed.get(params);
  if (cached !== undefined) return cached;
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

/** The last result for a fact: the status walk needs the same after every event. */
const answers = new WeakMap<
  PackageFact,
  { readonly installed: InstalledPackages; readonly changed: readonly string[] }
>();

/**
 * The distributions that changed for a run: installed, removed or with another version. Empty: the run would
 * find the same ones. A new distribution counts if it provides a name that the run looked up.
 */
export function changedPackages(fact: PackageFact, { installed }: KnownPackages): readonly string[] {
  const cached = answers.get(fact);
  if (cached?.installed === installed) return cached.changed;
  const now = reachedBy(installed, fact.names);
  const all = [...new Set([...Object.keys(fact.reached), ...Object.keys(now)])].sort();
  const changed = all.filter((name) => own(fact.reached, name) !== own(now, name));
  answers.set(fact, { installed, changed });
  return changed;
}

function own(record: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
