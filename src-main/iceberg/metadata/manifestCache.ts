/** Cache of parsed manifests, in memory. */

import type { ContentFile, ManifestFile } from './manifests.ts';

interface ManifestCacheStats {
  readonly size: number;
  readonly max_size: number;
  readonly hits: number;
  readonly misses: number;
  readonly hit_rate: number;
  readonly updates: number;
  readonly evictions: number;
}

/** Files of all manifests that are kept; a file takes about a kilobyte. */
const MOST_FILES = 100_000;

/** Manifests that were read, and what conditions leave of them. Manifests never change. */
export class ManifestCache {
  readonly #whole: FileLists;
  readonly #filtered: FileLists;

  /** @param most files of all manifests together, whole and filtered each */
  constructor(most = MOST_FILES) {
    this.#whole = new FileLists(most);
    this.#filtered = new FileLists(most);
  }

  async read(
    manifest: ManifestFile,
    load: () => Promise<readonly ContentFile[]>,
  ): Promise<readonly ContentFile[]> {
    const key = keyOf(manifest);
    const cachedFiles = this.#whole.find(key);
    if (cachedFiles !== null) return cachedFiles;
    const files = await load();
    this.#whole.store(key, files);
    return files;
  }

  /**
   * The files of a manifest that may have a row that matches.
   * @param conditions a text that is the same for the same conditions on the same columns
   */
  matching(
    manifest: ManifestFile,
    conditions: string,
    choose: () => readonly ContentFile[],
  ): readonly ContentFile[] {
    const key = `${keyOf(manifest)}\0${conditions}`;
    const cachedFiles = this.#filtered.find(key);
    if (cachedFiles !== null) return cachedFiles;
    const files = choose();
    this.#filtered.store(key, files);
    return files;
  }

  stats(): { readonly unfiltered: ManifestCacheStats; readonly filtered: ManifestCacheStats } {
    return { unfiltered: this.#whole.stats(), filtered: this.#filtered.stats() };
  }
}

/** Lists of files by a key, the least recently used ones dropped. */
class FileLists {
  readonly #most: number;
  readonly #lists = new Map<string, readonly ContentFile[]>();
  #size = 0;
  #counts = { hits: 0, misses: 0, updates: 0, evictions: 0 };

  constructor(most: number) {
    this.#most = most;
  }

  find(key: string): readonly ContentFile[] | null {
    const cachedList = this.#lists.get(key);
    if (cachedList === undefined) {
      this.#counts.misses += 1;
      return null;
    }
    this.#counts.hits += 1;
    this.#lists.delete(key);
    this.#lists.set(key, cachedList);
    return cachedList;
  }

  store(key: string, files: readonly ContentFile[]): void {
    const size = sizeOf(files);
    if (size > this.#most || this.#lists.has(key)) return;
    this.#lists.set(key, files);
    this.#size += size;
    this.#counts.updates += 1;
    for (const [oldest, dropped] of this.#lists) {
      if (this.#size <= this.#most) break;
      this.#lists.delete(oldest);
      this.#size -= sizeOf(dropped);
      this.#counts.evictions += 1;
    }
  }

  stats(): ManifestCacheStats {
    const { hits, misses } = this.#counts;
    const total = hits + misses;
    return {
      ...{ size: this.#size, max_size: this.#most, ...this.#counts },
      hit_rate: total === 0 ? 0 : hits / total,
    };
  }
}

/** An empty list takes memory, too. */
function sizeOf(files: readonly ContentFile[]): number {
  return Math.max(1, files.length);
}

/** All that the list says of a manifest: one that is listed otherwise is checked again. */
function keyOf({ path, length, specId, content, sequenceNumber, liveFiles }: ManifestFile): string {
  return [path, length, specId, content, sequenceNumber, liveFiles].join('\0');
}
