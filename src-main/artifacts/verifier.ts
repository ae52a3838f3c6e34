/** Checks that a stored result's bytes still match their digest before they are read; the result store uses it. */

import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { moveTo } from '../lib/guardedFolder/names.ts';
import { makePrivateFolder } from '../lib/makePrivateFolder.ts';
import type { ArtifactRow, BlobReadResult } from './artifact.ts';
import { type BlobFolder, blobPath } from './blobFolder.ts';
import { whenDatabaseFree } from './database.ts';
import { digestOf, type EarlyDigest, type FileStamp, fileStampOf } from './digest.ts';
import type { Rows } from './rows.ts';

/**
 * Verifies blobs by their digest: at the first read after the start, and again when size, time or inode changed. A
 * wrong blob is moved to quarantine and every row of it is marked failed, so that no cache hit can use it.
 */
export class Verifier {
  readonly #folder: BlobFolder;
  readonly #database: Database;
  readonly #rows: Rows;
  readonly #right = new Map<string, FileStamp>();
  readonly #wrong = new Map<string, BlobReadResult>();
  readonly #running = new Map<string, Promise<BlobReadResult>>();

  constructor(parts: { readonly folder: BlobFolder; readonly database: Database; readonly rows: Rows }) {
    this.#folder = parts.folder;
    this.#database = parts.database;
    this.#rows = parts.rows;
  }

  /** This process has just written the bytes from memory and computed their digest. */
  trust(sha256: string): void {
    const stats = fileStampOf(blobPath(this.#folder, sha256));
    if (stats !== null) this.#right.set(sha256, stats);
    this.#wrong.delete(sha256);
  }

  isTrusted(sha256: string): boolean {
    const stats = this.#right.get(sha256);
    return stats !== undefined && stats === fileStampOf(blobPath(this.#folder, sha256));
  }

  /** A new blob of this digest was stored: earlier results of checks are obsolete. */
  placed(sha256: string): void {
    this.#wrong.delete(sha256);
  }

  /**
   * Verifies the bytes of a row.
   * @param early a digest whose computation started while the blob was being stored; it counts if the file has not
   * changed since
   */
  async check(row: ArtifactRow, early: EarlyDigest | null = null): Promise<BlobReadResult> {
    const { contentSha256 } = row;
    const path = blobPath(this.#folder, contentSha256);
    if (this.isTrusted(contentSha256)) return { kind: 'ok', path };
    const running = this.#running.get(contentSha256);
    if (running !== undefined) return running;
    const check = this.#check(row, path, early).finally(() => this.#running.delete(contentSha256));
    this.#running.set(contentSha256, check);
    return check;
  }

  /** Resolves when no check is running. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async #check(row: ArtifactRow, path: string, early: EarlyDigest | null): Promise<BlobReadResult> {
    const sha256 = row.contentSha256;
    // Another process may replace a wrong blob by a correct one during the check.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const before = fileStampOf(path);
      if (before === null) return this.#missing(row);
      const isBegun = attempt === 0 && early?.seen === before;
      const digest = await (isBegun ? early.digest : digestOf(path));
      if (digest === null || fileStampOf(path) !== before) continue;
      if (digest === sha256) {
        this.#right.set(sha256, before);
        this.#wrong.delete(sha256);
        return { kind: 'ok', path };
      }
      // Compares by name: the file may have been moved here, and another one written there, before it was
      // opened.
      if (isBegun) continue;
      const moved = this.#folder.borrows ? path : await this.#quarantine(sha256, before);
      if (moved === null) continue;
      const where = this.#folder.borrows ? `they are in ${moved}` : `they were moved to ${moved}`;
      const wrong: BlobReadResult = {
        kind: 'corrupt',
        message: `the stored bytes of ${row.id} version ${row.version} are damaged (expected SHA-256 ${sha256}, found ${digest}); ${where}`,
      };
      this.#wrong.set(sha256, wrong);
      return wrong;
    }
    return {
      kind: 'corrupt',
      message: `the stored bytes of ${row.id} keep changing while they are read (${path})`,
    };
  }

  async #missing(row: ArtifactRow): Promise<BlobReadResult> {
    const wrong = this.#wrong.get(row.contentSha256);
    if (wrong !== undefined) return wrong;
    const path = blobPath(this.#folder, row.contentSha256);
    const fail = this.#database.transaction(() => {
      if (fileStampOf(path) === null) this.#rows.failBlob(row.contentSha256);
    });
    await whenDatabaseFree(() => fail.immediate());
    return {
      kind: 'missing',
      message: `the stored bytes of ${row.id} version ${row.version} are gone (${path})`,
    };
  }

  /** Under the write lock, and only if the file is still the one that was read. Null otherwise. */
  async #quarantine(sha256: string, before: FileStamp): Promise<string | null> {
    const path = blobPath(this.#folder, sha256);
    makePrivateFolder(this.#folder.quarantineDir);
    const to = join(this.#folder.quarantineDir, `${sha256}-${Date.now()}`);
    const setAside = this.#database.transaction(() => {
      if (fileStampOf(path) !== before) return null;
      moveTo(path, to);
      this.#right.delete(sha256);
      this.#rows.failBlob(sha256);
      return to;
    });
    return whenDatabaseFree(() => setAside.immediate());
  }
}
