/** The tables of the artifact store's database, and the migration of older databases. */

import { closeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { whenDatabaseFree } from '../artifacts/database.ts';
import { walUnsafeBecause } from '../artifacts/walSafety.ts';
import { openInPlace } from '../lib/guardedFolder/replace.ts';
import { PRIVATE_FOLDER } from '../lib/privateFiles.ts';
import { RegistryError } from './registryError.ts';

/** The version of the tables below (docs/spec/core-services.md, 6). */
export const SCHEMA_VERSION = 10;
const DATABASE_FILE = 'registry.sqlite';
/** How long SQLite itself waits for another process: short, because it blocks the thread. */
const SQLITE_WAIT_MS = 50;

/**
 * Tables of the artifact store of a server. Times are epoch seconds; a tenant of '' is "no tenant". Columns after
 * `superseded_by` are Cellar's own.
 */
export const TABLES = `
CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS artifact_versions (
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('building', 'ready', 'superseded', 'failed')),
  provenance_hash TEXT NOT NULL,
  schema_json TEXT,
  row_count INTEGER,
  byte_size INTEGER,
  created_at REAL NOT NULL,
  transform_spec TEXT,
  input_versions TEXT,
  tenant TEXT NOT NULL DEFAULT '',
  principal TEXT,
  content_sha256 TEXT,
  blob_attempt TEXT,
  last_used_at REAL,
  minted INTEGER NOT NULL DEFAULT 0,
  superseded_by TEXT,
  content_type TEXT NOT NULL DEFAULT 'arrow/ipc',
  details TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (id, version)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS artifact_one_ready ON artifact_versions (tenant, provenance_hash) WHERE state = 'ready';
CREATE INDEX IF NOT EXISTS artifact_listed ON artifact_versions (created_at, id, version, content_type, tenant, state);
CREATE INDEX IF NOT EXISTS artifact_by_size ON artifact_versions (byte_size);
CREATE INDEX IF NOT EXISTS artifact_by_rows ON artifact_versions (row_count);
CREATE TABLE IF NOT EXISTS artifact_inputs (
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  input_uri TEXT NOT NULL,
  input_version TEXT NOT NULL,
  input_id TEXT,
  input_number INTEGER,
  PRIMARY KEY (id, version, input_uri)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS artifact_readers ON artifact_inputs (input_id, input_number);
CREATE TABLE IF NOT EXISTS artifact_names (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  artifact_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at REAL NOT NULL,
  PRIMARY KEY (tenant, name)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS names_of_artifact ON artifact_names (artifact_id, version);
CREATE TABLE IF NOT EXISTS artifact_aliases (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  alias TEXT NOT NULL,
  artifact_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at REAL NOT NULL,
  PRIMARY KEY (tenant, name, alias)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS aliases_of_artifact ON artifact_aliases (artifact_id, version);
CREATE TABLE IF NOT EXISTS artifact_tags (
  tenant TEXT NOT NULL,
  artifact_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (tenant, artifact_id, version, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS registry_audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at REAL NOT NULL,
  actor TEXT,
  action TEXT NOT NULL,
  name TEXT,
  alias TEXT,
  artifact_id TEXT,
  from_artifact_id TEXT,
  from_version INTEGER,
  to_version INTEGER,
  key TEXT,
  value TEXT,
  tenant TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS registry_pending (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  alias TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('set', 'delete')),
  artifact_id TEXT,
  version INTEGER,
  requested_by TEXT,
  requested_at REAL NOT NULL,
  PRIMARY KEY (tenant, name, alias)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS artifact_publications (
  token_hash TEXT PRIMARY KEY,
  artifact_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  title TEXT,
  published_at REAL NOT NULL,
  published_by TEXT,
  content_sha256 TEXT,
  revoked_at REAL,
  authors TEXT NOT NULL DEFAULT '[]',
  external_ids TEXT NOT NULL DEFAULT '[]'
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS publication_one_active
  ON artifact_publications (tenant, artifact_id, version) WHERE revoked_at IS NULL;
CREATE TABLE IF NOT EXISTS artifact_pins (
  artifact_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  reason TEXT NOT NULL,
  tenant TEXT NOT NULL,
  pinned_by TEXT,
  pinned_at REAL NOT NULL,
  PRIMARY KEY (artifact_id, version, reason)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS import_staging (
  tenant TEXT NOT NULL,
  content_sha256 TEXT NOT NULL,
  byte_size INTEGER NOT NULL,
  staged_at REAL NOT NULL,
  PRIMARY KEY (tenant, content_sha256)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS artifact_builds (
  build_id TEXT PRIMARY KEY,
  artifact_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'building', 'ready', 'failed')),
  executor_ref TEXT NOT NULL,
  executor_url TEXT,
  tenant_id TEXT NOT NULL,
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
  input_uris TEXT NOT NULL DEFAULT '[]',
  params TEXT NOT NULL DEFAULT '{}',
  name TEXT,
  logs TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS builds_by_state ON artifact_builds (state);
CREATE TABLE IF NOT EXISTS artifact_exports (
  tenant TEXT NOT NULL,
  artifact_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  table_uri TEXT NOT NULL,
  snapshot_id TEXT NOT NULL,
  exported_at REAL NOT NULL,
  exported_by TEXT,
  PRIMARY KEY (tenant, artifact_id, version, table_uri)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS stream_owners (
  stream_id TEXT PRIMARY KEY,
  node_url TEXT NOT NULL,
  registered_at REAL NOT NULL,
  expires_at REAL NOT NULL
) WITHOUT ROWID;
`;

/**
 * Opens, or creates, the database of the artifact store in `dir`.
 * @throws RegistryError unavailable if a newer release has written to it
 */
export async function openRegistryDatabase(dir: string): Promise<Database> {
  await mkdir(dir, { recursive: true, mode: PRIVATE_FOLDER });
  const { default: Sqlite } = await import('better-sqlite3');
  const path = join(dir, DATABASE_FILE);
  // SQLite gives its log files the mode of this file.
  closeSync(openInPlace(path));
  const database = new Sqlite(path, { timeout: SQLITE_WAIT_MS });
  try {
    const isWal = (await walUnsafeBecause(dir)) === null;
    await whenDatabaseFree(() => {
      database.pragma(`journal_mode = ${isWal ? 'WAL' : 'DELETE'}`);
      database.pragma(`synchronous = ${isWal ? 'NORMAL' : 'FULL'}`);
      database.pragma('foreign_keys = ON');
      migrate(database, path);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: Database, path: string): void {
  database
    .transaction(() => {
      database.exec(TABLES);
      // Of earlier versions; `artifact_listed` begins with the same column.
      database.exec('DROP INDEX IF EXISTS artifact_by_creation');
      const version = Number(database.prepare('SELECT max(version) FROM schema_version').pluck().get() ?? 0);
      if (version > SCHEMA_VERSION) {
        throw new RegistryError(
          'unavailable',
          `The artifact store ${path} was written by a newer version of Cellar (store version ${version}, this version supports ${SCHEMA_VERSION}). Update Cellar, or set SVC_ARTIFACT_DIR to another folder.`,
        );
      }
      database
        .prepare('INSERT OR IGNORE INTO schema_version VALUES (?, ?)')
        .run(SCHEMA_VERSION, Date.now() / 1000);
    })
    .immediate();
}
