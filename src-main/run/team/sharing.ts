/** Describes how the results of one cell are shared through the team's cache, or why they are not. */

import { SESSION_KEY_PARAM } from '../cache.ts';
import { NOTHING_SEEN, type Observation, observationIn } from '../observed/observation.ts';
import { type CodeRequest, packagesOf, type ReadingRequest } from '../step.ts';
import { whyNotAsked } from './shareable.ts';

/** How the results of one cell are shared with a team; each language defines its own. */
export interface Sharing {
  /** The key its results are stored under. */
  readonly key: string;
  /** A digest of what its results depend on besides the key and the facts: the interpreter, the engine, the model. */
  readonly runtime: string;
  /**
   * What is known of the run beyond its key. `observed`: the facts that its harness reported, without which nothing is
   * shared. `covered`: the key has all that the run depends on.
   */
  readonly facts: 'observed' | 'covered';
  /** Params that a row gets when it is taken over, for the session to find it. */
  readonly marks: Readonly<Record<string, string>>;
}

/** A refusal: why a cell's results are neither sent to the team's cache nor taken from it. */
export interface NotShared {
  readonly why: string;
}

/** Whether results are shared, with the terms; false for a refusal. */
export function isShared(one: Sharing | NotShared): one is Sharing {
  return 'key' in one;
}

/** How a cell that runs in a process is shared. */
export function processSharing(request: CodeRequest): Sharing | NotShared {
  const why = whyNotAsked(request);
  const runtime = packagesOf(request)?.fixed;
  if (why !== null || runtime === undefined)
    return { why: why ?? 'the installed packages differ from the lock' };
  return { key: request.provenanceHash, runtime, facts: 'observed', marks: {} };
}

/** The mark by which the session finds a result that has a key of its own. */
export function sessionKeyMark({ provenanceHash }: Pick<ReadingRequest, 'provenanceHash'>): Sharing['marks'] {
  return { [SESSION_KEY_PARAM]: provenanceHash };
}

/** What is known of a run from a row of its result; null: not enough to share it. */
export function factsOf(
  sharing: Pick<Sharing, 'facts'>,
  row: { readonly params: Readonly<Record<string, string>> },
): Observation | null {
  return sharing.facts === 'covered' ? NOTHING_SEEN : observationIn(row);
}
