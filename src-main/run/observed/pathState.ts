/** Checks whether the files and folders that a run read are unchanged. */

import type { KnownPackages } from './knownPackages.ts';
import {
  environmentDigest,
  type FileFact,
  NOTHING_SEEN,
  type Observation,
  valueDigest,
  type WrittenFact,
} from './observation.ts';

/** The current state of a path. `sha256` of a file is null if its size and time were sufficient. */
export type PathState =
  | { readonly kind: 'file'; readonly size: number; readonly mtimeNs: string; readonly sha256: string | null }
  | { readonly kind: 'folder'; readonly sha256: string | null }
  | { readonly kind: 'absent' };

/** The current states of files and folders, by their path as the facts of a run write it. */
export type PathStates = ReadonlyMap<string, PathState>;

/** A fact of a run that no longer holds. */
export interface BrokenFact {
  readonly kind: 'read' | 'absent' | 'listed' | 'wrote' | 'env';
  /** The path, or the name of the variable; empty for the environment as a whole. */
  readonly name: string;
}

/** The current state of everything that the facts of a run are compared with. */
export interface CurrentState {
  readonly files: PathStates;
  readonly env: Readonly<Record<string, string>>;
  /** The files that other cells of the notebook wrote: a file of this run may have been rewritten by them. */
  readonly others: readonly WrittenFact[];
  /** The packages installed where the cell runs; absent or null: unknown. */
  readonly packages?: KnownPackages | null;
}

/** The last result for an observation: the status walk needs the same for every cell after every event. */
const answers = new WeakMap<
  Observation,
  Omit<CurrentState, 'packages'> & { readonly broken: BrokenFact | null }
>();

/** The first fact that no longer holds, or null. A path without a check counts as unchanged. */
export function brokenFact(observation: Observation, now: CurrentState): BrokenFact | null {
  // All runs without facts share one object, so nothing may be cached for it.
  if (observation === NOTHING_SEEN) return null;
  const { files, env, others } = now;
  const cached = answers.get(observation);
  const isSameOthers = observation.wrote.length === 0 || cached?.others === others;
  if (cached !== undefined && cached.files === files && cached.env === env && isSameOthers)
    return cached.broken;
  const broken = firstBroken(observation, now);
  answers.set(observation, { files, env, others, broken });
  return broken;
}

function firstBroken(observation: Observation, { files, env, others }: CurrentState): BrokenFact | null {
  for (const fact of observation.reads) {
    const state = files.get(fact.path);
    if (state !== undefined && !isSameFile(fact, state)) return { kind: 'read', name: fact.path };
  }
  for (const path of observation.absent) {
    const state = files.get(path);
    if (state !== undefined && state.kind !== 'absent') return { kind: 'absent', name: path };
  }
  for (const { path, sha256 } of observation.listed) {
    const state = files.get(path);
    if (state === undefined) continue;
    const names = state.kind === 'folder' ? state.sha256 : null;
    if (names !== sha256) return { kind: 'listed', name: path };
  }
  for (const fact of observation.wrote) {
    const state = files.get(fact.path);
    if (state === undefined || isAsWritten(fact, state)) continue;
    const isTheirs = others.some((other) => other.path === fact.path && isAsWritten(other, state));
    if (!isTheirs) return { kind: 'wrote', name: fact.path };
  }
  for (const [name, digest] of Object.entries(observation.env)) {
    // Most are names that libraries look up and nothing sets.
    const isSame = digest === null ? !Object.hasOwn(env, name) : valueDigest(env, name) === digest;
    if (!isSame) return { kind: 'env', name };
  }
  if (observation.wholeEnv !== null && observation.wholeEnv !== environmentDigest(env)) {
    return { kind: 'env', name: '' };
  }
  return null;
}

function isAsWritten(fact: WrittenFact, state: PathState): boolean {
  if ('gone' in fact) return state.kind === 'absent';
  if ('folder' in fact) return state.kind === 'folder';
  return isSameFile(fact, state);
}

/** Whether a file is the one that a run read: by size and time, else by its bytes. */
export function isSameFile(fact: FileFact, state: PathState): boolean {
  if (state.kind !== 'file' || state.size !== fact.size) return false;
  if (state.mtimeNs === fact.mtimeNs) return true;
  return fact.sha256 !== null && fact.sha256 === state.sha256;
}

/** Every path in a run's facts, with the file fact if there is one. */
export function pathsOf(observation: Observation): ReadonlyMap<string, FileFact | null> {
  const paths = new Map<string, FileFact | null>();
  for (const path of observation.absent) paths.set(path, null);
  for (const { path } of observation.listed) paths.set(path, null);
  for (const fact of observation.wrote) paths.set(fact.path, 'size' in fact ? fact : null);
  for (const fact of observation.reads) paths.set(fact.path, fact);
  return paths;
}

/** The state of a run's paths when it ended, so that no check is needed before the next change. */
export function pathStatesAfter(observation: Observation): ReadonlyMap<string, PathState> {
  const states = new Map<string, PathState>();
  const file = ({ size, mtimeNs, sha256 }: FileFact): PathState => ({ kind: 'file', size, mtimeNs, sha256 });
  for (const path of observation.absent) states.set(path, { kind: 'absent' });
  for (const { path, sha256 } of observation.listed) {
    states.set(path, sha256 === null ? { kind: 'absent' } : { kind: 'folder', sha256 });
  }
  for (const fact of observation.reads) states.set(fact.path, file(fact));
  for (const fact of observation.wrote) {
    if ('gone' in fact) states.set(fact.path, { kind: 'absent' });
    else if ('size' in fact) states.set(fact.path, file(fact));
  }
  return states;
}
