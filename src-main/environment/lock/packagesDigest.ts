/** Computes the part of a cell's key that identifies the packages it runs with. */

import { createHash } from 'node:crypto';

/** The facts of the lock that the key uses. */
interface LockedPackages {
  readonly sha256: string;
  readonly digest: string;
}

/** The facts of the built environment that the key uses; `marker` is null if another program created it. */
interface BuiltPackages {
  readonly marker: {
    readonly id: string;
    readonly lockSha256: string | null;
    readonly lockDigest: string | null;
    readonly installed: string;
  } | null;
  readonly installed: string;
}

/**
 * The part of a cell's key for the packages of the notebook's environment: the digest of the lock when the environment
 * is made from it. Otherwise (a sync failed, another program changed the folder, or there is only a Python of the
 * machine) a digest of what the cell really runs with, never that of the current lock.
 *
 * @param interpreter runs the cells; null: there is none, and the lock is used instead
 */
export function packagesDigest(
  { lock, venv }: { readonly lock: LockedPackages | null; readonly venv: BuiltPackages | null },
  interpreter: { readonly identity: string } | null,
): string | null {
  const lockedDigest = lock?.digest ?? null;
  if (interpreter === null) return lockedDigest;
  if (venv === null) return other('python', interpreter.identity);
  const { marker, installed } = venv;
  if (marker === null) return other('unknown', installed);
  const isThisLock = marker.lockSha256 === (lock?.sha256 ?? null);
  const usedDigest = isThisLock ? lockedDigest : marker.lockDigest;
  const isUnchanged = marker.installed === installed;
  if (isUnchanged && (usedDigest !== null || isThisLock)) return usedDigest;
  return other('changed', `${usedDigest ?? marker.id}\n${isUnchanged ? '' : installed}`);
}

/** Whether an environment is unchanged since its last sync. */
export function isUnchangedSinceSync({ marker, installed }: BuiltPackages): boolean {
  return marker !== null && marker.installed === installed;
}

/** A digest that no lock has. */
function other(kind: string, what: string): string {
  return createHash('sha256').update(`packages\0${kind}\0${what}`).digest('hex');
}
