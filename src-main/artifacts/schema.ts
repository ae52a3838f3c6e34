import type { Database } from 'better-sqlite3';
import { StoreError } from './artifact.ts';

/** The shared schema's version (core-services 11) and the one of our own additions beside it. */
const SCHEMA_VERSION = 10;
const OWN_VERSION = 1;

/**
 * `content_type` and `content_key` are ours; the rest keeps the shared names. Unlike the shared store, one
 * provenance may be ready under several ids: each id keeps its own row (semantics 4.2).
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS cellar_schema (version INTEGER PRIMARY KEY, applied_at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS artifact_versions (
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('building', 'ready', 'superseded', 'failed')),
  provenance_hash TEXT NOT NULL,
  schema_json TEXT,
  row_count INTEGER,
  byte_size INTEGER NOT NULL,
  created_at REAL NOT NULL,
  transform_spec TEXT,
  input_versions TEXT,
  tenant TEXT NOT NULL DEFAULT '',
  principal TEXT,
  content_sha256 TEXT NOT NULL,
  blob_attempt TEXT,
  last_used_at REAL,
  minted INTEGER NOT NULL DEFAULT 0,
  superseded_by TEXT,
  content_type TEXT NOT NULL,
  content_key TEXT,
  PRIMARY KEY (id, version)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS artifact_by_blob ON artifact_versions (content_sha256);
CREATE UNIQUE INDEX IF NOT EXISTS artifact_one_ready ON artifact_versions (id) WHERE state = 'ready';
`;

/** Makes missing tables. @throws StoreError newer_schema when a newer program has written here. */
export function migrate(database: Database, path: string): void {
  const upToDate = () =>
    versionOf(database, 'schema_version', path, SCHEMA_VERSION) === SCHEMA_VERSION &&
    versionOf(database, 'cellar_schema', path, OWN_VERSION) === OWN_VERSION;
  if (upToDate()) return;
  database
    .transaction(() => {
      if (upToDate()) return;
      database.exec(TABLES);
      const now = Date.now() / 1000;
      database.prepare('INSERT OR IGNORE INTO schema_version VALUES (?, ?)').run(SCHEMA_VERSION, now);
      database.prepare('INSERT OR IGNORE INTO cellar_schema VALUES (?, ?)').run(OWN_VERSION, now);
    })
    .immediate();
}

function versionOf(
  database: Database,
  table: 'schema_version' | 'cellar_schema',
  path: string,
  known: number,
): number {
  const exists = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table);
  if (exists === undefined) return 0;
  const found = Number(database.prepare(`SELECT max(version) FROM ${table}`).pluck().get() ?? 0);
  if (found > known) {
    throw new StoreError(
      'newer_schema',
      `the results kept in ${path} were written by a newer Cellar (store version ${found}, this one knows ${known}): open them with that version, or delete the folder to start again`,
    );
  }
  return found;
}
