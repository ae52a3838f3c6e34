/** Creates the tables of a result store's database, and migrates databases of older releases. */

import { lstatSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { moveTo, removeFile } from '../lib/guardedFolder/names.ts';
import { StoreError } from './artifact.ts';
import { recheckRows } from './recheck.ts';

/** The shared schema's version (docs/spec/core-services.md, 6) and that of Cellar's additions. */
const SCHEMA_VERSION = 10;
const OWN_VERSION = 2;
/** The version from which on rows record observations. */
const OBSERVED_SINCE = 2;

/**
 * `content_type` and `content_key` are ours; the rest keeps the shared names. Unlike the shared store, one provenance
 * may be ready under several ids: each id keeps its own row (docs/spec/provenance-and-cache.md, 2).
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

/**
 * Creates missing tables, and migrates rows of an older version after copying the file. Returns how many
 * results must be made again before they answer, see recheck.ts. @throws StoreError newer_schema when a newer
 * version has written here
 */
export function migrate(database: Database, path: string): number {
  const upToDate = () =>
    versionOf(database, 'schema_version', path, SCHEMA_VERSION) === SCHEMA_VERSION &&
    versionOf(database, 'cellar_schema', path, OWN_VERSION) === OWN_VERSION;
  if (upToDate()) return 0;
  const own = versionOf(database, 'cellar_schema', path, OWN_VERSION);
  if (own > 0 && own < OBSERVED_SINCE) keepCopy(database, `${path}.v${own}`);
  return database
    .transaction(() => {
      if (upToDate()) return 0;
      const before = versionOf(database, 'cellar_schema', path, OWN_VERSION);
      database.exec(TABLES);
      const now = Date.now() / 1000;
      database.prepare('INSERT OR IGNORE INTO schema_version VALUES (?, ?)').run(SCHEMA_VERSION, now);
      database.prepare('INSERT OR IGNORE INTO cellar_schema VALUES (?, ?)').run(OWN_VERSION, now);
      return before > 0 && before < OBSERVED_SINCE ? recheckRows(database) : 0;
    })
    .immediate();
}

/**
 * The rows as an older version left them, for a user who goes back to it. Only one copy: the first is the
 * unchanged one.
 */
function keepCopy(database: Database, copy: string): void {
  if (lstatSync(copy, { throwIfNoEntry: false }) !== undefined) return;
  const temp = `${copy}.${process.pid}.tmp`;
  removeFile(temp);
  database.prepare('VACUUM INTO ?').run(temp);
  moveTo(temp, copy);
}

function versionOf(
  database: Database,
  table: 'schema_version' | 'cellar_schema',
  path: string,
  supported: number,
): number {
  const exists = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table);
  if (exists === undefined) return 0;
  const version = Number(database.prepare(`SELECT max(version) FROM ${table}`).pluck().get() ?? 0);
  if (version > supported) {
    throw new StoreError(
      'newer_schema',
      `the results stored in ${path} were written by a newer version of Cellar (store version ${version}, this version supports ${supported}): open them with that version, or delete the folder to start over`,
    );
  }
  return version;
}
