/** Reads renv.lock, the lock file of a notebook's R packages, and computes its key. */

import { createHash } from 'node:crypto';
import * as z from 'zod';

/** The content of renv.lock: the R packages that belong in the project's library. */
export interface RLock {
  /** The version of R it was made with; '' when it has none. */
  readonly rVersion: string;
  /** The packages, sorted by name. */
  readonly packages: readonly RPackage[];
}

export interface RPackage {
  readonly name: string;
  readonly version: string;
}

/**
 * `Packages` must be an object (docs/spec/worker-protocol.md, 8; docs/spec/worker-process.md, 6,
 * docs/spec/remote-execution.md, 4); other fields of renv are ignored.
 */
const lockShape = z.object({
  R: z.object({ Version: z.string().optional() }).optional(),
  Packages: z.record(z.string(), z.object({ Version: z.string().optional() })),
});

/** The lock key for R (docs/spec/worker-protocol.md, 8.3): SHA-256 hex of the lock's bytes. */
export function rLockKey(lock: string | Uint8Array): string {
  return createHash('sha256').update(lock).digest('hex');
}

/** @returns null when the text is not a valid renv lockfile */
export function parseRLock(text: string): RLock | null {
  try {
    const { R, Packages } = lockShape.parse(JSON.parse(text));
    return {
      rVersion: R?.Version ?? '',
      packages: Object.entries(Packages)
        .map(([name, { Version }]) => ({ name, version: Version ?? '' }))
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    };
  } catch {
    // Not JSON or of another shape: the caller reports it.
    return null;
  }
}
