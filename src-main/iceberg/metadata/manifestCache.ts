import type { ContentFile, ManifestFile } from './manifests.ts';

export interface ManifestCacheStats {
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

/** Manifests that were read, the least recently used ones dropped. Manifests never change. */
export class ManifestCache {
  readonly #most: number;
  readonly #manifests = new Map<string, readonly ContentFile[]>();
  #files = 0;
  #counts = { hits: 0, misses: 0, updates: 0, evictions: 0 };

  /** @param most files of all manifests together */
  constructor(most = MOST_FILES) {
    this.#most = most;
  }

  async read(
    manifest: ManifestFile,
    load: () => Promise<readonly ContentFile[]>,
  ): Promise<readonly ContentFile[]> {
    const key = keyOf(manifest);
    const known = this.#manifests.get(key);
    if (known !== undefined) {
      this.#counts.hits += 1;
      this.#manifests.delete(key);
      this.#manifests.set(key, known);
      return known;
    }
    this.#counts.misses += 1;
    const files = await load();
    this.#keep(key, files);
    return files;
  }

  stats(): ManifestCacheStats {
    const { hits, misses } = this.#counts;
    const total = hits + misses;
    return {
      ...{ size: this.#files, max_size: this.#most, ...this.#counts },
      hit_rate: total === 0 ? 0 : hits / total,
    };
  }

  #keep(key: string, files: readonly ContentFile[]): void {
    if (files.length > this.#most || this.#manifests.has(key)) return;
    this.#manifests.set(key, files);
    this.#files += files.length;
    this.#counts.updates += 1;
    for (const [oldest, dropped] of this.#manifests) {
      if (this.#files <= this.#most) break;
      this.#manifests.delete(oldest);
      this.#files -= dropped.length;
      this.#counts.evictions += 1;
    }
  }
}

/** All that the list says of a manifest: one that is listed otherwise is checked again. */
function keyOf({ path, length, specId, content, sequenceNumber, liveFiles }: ManifestFile): string {
  return [path, length, specId, content, sequenceNumber, liveFiles].join('\0');
}
