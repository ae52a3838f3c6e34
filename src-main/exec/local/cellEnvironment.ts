import { createHash } from 'node:crypto';

/** The variables a cell sets for its process (`@env`, the notebook's, those of a GPU). */
export type CellEnvironment = Readonly<Record<string, string>>;

/**
 * Libraries read variables when they are loaded, many of them where nobody can watch, so any variable counts: a warm
 * process serves only runs of the environment it loaded its imports under. Empty for none. Values may be secrets: the
 * key does not show them.
 */
export function keyOfEnvironment(env: CellEnvironment): string {
  const entries = Object.entries(env).toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (entries.length === 0) return '';
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}
