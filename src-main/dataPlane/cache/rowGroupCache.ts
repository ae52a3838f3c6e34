/** The cache of table row groups on disk, which scans read from: lookup, claims of concurrent readers, eviction. */

import type { Logger } from '../../observe/log.ts';
import {
  CACHE_VERSION,
  CacheFolder,
  type EntryMeta,
  type NewEntry,
  type StoredEntry,
  type ValidEntry,
} from './cacheFolder.ts';
import { tenantFolder } from './cacheKey.ts';
import { CacheMetrics } from './cacheMetrics.ts';
import type { EntryLayout } from './entryLayout.ts';

export interface CacheOptions {
  /** SVC_CACHE_DIR. */
  readonly dir: string;
  readonly maxBytes: number;
  readonly log: Pick<Logger, 'warn'>;
  /** Epoch seconds. */
  readonly now?: () => number;
}

/** Above the cap, the oldest entries are removed until the size is this fraction of it. */
const EVICTION_TARGET = 0.8;

/**
 * An entry that is being read: this server does not evict it until it is released; another one that shares the folder
 * may.
 */
export interface HeldEntry {
  readonly path: string;
  readonly meta: EntryMeta;
  readonly layout: EntryLayout;
  /** Size, time and inode of the file that the layout is of. */
  readonly stamp: string;
  /** Whether the entry is new. */
  readonly isNew: boolean;
  release(): void;
}

/** An entry while it is written. */
export interface EntryDraft extends Omit<NewEntry, 'finish'> {
  finish(meta: Parameters<NewEntry['finish']>[0]): Promise<HeldEntry>;
}

/** Another reader is fetching the row group; resolves when the fetch has succeeded or failed. */
export type Claim =
  | { readonly kind: 'mine'; settle(): void }
  | { readonly kind: 'theirs'; readonly over: Promise<void> };

/**
 * Row groups on disk. Concurrent misses of a key fetch once: the first to claim a key fetches, the others wait and
 * check again. Data files never change, so entries never become invalid.
 */
export class RowGroupCache {
  readonly metrics: CacheMetrics;
  readonly #folder: CacheFolder;
  readonly #maxBytes: number;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  /** The entries by key, in the order in which they were written. */
  #entries = new Map<string, StoredEntry>();
  #bytes = 0;
  readonly #held = new Map<string, number>();
  readonly #claims = new Map<string, Promise<void>>();
  #opening: Promise<void> | null = null;

  constructor({ dir, maxBytes, log, now = () => Date.now() / 1000 }: CacheOptions) {
    this.#folder = new CacheFolder(dir);
    this.#maxBytes = maxBytes;
    this.#log = log;
    this.#now = now;
    this.metrics = new CacheMetrics(now);
  }

  /** The folder of this version of the cache. */
  get dir(): string {
    return this.#folder.root;
  }

  get version(): string {
    return CACHE_VERSION;
  }

  pathOf({ key, folder }: Pick<StoredEntry, 'key' | 'folder'>): string {
    return this.#folder.pathOf(key, folder);
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** The entries, oldest first. */
  async entries(): Promise<readonly StoredEntry[]> {
    await this.#open();
    return [...this.#entries.values()];
  }

  /** An entry that is complete on disk, or null. */
  async hold(key: string, tenant: string): Promise<HeldEntry | null> {
    await this.#open();
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    const knownEntry = this.#entries.get(key) ?? null;
    const entry = await this.#folder.find(key, tenantFolder(tenant), knownEntry).catch((error: unknown) => {
      this.#unhold(key);
      throw error;
    });
    if (entry === null) {
      this.#forget(key);
      this.#unhold(key);
      return null;
    }
    if (knownEntry?.checked !== entry.checked) this.#add(entry);
    return this.#handle(entry, false);
  }

  #handle({ key, folder, meta, checked: { layout, stamp } }: ValidEntry, isNew: boolean): HeldEntry {
    let isHeld = true;
    return {
      path: this.#folder.pathOf(key, folder),
      meta,
      layout,
      stamp,
      isNew,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#unhold(key);
      },
    };
  }

  async has(key: string, tenant: string): Promise<boolean> {
    await this.#open();
    return this.#entries.has(key) || (await this.#folder.find(key, tenantFolder(tenant), null)) !== null;
  }

  claim(key: string): Claim {
    const over = this.#claims.get(key);
    if (over !== undefined) return { kind: 'theirs', over };
    let settle = (): void => undefined;
    const promise = new Promise<void>((resolve) => {
      settle = () => {
        // Another reader may have claimed it since.
        if (this.#claims.get(key) === promise) this.#claims.delete(key);
        resolve();
      };
    });
    this.#claims.set(key, promise);
    return { kind: 'mine', settle };
  }

  /** Starts an entry. When it is finished it is held, so that the reader that fetched it can read it. */
  async create(key: string, tenant: string): Promise<EntryDraft> {
    await this.#open();
    const { write, finish, abandon } = await this.#folder.create(key, tenant);
    return {
      write,
      abandon,
      finish: async (meta) => {
        const stored = await finish(meta);
        this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
        this.#forget(key);
        this.#add(stored);
        await this.#evict();
        return this.#handle(stored, true);
      },
    };
  }

  now(): number {
    return this.#now();
  }

  /** Removes all entries that are not being read. */
  async clear(): Promise<void> {
    await this.#open();
    for (const entry of [...this.#entries.values()]) await this.#drop(entry);
    this.metrics.reset();
  }

  async #evict(): Promise<void> {
    if (this.#bytes <= this.#maxBytes) return;
    const before = this.#bytes;
    let files = 0;
    for (const entry of [...this.#entries.values()]) {
      if (this.#bytes <= this.#maxBytes * EVICTION_TARGET) break;
      if (await this.#drop(entry)) files += 1;
    }
    if (files === 0) return;
    this.metrics.recordEviction({
      files_evicted: files,
      bytes_evicted: before - this.#bytes,
      reason: 'size_limit',
      cache_size_before: before,
      cache_size_after: this.#bytes,
    });
  }

  async #drop(entry: StoredEntry): Promise<boolean> {
    if (this.#held.has(entry.key)) return false;
    this.#forget(entry.key);
    await this.#folder.remove(entry);
    return true;
  }

  /** An existing entry keeps its place in the order. */
  #add(entry: StoredEntry): void {
    this.#bytes += entry.meta.size_bytes - (this.#entries.get(entry.key)?.meta.size_bytes ?? 0);
    this.#entries.set(entry.key, entry);
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.meta.size_bytes;
  }

  #unhold(key: string): void {
    const left = (this.#held.get(key) ?? 1) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
    if (left > 0 || this.#bytes <= this.#maxBytes) return;
    this.#evict().catch((err: unknown) =>
      this.#log.warn({ err }, 'evicting from the row-group cache failed'),
    );
  }

  #open(): Promise<void> {
    this.#opening ??= this.#folder.open().then(
      (entries) => {
        for (const entry of [...entries].sort((a, b) => a.meta.created_at - b.meta.created_at))
          this.#add(entry);
      },
      (error: unknown) => {
        this.#opening = null;
        throw error;
      },
    );
    return this.#opening;
  }
}
