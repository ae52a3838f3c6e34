/** Remembers which row groups data files have, in memory and in SVC_METADATA_DB, since data files never change. */

import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { RowGroup } from '../../iceberg/read/rowGroups.ts';
import { parseLocation } from '../../iceberg/storage/location.ts';
import { PRIVATE_FOLDER } from '../../lib/privateFiles.ts';
import type { Logger } from '../../observe/log.ts';
import { killPoint } from '../planeSteps.ts';

export interface Footers {
  /** The row groups of a file; null if they are unknown. */
  find(file: string): Promise<readonly RowGroup[] | null>;
  store(file: string, groups: readonly RowGroup[]): Promise<void>;
  /** Removes the entries of local files that no longer exist. @returns their number */
  cleanUp(): Promise<number>;
  stats(): Promise<FooterStats>;
  close(): void;
}

export interface FooterStats {
  readonly parquet_cache: {
    readonly size: number;
    readonly max_size: number;
    readonly hits: number;
    readonly misses: number;
    readonly hit_rate: number;
    readonly updates: number;
    readonly evictions: number;
  };
  readonly metadata_store: { readonly entries: number } | null;
}

const MAX_IN_MEMORY = 10_000;
/** The maximum length of all stored texts in memory together. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** @param path of the database. If it cannot be opened, footers are kept in memory only. */
export function createFooters(path: string, log: Pick<Logger, 'warn'>): Footers {
  /** Row groups by file, as JSON, which takes a fraction of the memory. */
  const memory = new Map<string, string>();
  let characters = 0;
  const counts = { hits: 0, misses: 0, updates: 0, evictions: 0 };
  let opening: Promise<Database | null> | null = null;
  let opened: Database | null = null;
  const open = async (): Promise<Database | null> => {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
      const { default: Sqlite } = await import('better-sqlite3');
      opened = new Sqlite(path);
      opened.pragma('journal_mode = WAL');
      opened.pragma('synchronous = NORMAL');
      opened.exec(
        `DROP TABLE IF EXISTS parquet_files;
         CREATE TABLE IF NOT EXISTS parquet_footers (path TEXT PRIMARY KEY, row_groups TEXT NOT NULL) WITHOUT ROWID`,
      );
      return opened;
    } catch (err) {
      log.warn({ err, path }, 'the database of scan metadata cannot be used; metadata stays in memory');
      opened?.close();
      opened = null;
      return null;
    }
  };
  const database = (): Promise<Database | null> => {
    opening ??= open();
    return opening;
  };
  const forget = (file: string): void => {
    characters -= memory.get(file)?.length ?? 0;
    memory.delete(file);
  };
  const remember = (file: string, text: string): void => {
    forget(file);
    memory.set(file, text);
    characters += text.length;
    for (const oldest of memory.keys()) {
      if (memory.size <= MAX_IN_MEMORY && characters <= MAX_CHARACTERS) break;
      forget(oldest);
      counts.evictions += 1;
    }
  };
  const groupsOf = (text: string): readonly RowGroup[] => JSON.parse(text) as RowGroup[]; // written below
  return {
    async find(file) {
      const cachedGroups = memory.get(file);
      if (cachedGroups !== undefined) {
        counts.hits += 1;
        return groupsOf(cachedGroups);
      }
      const text = (await database())
        ?.prepare<[string], string>('SELECT row_groups FROM parquet_footers WHERE path = ?')
        .pluck()
        .get(file);
      if (text === undefined) {
        counts.misses += 1;
        return null;
      }
      counts.hits += 1;
      remember(file, text);
      return groupsOf(text);
    },
    async store(file, groups) {
      counts.updates += 1;
      const text = JSON.stringify(groups);
      remember(file, text);
      (await database())?.prepare('INSERT OR REPLACE INTO parquet_footers VALUES (?, ?)').run(file, text);
      killPoint('footers_stored');
    },
    async cleanUp() {
      const store = await database();
      const stored = store?.prepare<[], string>('SELECT path FROM parquet_footers').pluck().all() ?? [];
      const missingFiles = [...new Set([...stored, ...memory.keys()])].filter((file) => {
        const place = parseLocation(file);
        return place.kind === 'local' && !existsSync(place.path);
      });
      for (const file of missingFiles) {
        forget(file);
        store?.prepare('DELETE FROM parquet_footers WHERE path = ?').run(file);
      }
      return missingFiles.length;
    },
    async stats() {
      const total = counts.hits + counts.misses;
      const entries = (await database())?.prepare('SELECT count(*) FROM parquet_footers').pluck().get();
      return {
        parquet_cache: {
          size: memory.size,
          max_size: MAX_IN_MEMORY,
          ...counts,
          hit_rate: total === 0 ? 0 : counts.hits / total,
        },
        metadata_store: entries === undefined ? null : { entries: Number(entries) },
      };
    },
    close: () => opened?.close(),
  };
}
