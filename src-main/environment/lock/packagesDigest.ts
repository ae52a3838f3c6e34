import { createHash } from 'node:crypto';
import type { EnvironmentFacts } from '../readEnvironment.ts';

/**
 * What stands for the packages in the key of a cell that runs in the notebook's environment: the digest of the lock
 * where the environment is what that lock makes. Where it is not (a sync failed, something else changed the folder,
 * there is only a Python of the machine) a result is kept under what it really ran with, never under the lock.
 *
 * @param interpreter what runs the cells; null: nothing does, and the lock says what would
 */
export function packagesDigest(
  { lock, venv }: Pick<EnvironmentFacts, 'lock' | 'venv'>,
  interpreter: { readonly identity: string } | null,
): string | null {
  const wanted = lock?.digest ?? null;
  if (interpreter === null) return wanted;
  if (venv === null) return other('python', interpreter.identity);
  const { marker, installed } = venv;
  if (marker === null) return other('unknown', installed);
  const isThisLock = marker.lockSha256 === (lock?.sha256 ?? null);
  const made = isThisLock ? wanted : marker.lockDigest;
  const isAsMade = marker.installed === installed;
  if (isAsMade && (made !== null || isThisLock)) return made;
  return other('changed', `${made ?? marker.id}\n${isAsMade ? '' : installed}`);
}

/** Whether an environment is as its last sync left it. */
export function isAsMade({ marker, installed }: NonNullable<EnvironmentFacts['venv']>): boolean {
  return marker !== null && marker.installed === installed;
}

/** Never the digest of any lock. */
function other(kind: string, what: string): string {
  return createHash('sha256').update(`packages\0${kind}\0${what}`).digest('hex');
}
