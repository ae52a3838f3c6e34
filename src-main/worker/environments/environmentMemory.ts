/** Caches facts about the locked environments on a worker, such as their interpreter. */

import { statSync } from 'node:fs';
import { keepLatest } from '../../lib/keepLatest.ts';

/** A computed value, and the files it depends on, as they were before it was computed. */
interface Computed<T> {
  readonly value: T;
  readonly files: readonly string[];
  /** The {@link printOf} of these files. */
  readonly print: string;
}

/**
 * A cache of facts about locked environments, valid while the files they depend on do not change. To compute them
 * starts programs and reads folders, which takes longer than most cells.
 */
export type EnvironmentMemory<T> = (key: string, find: () => Promise<Computed<T>>) => Promise<T>;

/** How long an entry is valid, so that a newly installed interpreter is noticed. */
const FRESH_MS = 600_000;
const MAX_ENTRIES = 64;

export function createEnvironmentMemory<T>(now: () => number = Date.now): EnvironmentMemory<T> {
  const cache = new Map<string, Computed<T> & { readonly untilMs: number }>();
  return async (key, find) => {
    const entry = cache.get(key);
    if (entry !== undefined && now() < entry.untilMs && printOf(entry.files) === entry.print) {
      return entry.value;
    }
    const computed = await find();
    keepLatest(cache, [key, { ...computed, untilMs: now() + FRESH_MS }], MAX_ENTRIES);
    return computed.value;
  };
}

/**
 * A text that changes when one of the files is written, replaced or removed, and when a file is added to one that is a
 * folder.
 */
export function printOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const info = statSync(file, { throwIfNoEntry: false });
      return info === undefined ? '-' : `${info.dev} ${info.ino} ${info.size} ${info.mtimeMs}`;
    })
    .join('\n');
}
