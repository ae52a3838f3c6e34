/** Lists the versions of the artifact store for the Artifacts page of the window. */

import type { Database } from 'better-sqlite3';
import type { RetentionReason } from '../../src-shared/wire/routes/artifactCatalog.ts';
import type { Party, StoredVersion, VersionRef, VersionRow } from './versionRow.ts';
import { versionRowOf } from './versionRow.ts';

export interface CatalogQuery {
  /** A part of the id or of a name; null: any. */
  readonly search: string | null;
  /** The start of the content type; null: any. */
  readonly contentType: string | null;
  /** Only versions retained for this reason, or for none; null: all. */
  readonly kept: RetentionReason | 'nothing' | null;
  /** Only this version; null: all. */
  readonly ref: VersionRef | null;
  readonly limit: number;
  readonly offset: number;
}

interface CatalogEntry {
  readonly row: VersionRow;
  readonly names: readonly string[];
  readonly keptBecause: readonly RetentionReason[];
}

/** The SQL condition on a row of `artifact_versions v` for each of the collector's reasons. */
const REASONS: Readonly<Record<RetentionReason, string>> = {
  named: 'EXISTS (SELECT 1 FROM artifact_names WHERE artifact_id = v.id AND version = v.version)',
  alias: 'EXISTS (SELECT 1 FROM artifact_aliases WHERE artifact_id = v.id AND version = v.version)',
  pending:
    "EXISTS (SELECT 1 FROM registry_pending WHERE artifact_id = v.id AND version = v.version AND action = 'set')",
  published: 'EXISTS (SELECT 1 FROM artifact_publications WHERE artifact_id = v.id AND version = v.version)',
  pinned: 'EXISTS (SELECT 1 FROM artifact_pins WHERE artifact_id = v.id AND version = v.version)',
  input: 'EXISTS (SELECT 1 FROM artifact_inputs WHERE input_id = v.id AND input_number = v.version)',
  building: "v.state = 'building'",
};
const NAMES = Object.keys(REASONS) as RetentionReason[]; // the keys of a literal

/** The bytes of all versions; summed again only after the database was changed, by this process or another one. */
export function createTotalBytes(database: Database): () => number {
  const sum = database.prepare('SELECT coalesce(sum(byte_size), 0) FROM artifact_versions').pluck();
  const ownChanges = database.prepare('SELECT total_changes()').pluck();
  let latestSum: { readonly state: string; readonly bytes: number } | null = null;
  return () => {
    const state = `${ownChanges.get()} ${database.pragma('data_version', { simple: true })}`;
    if (latestSum?.state !== state) latestSum = { state, bytes: Number(sum.get()) };
    return latestSum.bytes;
  };
}

/** A page of the versions that a client may see, newest first, with the reason each is retained. */
export function catalogOf(
  database: Database,
  query: CatalogQuery,
  party: Party,
): { readonly entries: readonly CatalogEntry[]; readonly hasMore: boolean } {
  const where: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, ...added: readonly unknown[]): void => {
    where.push(condition);
    values.push(...added);
  };
  if (!party.isAdmin) add("v.tenant IN ('', ?)", party.tenant);
  if (query.search !== null) {
    const lower = query.search.toLowerCase();
    const names = 'SELECT artifact_id, version FROM artifact_names WHERE instr(lower(name), ?) > 0';
    // Mostly no name matches, and then only ids are compared.
    if (database.prepare(`${names} LIMIT 1`).get(lower) === undefined)
      add('instr(lower(v.id), ?) > 0', lower);
    else add(`(instr(lower(v.id), ?) > 0 OR (v.id, v.version) IN (${names}))`, lower, lower);
  }
  if (query.ref !== null) add('v.id = ? AND v.version = ?', query.ref.id, query.ref.version);
  if (query.contentType !== null) {
    add('substr(v.content_type, 1, ?) = ?', [...query.contentType].length, query.contentType);
  }
  if (query.kept === 'nothing') add(`NOT (${NAMES.map((name) => REASONS[name]).join(' OR ')})`);
  else if (query.kept !== null) add(REASONS[query.kept]);
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  const reasons = NAMES.map((name) => `${REASONS[name]} AS kept_${name}`).join(', ');
  const order = 'ORDER BY v.created_at DESC, v.id DESC, v.version DESC';
  // The page is chosen from the index `artifact_listed` alone; only its rows are read.
  const page = database
    .prepare<unknown[], StoredVersion & Readonly<Record<string, unknown>>>(
      `SELECT v.*, ${reasons} FROM (
         SELECT v.id, v.version FROM artifact_versions v ${filter} ${order} LIMIT ? OFFSET ?
       ) p CROSS JOIN artifact_versions v ON v.id = p.id AND v.version = p.version ${order}`,
    )
    .all(...values, query.limit + 1, query.offset);
  const names = database
    .prepare<[string, number], string>(
      'SELECT name FROM artifact_names WHERE artifact_id = ? AND version = ? ORDER BY name',
    )
    .pluck();
  return {
    hasMore: page.length > query.limit,
    entries: page.slice(0, query.limit).map((row) => ({
      row: versionRowOf(row),
      names: names.all(row.id, row.version),
      keptBecause: NAMES.filter((name) => row[`kept_${name}`] === 1),
    })),
  };
}
