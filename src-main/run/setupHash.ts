/**
 * The source hash for keys: a cell's own hash, followed by that of the set-up cell, which runs before it
 * (docs/extensions.md). Without a set-up cell it is the cell's own hash, as in docs/spec/provenance-and-cache.md, 1.
 */
export function withSetupHash(own: string, setup: string | null): string {
  return setup === null ? own : `${own}${BETWEEN}${setup}`;
}

/** The cell's own part. */
export function ownSourceHash(hash: string): string {
  return hash.split(BETWEEN, 1)[0] ?? hash;
}

/** The set-up cell's part; null where the cell ran without one. */
export function setupHashOf(hash: string): string | null {
  return hash.split(BETWEEN)[1] ?? null;
}

const BETWEEN = ':setup=';
