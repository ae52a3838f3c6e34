/** Notices with one `stat` whether a file of the notebook may have been changed by another program. */

import { errnoOf } from '../lib/atomicFile.ts';
import { type Place, pathOf } from '../lib/guardedFolder/place.ts';
import { insidePlace, lstatAt } from '../lib/guardedFolder/read.ts';

/** Within this time of a first write, a second one may give the same times and the same size. */
const COARSE_MS = 50;

/**
 * Remembers the stats of files when they were last read. A file that was written a moment ago is always read: file
 * systems round their times.
 */
export class FileMarks {
  readonly #seen = new Map<string, string>();

  /** @param isSame reads the file and compares it; called only if `stat` is not conclusive */
  isUnchanged(place: Place, isSame: () => boolean): boolean {
    const path = pathOf(place);
    const { mark, atMs } = markOf(place);
    if (this.#seen.get(path) === mark) return true;
    const same = isSame();
    if (same && Date.now() - atMs > COARSE_MS) this.#seen.set(path, mark);
    else this.#seen.delete(path);
    return same;
  }
}

/** The `stat` of a file as text, and when it was last changed. A missing file has a mark, too. */
function markOf(place: Place): { readonly mark: string; readonly atMs: number } {
  try {
    const stats = lstatAt(insidePlace(place));
    if (stats === null) return { mark: 'missing', atMs: 0 };
    const { dev, ino, mode, size, mtimeMs, ctimeMs } = stats;
    return {
      mark: `${dev}:${ino}:${mode}:${size}:${mtimeMs}:${ctimeMs}`,
      atMs: Math.max(mtimeMs, ctimeMs),
    };
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    return { mark: code, atMs: 0 };
  }
}
