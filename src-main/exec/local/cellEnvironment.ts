import { createHash } from 'node:crypto';
import { keepLatest } from '../../lib/keepLatest.ts';

/** The variables a cell sets for its process (`@env`, the notebook's, those of a GPU). */
export type CellEnvironment = Readonly<Record<string, string>>;

/** What a warm process loads before its first run, as it is told: `env` is set before anything is imported. */
export interface WarmLoad {
  readonly imports: readonly string[];
  readonly env: CellEnvironment;
}

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

/** Whether a key was asked for before; the latest `most` are remembered. */
export function createSeenEnvironments(most: number): (key: string) => boolean {
  const seen = new Map<string, true>();
  return (key) => {
    const wasSeen = seen.has(key);
    keepLatest(seen, [key, true], most);
    return wasSeen;
  };
}
