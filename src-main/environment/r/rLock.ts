import { createHash } from 'node:crypto';
import * as z from 'zod';

/** What renv.lock says of what belongs into the project's library. */
export interface RLock {
  /** The R it was made with; '' where it does not say. */
  readonly rVersion: string;
  /** By name. */
  readonly packages: readonly RPackage[];
}

export interface RPackage {
  readonly name: string;
  readonly version: string;
}

/** `Packages` has to be an object (worker-protocol 8, worker-process 6, remote-execution 4); what else renv writes is renv's own business. */
const lockShape = z.object({
  R: z.object({ Version: z.string().optional() }).optional(),
  Packages: z.record(z.string(), z.object({ Version: z.string().optional() })),
});

/** The lock key for R (worker-protocol 8.3): SHA-256 hex of the lock's bytes. */
export function rLockKey(lock: string | Uint8Array): string {
  return createHash('sha256').update(lock).digest('hex');
}

/** @returns null when the text is no lock of renv */
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
    // Not JSON, or of another shape: told to whoever asked, in their words.
    return null;
  }
}
