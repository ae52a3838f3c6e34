/**
 * Opens the parts of a result store (blob folder, database, verifier), and replaces a damaged database by a new one.
 */

import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { makePrivateFolder } from '../lib/makePrivateFolder.ts';
import { StoreError } from './artifact.ts';
import { type BlobFolder, openBlobFolder, sizeOf } from './blobFolder.ts';
import { databasePath, isBusy, isDamage, openDatabase, setDamagedDatabaseAside } from './database.ts';
import { PRUNED_GUARD_MS, sweepStrays } from './gc.ts';
import { type StepHook, stepHook } from './publishSteps.ts';
import { prepareRows, type Rows } from './rows.ts';
import { prepareUsedRows, type UsedRows } from './usedRows.ts';
import { type StatfsType, walUnsafeBecause } from './walSafety.ts';

export interface StoreOptions {
  readonly clock?: { now(): number };
  /** Recorded with every artifact as its writer (docs/spec/provenance-and-cache.md, 2). */
  readonly executor?: string;
  /** For tests: the number `statfs` gives a file system. */
  readonly statfsType?: StatfsType;
  /** Where another folder's bytes are: they are read, never moved or removed. */
  readonly blobsFrom?: string;
  /** For tests: the guard time of a pruned blob. */
  readonly prunedGuardMs?: number;
  /** For tests: called at each step of a publication. */
  readonly onStep?: StepHook;
}

/** The parts of an open store. */
export interface Parts {
  readonly root: string;
  /** The identity of the database file; another file of that name is not ours. */
  readonly databaseFile: string | null;
  readonly database: Database;
  readonly rows: Rows;
  readonly used: UsedRows;
  readonly folder: BlobFolder;
  readonly now: () => number;
  readonly step: StepHook;
  readonly prunedGuardMs: number;
  /** Unused files to delete. */
  readonly strays: readonly string[];
  readonly notice: string | null;
}

/**
 * Opens (or creates) the store in `root` and sweeps leftovers of a kill. A damaged database is set aside and a new one
 * started: results can be computed again, and the notebook must open.
 * @throws StoreError unsupported_runtime, newer_schema, unreadable
 */
export async function openParts(root: string, options: StoreOptions): Promise<Parts> {
  try {
    return await tryOpen(root, options, null);
  } catch (error) {
    if (isDamage(error)) return tryOpen(root, options, await setDamagedDatabaseAside(root));
    if (!isSystemError(error)) throw error;
    throw new StoreError('unreadable', `results cannot be stored in ${root}: ${error.message}`, {
      cause: error,
    });
  }
}

async function tryOpen(root: string, options: StoreOptions, setAside: string | null): Promise<Parts> {
  makePrivateFolder(root);
  const unsafe = await walUnsafeBecause(root, options.statfsType);
  const own = await openBlobFolder(root);
  const borrows = options.blobsFrom !== undefined;
  const folder: BlobFolder = { ...own, blobsDir: options.blobsFrom ?? own.blobsDir, borrows };
  const { database, wal, rechecked } = await openDatabase(root, { wal: unsafe === null });
  try {
    const rows = prepareRows(database, options.executor ?? null);
    const strays = borrows ? [] : await sweptStrays({ database, rows, folder });
    const notices = [
      setAside === null
        ? []
        : [
            `The stored results were damaged. Their database was moved to ${setAside}. Cells have to run again.`,
          ],
      rechecked === 0
        ? []
        : [
            `${rechecked} stored results were made by an older version, which could reuse a result after a file or setting it depends on had changed. Each is checked when its cell runs next.`,
          ],
      unsafe === null
        ? []
        : [
            `Results are stored on ${unsafe}: ${wal ? 'its journal mode could not be changed, so do not open it on two machines at once' : 'a slower, safer journal is used'}.`,
          ],
    ].flat();
    return {
      root,
      databaseFile: fileIdentity(databasePath(root)),
      database,
      rows,
      used: prepareUsedRows(database),
      folder,
      now: () => options.clock?.now() ?? Date.now(),
      step: options.onStep ?? stepHook(process.env),
      strays,
      prunedGuardMs: options.prunedGuardMs ?? PRUNED_GUARD_MS,
      notice: notices.length === 0 ? null : notices.join(' '),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Empty while another process is writing: the next open sweeps. */
async function sweptStrays(parts: Pick<Parts, 'database' | 'rows' | 'folder'>): Promise<readonly string[]> {
  try {
    return await sweepStrays({ ...parts, now: Date.now() });
  } catch (error) {
    if (isBusy(error)) return [];
    throw error;
  }
}

/** Whether the files of an open store still exist. */
export function storeFilesExist({ root, databaseFile, folder }: Parts): boolean {
  return fileIdentity(databasePath(root)) === databaseFile && sizeOf(folder.blobsDir) !== null;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** Identifies a file while it exists; null if it does not. */
function fileIdentity(path: string): string | null {
  const info = statSync(path, { bigint: true, throwIfNoEntry: false });
  return info === undefined ? null : `${info.dev}:${info.ino}`;
}
