/** Decides whether a stored version may answer a run, beyond having one of its keys. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import type { FoundBy } from '../cache.ts';
import { isClosed, observationIn } from './observation.ts';
import { changedPackages, packageFactIn } from './packages.ts';
import { brokenFact, type CurrentState } from './pathState.ts';

/** The param of a row that contains the digest of the values its run read. */
export const BASIS_PARAM = 'basis';

/**
 * Whether a stored version may answer a run of its cell, beyond having one of its keys:
 * - it was made from the values the run would read, not from others of the same provenance (a repeated run
 * may give
 *   other bytes under the same key);
 * - every fact of its run still holds;
 * - by content alone only if the harness observed everything that its run did;
 * - with other packages installed only if those that its run reached are unchanged.
 */
export function mayAnswer(
  row: ArtifactRow,
  by: FoundBy,
  run: { readonly language: Language; readonly basis: string; readonly now: CurrentState },
): boolean {
  const basis = row.params[BASIS_PARAM];
  if (basis !== undefined && basis !== run.basis) return false;
  const observation = observationIn(row);
  if (by === 'packages') {
    const fact = packageFactIn(row);
    const { packages = null } = run.now;
    if (basis === undefined || observation === null || fact === null || packages === null) return false;
    if (changedPackages(fact, packages).length > 0) return false;
  }
  // The keys of queries and prompts cover all their inputs; code may read anything.
  if (observation === null) return by === 'provenance' || !LANGUAGES[run.language].runsCode;
  if (by === 'content' && !isClosed(observation)) return false;
  return brokenFact(observation, run.now) === null;
}
