/** The tables of a notebook's SQL connections, cached for completion in SQL cells. */

import type { AnswerOf } from './rest.ts';
import { callRoute, RestError } from './rest.ts';

export type ConnectionTable = AnswerOf<'connectionSchema'>['tables'][number];

/** The known tables of a connection. */
interface TablesKnown {
  readonly tables: readonly ConnectionTable[];
  /** While the tables are being read for the first time: settles when they have been read or cannot be; else null. */
  readonly coming: Promise<void> | null;
}

/** The tables of connections, for SQL completion: requested at first use, cached, never waited for. */
export interface ConnectionTables {
  /**
   * @param mark anything that changes with the connection's settings
   */
  readonly now: (connection: { readonly name: string; readonly mark: string }) => TablesKnown;
}

/** How long cached tables are fresh, in ms. A later use gets them too, but requests them again. */
const FRESH_MS = 60_000;
const NO_TABLES: readonly ConnectionTable[] = [];

interface Kept {
  tables: readonly ConnectionTable[] | null;
  coming: Promise<void> | null;
  askedAt: number;
}

type ReadTables = (name: string) => Promise<readonly ConnectionTable[]>;

/** Reads tables by the server's schema route. @param sid returns the current session id */
export function readTablesOf(sid: () => string): ReadTables {
  return async (name) => (await callRoute('connectionSchema', { params: { sid: sid(), name } })).tables;
}

export function createConnectionTables(read: ReadTables, now: () => number = Date.now): ConnectionTables {
  const cache = new Map<string, Kept>();
  const ask = (entry: Kept, name: string): void => {
    entry.askedAt = now();
    entry.coming = read(name)
      .then((tables) => {
        entry.tables = tables;
      })
      .catch((error: unknown) => {
        // Completion does not report an unreachable database: the panel and a run do. The tables are requested again
        // later.
        if (!(error instanceof RestError)) throw error;
      })
      .finally(() => {
        entry.coming = null;
      });
  };
  return {
    now: ({ name, mark }) => {
      const key = `${name}\0${mark}`;
      const entry: Kept = cache.get(key) ?? { tables: null, coming: null, askedAt: Number.NEGATIVE_INFINITY };
      cache.set(key, entry);
      if (entry.coming === null && now() - entry.askedAt >= FRESH_MS) ask(entry, name);
      return { tables: entry.tables ?? NO_TABLES, coming: entry.tables === null ? entry.coming : null };
    },
  };
}
