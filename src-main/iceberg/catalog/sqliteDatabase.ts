/** Opens a SQLite file that holds the tables of an Iceberg SQL catalog. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { whenDatabaseFree } from '../../artifacts/database.ts';
import { IcebergError } from '../icebergError.ts';
import type { CatalogRow, WritableDatabase } from './sqlCatalog.ts';

/** Writers lock the file only briefly; if it stays locked for longer, the query fails. */
const LOCK_WAIT_MS = 1000;

/** Pause between attempts of a change; other work runs in the meantime. */
const CHANGE_WAIT_MS = 20;

/**
 * The SQLite file of a catalog, opened for reading, or with `mayWrite` for changes; then a missing file is created.
 * @throws IcebergError `not_found` when there is no such file, or no folder for it
 */
export function openSqliteDatabase(path: string, { mayWrite = false } = {}): WritableDatabase {
  if (!existsSync(dirname(path))) {
    throw new IcebergError('not_found', `There is no warehouse folder ${dirname(path)}.`);
  }
  if (!mayWrite && !existsSync(path)) {
    throw new IcebergError('not_found', `There is no catalog in the warehouse: ${path} is missing.`);
  }
  let database: Database.Database;
  try {
    database = new Database(
      path,
      mayWrite ? { timeout: CHANGE_WAIT_MS } : { readonly: true, fileMustExist: true, timeout: LOCK_WAIT_MS },
    );
  } catch (error) {
    throw unreadable(path, error);
  }
  return {
    async rows(sql, parameters, signal) {
      signal.throwIfAborted();
      try {
        return database.prepare(sql).all(...parameters) as CatalogRow[]; // as better-sqlite3 gives rows
      } catch (error) {
        // The first writer creates the tables.
        if (error instanceof Error && /no such table/.test(error.message)) return [];
        throw unreadable(path, error);
      }
    },
    async change(sql, parameters, signal) {
      signal.throwIfAborted();
      try {
        return await whenDatabaseFree(() => database.prepare(sql).run(...parameters).changes);
      } catch (error) {
        throw unreadable(path, error);
      }
    },
    close: async () => void database.close(),
  };
}

function unreadable(path: string, error: unknown): IcebergError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'error';
  return new IcebergError('unavailable', `The catalog ${path} cannot be read (${code}).`, { cause: error });
}
