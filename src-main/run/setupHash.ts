/**
 * Combines the hash of a cell's source with that of the set-up cell, which runs before it (docs/extensions.md), for
 * keys. Without a set-up cell it is the cell's own hash, as in docs/spec/provenance-and-cache.md, 1.
 */
export function withSetupHash(own: string, setup: string | null): string {
  return setup === null ? own : `${own}${SEPARATOR}${setup}`;
}

/** The part of a source hash that is the cell's own. */
export function ownSourceHash(hash: string): string {
  return hash.split(SEPARATOR, 1)[0] ?? hash;
}

/** The part of a source hash that is the set-up cell's; null where the cell ran without one. */
export function setupHashOf(hash: string): string | null {
  return hash.split(SEPARATOR)[1] ?? null;
}

const SEPARATOR = ':setup=';
