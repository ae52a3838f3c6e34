/** Opens the SQLite database of a result store, waits for other processes' locks, and sets a damaged database aside. */

import { closeSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { checkedPath, moveTo } from '../lib/guardedFolder/names.ts';
import { openInPlace, unshareFile } from '../lib/guardedFolder/replace.ts';
import { StoreError } from './artifact.ts';
import { migrate } from './schema.ts';

/** How long to wait for another process's write (docs/spec/core-services.md, 6). */
const LOCK_WAIT_MS = 30_000;
/** SQLite waits on the main thread, so only briefly; longer waits are asynchronous. */
export const SQLITE_WAIT_MS = 50;
const RETRY_MS = 25;
/** How long to wait for the switch of the journal mode, which has no lock wait of its own. */
const JOURNAL_WAIT_MS = 2_000;
const DATABASE_FILE = 'artifacts.sqlite';

interface OpenDatabase {
  readonly database: Database;
  /** How many results of an older release were marked as possibly wrong (recheck.ts). */
  readonly rechecked: number;
  /** False if the fallback journal is in use. */
  readonly wal: boolean;
}

/**
 * Opens (or creates) the database of the store in `dir`. The addon needs Node-API 10; loading it on an older
 * runtime would end the process, so that is checked first. @throws StoreError unsupported_runtime,
 * newer_schema, unreadable
 */
export async function openDatabase(dir: string, options: { readonly wal: boolean }): Promise<OpenDatabase> {
  const napi = Number(process.versions['napi'] ?? 0);
  if (!(napi >= 10)) {
    throw new StoreError(
      'unsupported_runtime',
      `results are stored in SQLite, which needs Node 22.14 or newer (Node-API 10; this is ${process.version} with ${napi})`,
    );
  }
  const { default: Sqlite } = await import('better-sqlite3');
  const path = databasePath(dir);
  let database: Database | undefined;
  try {
    // SQLite writes in place and follows links; without this a copy of the folder by hard links would be
    // changed too.
    for (const suffix of ['', '-wal', '-shm', '-journal']) {
      checkedPath(`${path}${suffix}`);
      unshareFile(`${path}${suffix}`);
    }
    // SQLite gives its other files the mode of this one.
    closeSync(openInPlace(path));
    database = new Sqlite(path, { timeout: SQLITE_WAIT_MS });
    const wal = await setJournal(database, options.wal);
    database.pragma('foreign_keys = ON');
    const opened = database;
    const rechecked = await whenDatabaseFree(() => migrate(opened, path));
    return { database, wal, rechecked };
  } catch (error) {
    database?.close();
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      'unreadable',
      `the results stored in ${path} cannot be opened: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Two processes that create the same new database race for the switch, which SQLite's own lock wait does not
 * cover.
 */
async function setJournal(database: Database, wal: boolean): Promise<boolean> {
  return whenDatabaseFree(() => {
    const mode = database.pragma(`journal_mode = ${wal ? 'WAL' : 'DELETE'}`, { simple: true });
    const inWal = mode === 'wal';
    // A rollback journal is only as safe as its last sync; a write-ahead log survives a kill without one.
    database.pragma(`synchronous = ${inWal ? 'NORMAL' : 'FULL'}`);
    return inWal;
  }, JOURNAL_WAIT_MS);
}

/**
 * Performs `work` as soon as no other process writes, without blocking this process. @throws the last busy
 * error after `limitMs`, any other error at once
 */
export async function whenDatabaseFree<T>(work: () => T | Promise<T>, limitMs = LOCK_WAIT_MS): Promise<T> {
  const until = performance.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

export function databasePath(dir: string): string {
  return join(dir, DATABASE_FILE);
}

/** Whether an error means that the file is not a database, or has invalid pages. */
export function isDamage(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error;
  return isSqliteError(cause) && /^SQLITE_(CORRUPT|NOTADB)/.test(cause.code);
}

/** Moves a damaged database and its log aside; returns the new name of the file. */
export async function setDamagedDatabaseAside(dir: string): Promise<string> {
  const path = databasePath(dir);
  const to = `${path}.damaged-${Date.now()}`;
  // The log first: otherwise it would be applied to the new database.
  for (const suffix of ['-wal', '-shm']) await moveIfThere(`${path}${suffix}`, `${to}${suffix}`);
  await moveIfThere(path, to);
  return basename(to);
}

async function moveIfThere(from: string, to: string): Promise<void> {
  try {
    moveTo(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

export function isSqliteError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && /^SQLITE_/.test(String(error.code));
}

export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
