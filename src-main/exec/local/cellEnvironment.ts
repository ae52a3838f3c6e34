import { createHash } from 'node:crypto';

/** The environment variables set for a cell's process (by `@env`, the notebook and GPU selection). */
export type CellEnvironment = Readonly<Record<string, string>>;

/**
 * The key of a set of variables; empty for none. Libraries read variables while they load, often from C code that
 * cannot be observed, so any variable counts: a warm process serves only runs with the variables under which it loaded
 * its imports. Values may be secrets, so the key is a hash.
 */
export function keyOfEnvironment(env: CellEnvironment): string {
  const entries = Object.entries(env).toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (entries.length === 0) return '';
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}
