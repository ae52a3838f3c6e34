import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { IcebergError } from '../icebergError.ts';
import type { CatalogDatabase, CatalogRow } from './sqlCatalog.ts';

/** A writer holds the file for a moment; longer, and the answer is an error. */
const LOCK_WAIT_MS = 1000;

/**
 * The SQLite file of a catalog, opened for reading.
 * @throws IcebergError `not_found` when there is no such file
 */
export function openSqliteDatabase(path: string): CatalogDatabase {
  if (!existsSync(dirname(path))) {
    throw new IcebergError('not_found', `There is no warehouse folder ${dirname(path)}.`);
  }
  if (!existsSync(path)) {
    throw new IcebergError('not_found', `There is no catalog in the warehouse: ${path} is missing.`);
  }
  let database: Database.Database;
  try {
    database = new Database(path, { readonly: true, fileMustExist: true, timeout: LOCK_WAIT_MS });
  } catch (error) {
    throw unreadable(path, error);
  }
  return {
    async rows(sql, parameters, signal) {
      signal.throwIfAborted();
      try {
        return database.prepare(sql).all(...parameters) as CatalogRow[]; // as better-sqlite3 gives rows
      } catch (error) {
        // The tables are made by the first writer.
        if (error instanceof Error && /no such table/.test(error.message)) return [];
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
