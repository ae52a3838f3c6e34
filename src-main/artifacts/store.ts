/**
 * The result store of a notebook: rows in SQLite, bytes in blob files. The session reads and publishes results here.
 */

import { resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { removeTree } from '../lib/guardedFolder/names.ts';
import {
  type ArtifactRow,
  type ArtifactStore,
  type BlobReadResult,
  checkItems,
  type NewArtifact,
  type Promotion,
  type RemovalResult,
  type RowRef,
  StoreError,
  type UsedRow,
} from './artifact.ts';
import {
  type BlobFolder,
  blobPath,
  dropSource,
  type IsStored,
  placeBlob,
  type StagedBlob,
  sizeOf,
  stageBlob,
  syncFolder,
} from './blobFolder.ts';
import { readUses, removeRows } from './collector.ts';
import { isBusy, isSqliteError, SQLITE_WAIT_MS, whenDatabaseFree } from './database.ts';
import type { EarlyDigest } from './digest.ts';
import { deleteMoved, moveUnreferenced } from './gc.ts';
import type { InsertedRow, Rows } from './rows.ts';
import { openParts, type Parts, type StoreOptions, storeFilesExist } from './storeParts.ts';
import { parseArtifactUri } from './uri.ts';
import { Verifier } from './verifier.ts';

/** Added to the guard time, so that blobs freed within a moment are deleted together. */
const LATER_MS = 1_000;
/** A promotion blocks this process while it waits. */
const PROMOTE_WAIT_MS = 1_000;

/**
 * Opens (or creates) the store in `dir`: rows in SQLite, blobs in files next to it; sweeps leftovers of a
 * kill. Several processes may have one store open. @throws StoreError unsupported_runtime, newer_schema,
 * unreadable
 */
export async function openStore(dir: string, options: StoreOptions = {}): Promise<ArtifactStore> {
  const root = resolve(dir);
  return new SqliteArtifactStore(await openParts(root, options), () => openParts(root, options));
}

/** Owns the database handle and its folder in tmp until `close()`. */
class SqliteArtifactStore implements ArtifactStore {
  readonly notice: string | null;
  readonly #reopen: () => Promise<Parts>;
  /** Handles on databases whose files were deleted. */
  readonly #abandoned: Database[] = [];
  #parts: Parts;
  #verifier: Verifier;
  #renewing: Promise<void> | null = null;
  readonly #background = new Set<Promise<unknown>>();
  /** Digest of each pruned blob and when it was pruned, oldest first. */
  readonly #pruned = new Map<string, number>();
  #due: NodeJS.Timeout | null = null;
  #closing: Promise<void> | null = null;

  constructor(parts: Parts, reopen: () => Promise<Parts>) {
    this.#parts = parts;
    this.#reopen = reopen;
    this.notice = parts.notice;
    this.#verifier = new Verifier(parts);
    this.#inBackground(deleteMoved(parts.strays));
  }

  current(idPrefix: string, options?: { readonly without: string }): readonly ArtifactRow[] {
    return this.#read((rows) => rows.current(idPrefix, options?.without ?? null));
  }

  versions(id: string): readonly ArtifactRow[] {
    return this.#read((rows) => rows.versions(id));
  }

  rowByUri(uri: string): ArtifactRow | null {
    const ref = parseArtifactUri(uri);
    return ref === null ? null : this.#read((rows) => rows.get(ref.id, ref.version));
  }

  async readable(row: ArtifactRow): Promise<BlobReadResult> {
    const { used, now } = this.#open();
    used.note(row, now());
    return this.#verifier.check(row);
  }

  publish(items: readonly NewArtifact[]): Promise<readonly ArtifactRow[]> {
    this.#open();
    return this.#track(this.#publish(items));
  }

  promote(items: readonly Promotion[]): readonly ArtifactRow[] {
    const { database, folder, rows, now } = this.#open();
    const promote = database.transaction(() =>
      items.map((item) => {
        const inserted = rows.promote(item, now());
        const { contentSha256, byteSize } = inserted.row;
        if (sizeOf(blobPath(folder, contentSha256)) !== byteSize) {
          throw new StoreError(
            'blob_missing',
            `the stored bytes of ${item.id} version ${item.fromVersion} are missing`,
          );
        }
        return inserted;
      }),
    );
    let written: readonly InsertedRow[];
    // Synchronous, so SQLite itself must wait for the lock.
    database.pragma(`busy_timeout = ${PROMOTE_WAIT_MS}`);
    try {
      written = promote.immediate();
    } catch (error) {
      throw asStoreError(error);
    } finally {
      database.pragma(`busy_timeout = ${SQLITE_WAIT_MS}`);
    }
    this.#collect(written.flatMap(({ prunedBlobs }) => prunedBlobs));
    return written.map(({ row }) => row);
  }

  uses(): Promise<readonly UsedRow[]> {
    return this.#track(readUses(this.#open())).catch((error: unknown) => {
      throw asStoreError(error);
    });
  }

  remove(refs: readonly RowRef[], unusedSince: number): Promise<RemovalResult> {
    const removed = removeRows(this.#open(), refs, unusedSince).then(({ young, ...done }) => {
      this.#collect(young);
      return done;
    });
    return this.#track(removed).catch((error: unknown) => {
      throw asStoreError(error);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** @throws StoreError unreadable if the database turns out to be damaged */
  #read<T>(look: (rows: Rows) => T): T {
    try {
      return look(this.#open().rows);
    } catch (error) {
      throw asStoreError(error);
    }
  }

  async #publish(items: readonly NewArtifact[]): Promise<readonly ArtifactRow[]> {
    checkItems(items);
    if (items.length === 0) return [];
    await this.#renewWhereGone();
    const { folder, step } = this.#parts;
    step('started');
    const isKept: IsStored = (sha256, byteSize) =>
      this.#verifier.isTrusted(sha256) && sizeOf(blobPath(folder, sha256)) === byteSize;
    const stage = (isKept: IsStored) =>
      settle(items.map((item) => stageBlob(folder, item.blob, { step, isKept: isKept })));
    let staged = await stage(isKept);
    const sources = items.flatMap(({ blob }) => ('file' in blob ? [blob.file] : []));
    sources.push(...sourcesOf(staged));
    try {
      step('blobs_synced');
      let written = await this.#placeAndWrite(items, staged);
      // A blob that was in place may have been deleted, because other processes sweep too.
      if (written === null && staged.some(({ source }) => source === null)) {
        staged = await stage(() => false);
        sources.push(...sourcesOf(staged));
        written = await this.#placeAndWrite(items, staged);
      }
      if (written === null)
        throw new StoreError('blob_missing', 'result files vanish from the store while they are saved');
      for (const { sha256, hashed } of staged) if (hashed) this.#verifier.trust(sha256);
      for (const [index, { row }] of written.entries()) this.#checkLater(row, staged[index]?.check ?? null);
      this.#collect(written.flatMap(({ prunedBlobs }) => prunedBlobs));
      return written.map(({ row }) => row);
    } finally {
      // Most were moved, and a check is faster than a failing removal.
      for (const source of sources) if (sizeOf(source) !== null) await dropSource(source);
      step('cleaned');
    }
  }

  /** The folder was removed while open: its content is lost, but new results must be stored. */
  async #renewWhereGone(): Promise<void> {
    if (storeFilesExist(this.#parts)) return;
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    await this.#renewing;
  }

  async #renew(): Promise<void> {
    const { database } = this.#parts;
    this.#parts = await this.#reopen();
    this.#abandoned.push(database);
    this.#verifier = new Verifier(this.#parts);
    this.#inBackground(deleteMoved(this.#parts.strays));
  }

  /** The rows, or null if the blob of one is missing after repeated attempts. */
  async #placeAndWrite(
    items: readonly NewArtifact[],
    staged: readonly StagedBlob[],
  ): Promise<readonly InsertedRow[] | null> {
    const { folder, step } = this.#parts;
    // A second round is for a blob that was in place but was swept by another process before our rows named
    // it.
    for (let round = 0; ; round += 1) {
      // A loop's last carry is stored under two ids, but as one file.
      const moved = new Set<string | null>();
      for (const blob of staged) {
        if (moved.has(blob.source)) continue;
        if (blob.source === null || (round > 0 && sizeOf(blob.source) === null)) continue;
        // A verified blob may be missing by now: the last version with it was pruned.
        if (blob.hashed && this.#verifier.isTrusted(blob.sha256) && isInPlaceAt(folder, blob)) continue;
        await placeBlob(folder, blob);
        moved.add(blob.source);
        this.#verifier.placed(blob.sha256);
      }
      step('blobs_placed');
      await syncFolder(folder.blobsDir);
      step('folder_synced');
      const written = await this.#insert(items, staged);
      if (written !== null || round === 2) return written;
    }
  }

  /** Inserts all rows in one transaction; null when a blob turns out to be missing. */
  #insert(
    items: readonly NewArtifact[],
    staged: readonly StagedBlob[],
  ): Promise<readonly InsertedRow[] | null> {
    const { database, folder, rows, now, step } = this.#parts;
    const insert = database.transaction(() => {
      step('transaction_begun');
      for (const { sha256, byteSize } of staged) {
        if (!isInPlaceAt(folder, { sha256, byteSize })) return null;
      }
      const createdAt = now();
      const written = items.map((item, index) => {
        const blob = staged[index];
        if (blob === undefined) throw new StoreError('invalid', 'an item without a staged blob');
        return rows.insert({ item, contentSha256: blob.sha256, byteSize: blob.byteSize }, createdAt, step);
      });
      step('rows_written');
      return written;
    });
    return whenDatabaseFree(() => insert.immediate()).then(
      (written) => {
        step('committed');
        return written;
      },
      (error: unknown) => {
        throw asStoreError(error);
      },
    );
  }

  /**
   * Verifies a digest given by the caller in the background, so that the first reader need not. Wrong blobs
   * are quarantined.
   */
  #checkLater(row: ArtifactRow, early: EarlyDigest | null): void {
    if (this.#verifier.isTrusted(row.contentSha256)) return;
    this.#inBackground(this.#verifier.check(row, early));
  }

  /**
   * Deletes blobs that no row refers to any more: the new ones, and earlier ones, once they are old enough.
   */
  #collect(freed: readonly string[]): void {
    const { database, rows, folder, prunedGuardMs } = this.#parts;
    // File times are real times, not those of a test's clock.
    const olderThan = Date.now() - prunedGuardMs;
    for (const blob of freed) this.#pruned.set(blob, Date.now());
    const blobs: string[] = [];
    for (const [blob, at] of this.#pruned) {
      if (at > olderThan) break;
      blobs.push(blob);
      this.#pruned.delete(blob);
    }
    if (blobs.length > 0)
      this.#inBackground(
        whenDatabaseFree(() => moveUnreferenced({ database, rows, folder, blobs, olderThan })).then(
          deleteMoved,
        ),
      );
    if (this.#pruned.size === 0 || this.#due !== null || this.#closing !== null) return;
    this.#due = setTimeout(() => {
      this.#due = null;
      if (this.#closing === null) this.#collect([]);
    }, prunedGuardMs + LATER_MS);
    // A process that ends before leaves them to the next opening.
    this.#due.unref();
  }

  /** A failure changes no result: readers verify for themselves, and the next open sweeps again. */
  #inBackground(work: Promise<unknown>): void {
    this.#track(work).catch((error: unknown) => {
      process.emitWarning(
        `store housekeeping failed: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#background.add(work);
    const forget = () => void this.#background.delete(work);
    work.then(forget, forget);
    return work;
  }

  #open(): Parts {
    if (this.#closing !== null) throw new StoreError('closed', 'the store is closed');
    return this.#parts;
  }

  /** A failure to record uses is ignored: the results only seem older than they are. */
  #writeUses(): void {
    const { database, used } = this.#parts;
    if (!used.hasNews()) return;
    try {
      database.transaction(() => used.write()).immediate();
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      process.emitWarning(`when results were last used could not be written down: ${error.message}`);
    }
  }

  async #close(): Promise<void> {
    if (this.#due !== null) clearTimeout(this.#due);
    // Background work may start more (a publication its check), so repeat until there is none.
    while (this.#background.size > 0) await Promise.allSettled(this.#background);
    await this.#verifier.settled();
    this.#writeUses();
    for (const database of [this.#parts.database, ...this.#abandoned]) database.close();
    await removeTree(this.#parts.folder.ownTmp);
  }
}

/** Converts an error of SQLite to a refusal of the store. */
function asStoreError(error: unknown): unknown {
  if (isBusy(error)) {
    return new StoreError('busy', 'another program has locked these results', {
      cause: error,
    });
  }
  if (!isSqliteError(error)) return error;
  return new StoreError('unreadable', `the stored results cannot be used: ${error.message}`, {
    cause: error,
  });
}

/** Like `Promise.all`, but waits for all to end, so that nothing is written after the failure is reported. */
async function settle<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const endings = await Promise.allSettled(work);
  return endings.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

function sourcesOf(staged: readonly StagedBlob[]): readonly string[] {
  return staged.flatMap(({ source }) => (source === null ? [] : [source]));
}

function isInPlaceAt(
  folder: BlobFolder,
  { sha256, byteSize }: Pick<StagedBlob, 'sha256' | 'byteSize'>,
): boolean {
  return sizeOf(blobPath(folder, sha256)) === byteSize;
}
