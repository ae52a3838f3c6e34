import { errnoOf } from '../lib/atomicFile.ts';
import { type Place, pathOf } from '../lib/guardedFolder/place.ts';
import { insidePlace, lookAt } from '../lib/guardedFolder/read.ts';

/** A second write this soon after the first may leave the same times and the same size. */
const COARSE_MS = 50;

/**
 * Tells with one `stat` whether a file may hold other bytes than those that were last read.
 * A file that was written a moment ago is read each time: file systems round their times.
 */
export class FileMarks {
  readonly #seen = new Map<string, string>();

  /** @param isSame reads the file and compares it; called only where `stat` cannot answer */
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

/** What `stat` says of a file, as text, and when it was last changed. A file that is not there has a mark, too. */
function markOf(place: Place): { readonly mark: string; readonly atMs: number } {
  try {
    const found = lookAt(insidePlace(place));
    if (found === null) return { mark: 'missing', atMs: 0 };
    const { dev, ino, mode, size, mtimeMs, ctimeMs } = found;
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
