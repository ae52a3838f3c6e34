import { renameSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { PRIVATE_FOLDER } from '../lib/privateFiles.ts';
import type { ArtifactRow, Readable } from './artifact.ts';
import { type BlobFolder, blobPath } from './blobFolder.ts';
import { untilFree } from './database.ts';
import { digestOf, type EarlyDigest, type Seen, seenNow } from './digest.ts';
import type { Rows } from './rows.ts';

/**
 * Checks blobs against their digest: at the first read after start, and again when size, time or inode changed.
 * A wrong blob moves to quarantine and every row of it is marked failed, so no cache hit can use it.
 */
export class Verifier {
  readonly #folder: BlobFolder;
  readonly #database: Database;
  readonly #rows: Rows;
  readonly #right = new Map<string, Seen>();
  readonly #wrong = new Map<string, Readable>();
  readonly #running = new Map<string, Promise<Readable>>();

  constructor(parts: { readonly folder: BlobFolder; readonly database: Database; readonly rows: Rows }) {
    this.#folder = parts.folder;
    this.#database = parts.database;
    this.#rows = parts.rows;
  }

  /** The bytes were written by us a moment ago from memory whose digest we computed. */
  trust(sha256: string): void {
    const seen = seenNow(blobPath(this.#folder, sha256));
    if (seen !== null) this.#right.set(sha256, seen);
    this.#wrong.delete(sha256);
  }

  isTrusted(sha256: string): boolean {
    const seen = this.#right.get(sha256);
    return seen !== undefined && seen === seenNow(blobPath(this.#folder, sha256));
  }

  /** A new blob of this digest has been placed: what was said of an older one no longer holds. */
  placed(sha256: string): void {
    this.#wrong.delete(sha256);
  }

  /** `early`: a digest begun while the blob was still on its way here; it counts where nothing changed since. */
  async check(row: ArtifactRow, early: EarlyDigest | null = null): Promise<Readable> {
    const { contentSha256 } = row;
    const path = blobPath(this.#folder, contentSha256);
    if (this.isTrusted(contentSha256)) return { kind: 'ok', path };
    const running = this.#running.get(contentSha256);
    if (running !== undefined) return running;
    const check = this.#check(row, path, early).finally(() => this.#running.delete(contentSha256));
    this.#running.set(contentSha256, check);
    return check;
  }

  /** Resolves when nothing is being checked. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async #check(row: ArtifactRow, path: string, early: EarlyDigest | null): Promise<Readable> {
    const sha256 = row.contentSha256;
    // Another process may put a right blob in place of a wrong one while we look.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const before = seenNow(path);
      if (before === null) return this.#missing(row);
      const isBegun = attempt === 0 && early?.seen === before;
      const found = await (isBegun ? early.digest : digestOf(path));
      if (found === null || seenNow(path) !== before) continue;
      if (found === sha256) {
        this.#right.set(sha256, before);
        this.#wrong.delete(sha256);
        return { kind: 'ok', path };
      }
      // By its name: the file may have been moved here, and another written there, before it was opened.
      if (isBegun) continue;
      const moved = await this.#quarantine(sha256, before);
      if (moved === null) continue;
      const wrong: Readable = {
        kind: 'corrupt',
        message: `the stored bytes of ${row.id} version ${row.version} are damaged (expected SHA-256 ${sha256}, found ${found}); they were moved to ${moved}`,
      };
      this.#wrong.set(sha256, wrong);
      return wrong;
    }
    return {
      kind: 'corrupt',
      message: `the stored bytes of ${row.id} keep changing while they are read (${path})`,
    };
  }

  async #missing(row: ArtifactRow): Promise<Readable> {
    const wrong = this.#wrong.get(row.contentSha256);
    if (wrong !== undefined) return wrong;
    const path = blobPath(this.#folder, row.contentSha256);
    const fail = this.#database.transaction(() => {
      if (seenNow(path) === null) this.#rows.failBlob(row.contentSha256);
    });
    await untilFree(() => fail.immediate());
    return {
      kind: 'missing',
      message: `the stored bytes of ${row.id} version ${row.version} are gone (${path})`,
    };
  }

  /** Under the write lock, and only if the file is still the one that was read. Null when it is not. */
  async #quarantine(sha256: string, before: Seen): Promise<string | null> {
    const path = blobPath(this.#folder, sha256);
    await mkdir(this.#folder.quarantineDir, { recursive: true, mode: PRIVATE_FOLDER });
    const to = join(this.#folder.quarantineDir, `${sha256}-${Date.now()}`);
    const setAside = this.#database.transaction(() => {
      if (seenNow(path) !== before) return null;
      renameSync(path, to);
      this.#right.delete(sha256);
      this.#rows.failBlob(sha256);
      return to;
    });
    return untilFree(() => setAside.immediate());
  }
}
