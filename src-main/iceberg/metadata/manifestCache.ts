/** Keeps parsed manifests of Iceberg tables in memory, so that repeated scans do not read them again. */

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

/** Maximum number of files in all cached manifests; a file takes about a kilobyte. */
const MAX_FILES = 100_000;

/** Parsed manifests, and their files that match given conditions. Manifests never change. */
export class ManifestCache {
  readonly #whole: FileLists;
  readonly #filtered: FileLists;

  /** @param most maximum number of files, for whole and for filtered manifests each */
  constructor(most = MAX_FILES) {
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
   * The files of a manifest that may contain a matching row.
   * @param conditions a text that is equal for equal conditions on the same columns
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

/** Lists of files by key; the least recently used are dropped. */
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
      size: this.#size,
      max_size: this.#most,
      ...this.#counts,
      hit_rate: total === 0 ? 0 : hits / total,
    };
  }
}

/** An empty list takes memory too. */
function sizeOf(files: readonly ContentFile[]): number {
  return Math.max(1, files.length);
}

/** All fields that the manifest list has: a manifest that is listed differently is checked again. */
function keyOf({ path, length, specId, content, sequenceNumber, liveFiles }: ManifestFile): string {
  return [path, length, specId, content, sequenceNumber, liveFiles].join('\0');
}
