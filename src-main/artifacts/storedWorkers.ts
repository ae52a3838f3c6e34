/** Stores the server's list of workers in the artifact folder. */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { databasePath, openDatabase, whenDatabaseFree } from './database.ts';
import { walUnsafeBecause } from './walSafety.ts';

/**
 * The server's list of workers, as last set (docs/spec/remote-execution.md, 7, 8). Entries are opaque JSON here and are
 * stored unchanged.
 */
export interface StoredWorkers {
  /** Null: it was never set. @throws StoreError if the database cannot be read */
  read(): Promise<unknown>;
  /** Reads and writes in one transaction, so that two servers do not overwrite each other's changes. */
  change<T extends readonly unknown[]>(edit: (before: unknown) => T): Promise<T>;
}

const TABLE = `
CREATE TABLE IF NOT EXISTS notebook_workers (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  entries TEXT NOT NULL,
  changed_at REAL NOT NULL
)`;

/** The list is rarely read or changed, so the database is only open for the duration of a call. */
export function createStoredWorkers(dir: string): StoredWorkers {
  const open = async () => {
    // The list contains tokens.
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const { database } = await openDatabase(dir, { wal: (await walUnsafeBecause(dir)) === null });
    return database;
  };
  return {
    async read() {
      if (!existsSync(databasePath(dir))) return null;
      const database = await open();
      try {
        return await whenDatabaseFree(() => {
          database.exec(TABLE);
          return readEntries(database);
        });
      } finally {
        database.close();
      }
    },
    async change(edit) {
      const database = await open();
      try {
        const write = database.transaction(() => {
          database.exec(TABLE);
          const after = edit(readEntries(database));
          database
            .prepare('INSERT OR REPLACE INTO notebook_workers VALUES (1, ?, ?)')
            .run(JSON.stringify(after), Date.now() / 1000);
          return after;
        });
        return await whenDatabaseFree(() => write.immediate());
      } finally {
        database.close();
      }
    },
  };
}

function readEntries(database: { prepare(sql: string): { pluck(): { get(): unknown } } }): unknown {
  const text = database.prepare('SELECT entries FROM notebook_workers').pluck().get();
  return typeof text === 'string' ? JSON.parse(text) : null;
}

/** Creates the list in memory: for a server without an artifact folder, and for tests. */
export function createStoredWorkersInMemory(entries: unknown = null): StoredWorkers {
  let list = entries;
  return {
    read: async () => list,
    async change(edit) {
      const after = edit(list);
      list = after;
      return after;
    },
  };
}
