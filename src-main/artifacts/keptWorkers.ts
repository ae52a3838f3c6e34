import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { databasePath, openDatabase, untilFree } from './database.ts';
import { walUnsafeBecause } from './walSafety.ts';

/**
 * The server's list of workers, as it was last set (remote-execution 7, 8: it lies in the artifact database). What an
 * entry is, is not known here: it is JSON that comes out as it went in.
 */
export interface KeptWorkers {
  /** Null: nobody ever set it. @throws StoreError where the database cannot be read */
  read(): Promise<unknown>;
  /** Reads and writes in one transaction, so that of two servers none loses what the other wrote. */
  change<T extends readonly unknown[]>(edit: (before: unknown) => T): Promise<T>;
}

const TABLE = `
CREATE TABLE IF NOT EXISTS notebook_workers (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  entries TEXT NOT NULL,
  changed_at REAL NOT NULL
)`;

/** The list is read once and changed seldom: the database is open only meanwhile. */
export function createKeptWorkers(dir: string): KeptWorkers {
  const open = async () => {
    // The list holds tokens.
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const { database } = await openDatabase(dir, { wal: (await walUnsafeBecause(dir)) === null });
    return database;
  };
  return {
    async read() {
      if (!existsSync(databasePath(dir))) return null;
      const database = await open();
      try {
        return await untilFree(() => {
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
        return await untilFree(() => write.immediate());
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

/** The same for as long as the program runs: for a server without an artifact folder, and for tests. */
export function createKeptWorkersInMemory(entries: unknown = null): KeptWorkers {
  let kept = entries;
  return {
    read: async () => kept,
    async change(edit) {
      const after = edit(kept);
      kept = after;
      return after;
    },
  };
}
