/**
 * Stores the state of signed builds (runs of cells on workers that exchange files by signed URLs) in the artifact folder,
 * for the servers that share that folder.
 */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';
import { StoreError } from './artifact.ts';
import { databasePath, openDatabase, whenDatabaseFree } from './database.ts';
import { walUnsafeBecause } from './walSafety.ts';

/** The row of one build (docs/spec/core-services.md, 6: artifact_builds and build_attempts). */
export interface BuildRow {
  readonly buildId: string;
  readonly artifactId: string;
  readonly version: number;
  readonly state: 'building' | 'ready' | 'failed';
  readonly executorRef: string;
  /** Epoch seconds, like all times. */
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly errorMessage: string | null;
  readonly errorCode: string | null;
  readonly outputBytes: number | null;
  readonly leaseOwner: string | null;
  readonly leaseExpiresAt: number | null;
  readonly inputUris: readonly string[];
  /** JSON, without the values of the environment. */
  readonly params: unknown;
  /** Beyond the specification: the process that serves it. */
  readonly heldBy: string;
  /** Beyond the specification: JSON that is stored unchanged. */
  readonly own: unknown;
  /** Each lease's upload, and until when it may be written. */
  readonly attempts: readonly { readonly attempt: string; readonly writableUntil: number }[];
}

/**
 * The builds of the servers that share an artifact folder. Each method throws StoreError if it cannot be
 * read.
 */
export interface StoredBuilds {
  save(row: BuildRow): Promise<void>;
  load(buildId: string): Promise<BuildRow | null>;
  all(): Promise<readonly BuildRow[]>;
  /** @returns false if another process has claimed it in the meantime */
  claim(buildId: string, by: { readonly from: string; readonly to: string }): Promise<boolean>;
  remove(buildId: string): Promise<void>;
  /** Waits for pending writes. Later ones are refused. @throws if the database could not be closed */
  close(): Promise<void>;
}

const TABLES = `
CREATE TABLE IF NOT EXISTS artifact_builds (
  build_id TEXT PRIMARY KEY,
  artifact_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'building', 'ready', 'failed')),
  executor_ref TEXT NOT NULL,
  executor_url TEXT,
  tenant_id TEXT,
  principal_id TEXT,
  created_at REAL NOT NULL,
  started_at REAL,
  completed_at REAL,
  error_message TEXT,
  error_code TEXT,
  input_byte_count INTEGER,
  output_byte_count INTEGER,
  lease_owner TEXT,
  lease_expires_at REAL,
  input_uris TEXT NOT NULL,
  params TEXT NOT NULL,
  name TEXT,
  logs TEXT,
  held_by TEXT NOT NULL,
  own TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS build_attempts (
  build_id TEXT NOT NULL,
  attempt TEXT NOT NULL,
  artifact_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  writable_until REAL NOT NULL,
  PRIMARY KEY (build_id, attempt)
);
`;

const SAVE = `
INSERT OR REPLACE INTO artifact_builds (build_id, artifact_id, version, state, executor_ref, created_at, started_at,
  completed_at, error_message, error_code, output_byte_count, lease_owner, lease_expires_at, input_uris, params, held_by, own)
VALUES (@buildId, @artifactId, @version, @state, @executorRef, @createdAt, @createdAt,
  @completedAt, @errorMessage, @errorCode, @outputBytes, @leaseOwner, @leaseExpiresAt, @inputUris, @params, @heldBy, @own)`;
const SAVE_ATTEMPT = 'INSERT OR REPLACE INTO build_attempts VALUES (?, ?, ?, ?, ?)';

/**
 * Opened at the first build; rows contain signing secrets, so that the folder is accessible to its owner
 * only.
 */
export function createStoredBuilds(dir: string): StoredBuilds {
  let opening: Promise<Database> | null = null;
  const open = async (): Promise<Database> => {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const { database } = await openDatabase(dir, { wal: (await walUnsafeBecause(dir)) === null });
    await whenDatabaseFree(() => database.exec(TABLES));
    return database;
  };
  const working = new Set<Promise<unknown>>();
  let isClosed = false;
  const using = <T>(work: (database: Database) => T): Promise<T> => {
    const running = use(work);
    working.add(running);
    const over = (): void => void working.delete(running);
    running.then(over, over);
    return running;
  };
  const use = async <T>(work: (database: Database) => T): Promise<T> => {
    if (isClosed) throw new StoreError('unreadable', `the store of builds in ${dir} is closed`);
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    const database = await opening;
    return whenDatabaseFree(() => work(database));
  };
  /** Without a database nothing is created for reading. */
  const reading = async <T>(nothing: T, work: (database: Database) => T): Promise<T> =>
    opening === null && !existsSync(databasePath(dir)) ? nothing : using(work);
  const readRow = (database: Database, row: Stored): BuildRow => {
    const attempts = database
      .prepare('SELECT attempt, writable_until AS writableUntil FROM build_attempts WHERE build_id = ?')
      .all(row.build_id) as BuildRow['attempts']; // of the columns named
    return rowOf(row, attempts);
  };
  return {
    save: (row) =>
      using((database) => {
        database
          .transaction(() => {
            const { inputUris, params, own, attempts, ...plain } = row;
            const texts = { inputUris, params, own };
            const asText = Object.fromEntries(Object.entries(texts).map(([k, v]) => [k, JSON.stringify(v)]));
            database.prepare(SAVE).run({ ...plain, ...asText });
            for (const { attempt, writableUntil } of attempts) {
              database
                .prepare(SAVE_ATTEMPT)
                .run(row.buildId, attempt, row.artifactId, row.version, writableUntil);
            }
          })
          .immediate();
      }),
    load: (buildId) =>
      reading<BuildRow | null>(null, (database) => {
        const stored = database.prepare('SELECT * FROM artifact_builds WHERE build_id = ?').get(buildId);
        return stored === undefined ? null : readRow(database, stored as Stored); // of the table above
      }),
    all: () =>
      reading<readonly BuildRow[]>([], (database) => {
        const rows = database.prepare('SELECT * FROM artifact_builds ORDER BY created_at').all();
        return (rows as Stored[]).map((row) => readRow(database, row)); // of the table above
      }),
    claim: (buildId, { from, to }) =>
      using((database) => {
        const sql = 'UPDATE artifact_builds SET held_by = ? WHERE build_id = ? AND held_by = ?';
        return database.prepare(sql).run(to, buildId, from).changes === 1;
      }),
    remove: (buildId) =>
      using((database) => {
        database
          .transaction(() => {
            for (const table of ['build_attempts', 'artifact_builds']) {
              database.prepare(`DELETE FROM ${table} WHERE build_id = ?`).run(buildId);
            }
          })
          .immediate();
      }),
    async close() {
      isClosed = true;
      await Promise.allSettled(working);
      // A failed opening was already reported to its caller.
      (await opening)?.close();
      opening = null;
    },
  };
}

interface Stored {
  readonly build_id: string;
  readonly artifact_id: string;
  readonly version: number;
  readonly state: BuildRow['state'];
  readonly executor_ref: string;
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly error_message: string | null;
  readonly error_code: string | null;
  readonly output_byte_count: number | null;
  readonly lease_owner: string | null;
  readonly lease_expires_at: number | null;
  readonly input_uris: string;
  readonly params: string;
  readonly held_by: string;
  readonly own: string;
}

function rowOf(row: Stored, attempts: BuildRow['attempts']): BuildRow {
  return {
    buildId: row.build_id,
    artifactId: row.artifact_id,
    version: row.version,
    state: row.state,
    executorRef: row.executor_ref,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    errorMessage: row.error_message,
    errorCode: row.error_code,
    outputBytes: row.output_byte_count,
    leaseOwner: row.lease_owner,
    leaseExpiresAt: row.lease_expires_at,
    inputUris: JSON.parse(row.input_uris) as string[], // as it was saved
    params: JSON.parse(row.params) as unknown,
    heldBy: row.held_by,
    own: JSON.parse(row.own) as unknown,
    attempts,
  };
}
