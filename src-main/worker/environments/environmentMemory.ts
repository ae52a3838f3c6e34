import { statSync } from 'node:fs';
import { keepLatest } from '../../lib/keepLatest.ts';

/** An answer, and the files it stands on as they were before it was worked out. */
export interface Found<T> {
  readonly found: T;
  readonly files: readonly string[];
  /** {@link printOf} these files. */
  readonly print: string;
}

/**
 * What was found of locked environments, while the files it stands on stay as they are: to find one takes programs that
 * are started and folders that are looked through, which is longer than most cells.
 */
export type EnvironmentMemory<T> = (key: string, find: () => Promise<Found<T>>) => Promise<T>;

/** An interpreter installed meanwhile is found then. */
const FRESH_MS = 600_000;
const MOST_KEPT = 64;

export function createEnvironmentMemory<T>(now: () => number = Date.now): EnvironmentMemory<T> {
  const kept = new Map<string, Found<T> & { readonly untilMs: number }>();
  return async (key, find) => {
    const known = kept.get(key);
    if (known !== undefined && now() < known.untilMs && printOf(known.files) === known.print) {
      return known.found;
    }
    const found = await find();
    keepLatest(kept, [key, { ...found, untilMs: now() + FRESH_MS }], MOST_KEPT);
    return found.found;
  };
}

/** Changes when one of the files is written, replaced or removed, and when something comes into one that is a folder. */
export function printOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const info = statSync(file, { throwIfNoEntry: false });
      return info === undefined ? '-' : `${info.dev} ${info.ino} ${info.size} ${info.mtimeMs}`;
    })
    .join('\n');
}
