import type { Database } from 'better-sqlite3';
import type { KeptBecause } from '../../src-shared/wire/routes/artifactCatalog.ts';
import type { Party, StoredVersion, VersionRef, VersionRow } from './versionRow.ts';
import { versionRowOf } from './versionRow.ts';

export interface CatalogQuery {
  /** A part of the id or of a name; null: any. */
  readonly search: string | null;
  /** The start of the content type; null: any. */
  readonly contentType: string | null;
  /** Only versions retained for this reason, or for none; null: all. */
  readonly kept: KeptBecause | 'nothing' | null;
  /** Only this version; null: all. */
  readonly ref: VersionRef | null;
  readonly limit: number;
  readonly offset: number;
}

export interface CatalogEntry {
  readonly row: VersionRow;
  readonly names: readonly string[];
  readonly keptBecause: readonly KeptBecause[];
}

/** The SQL condition on a row of `artifact_versions v` for each of the collector's reasons. */
const REASONS: Readonly<Record<KeptBecause, string>> = {
  named: 'EXISTS (SELECT 1 FROM artifact_names WHERE artifact_id = v.id AND version = v.version)',
  alias: 'EXISTS (SELECT 1 FROM artifact_aliases WHERE artifact_id = v.id AND version = v.version)',
  pending:
    "EXISTS (SELECT 1 FROM registry_pending WHERE artifact_id = v.id AND version = v.version AND action = 'set')",
  published: 'EXISTS (SELECT 1 FROM artifact_publications WHERE artifact_id = v.id AND version = v.version)',
  pinned: 'EXISTS (SELECT 1 FROM artifact_pins WHERE artifact_id = v.id AND version = v.version)',
  input: 'EXISTS (SELECT 1 FROM artifact_inputs WHERE input_id = v.id AND input_number = v.version)',
  building: "v.state = 'building'",
};
const NAMES = Object.keys(REASONS) as KeptBecause[]; // the keys of a literal

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
    add(
      `(instr(lower(v.id), ?) > 0 OR EXISTS (SELECT 1 FROM artifact_names n WHERE n.artifact_id = v.id
         AND n.version = v.version AND instr(lower(n.name), ?) > 0))`,
      lower,
      lower,
    );
  }
  if (query.ref !== null) add('v.id = ? AND v.version = ?', query.ref.id, query.ref.version);
  if (query.contentType !== null) {
    add('substr(v.content_type, 1, ?) = ?', [...query.contentType].length, query.contentType);
  }
  if (query.kept === 'nothing') add(`NOT (${NAMES.map((name) => REASONS[name]).join(' OR ')})`);
  else if (query.kept !== null) add(REASONS[query.kept]);
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  const reasons = NAMES.map((name) => `${REASONS[name]} AS kept_${name}`).join(', ');
  const page = database
    .prepare<unknown[], StoredVersion & Readonly<Record<string, unknown>>>(
      `SELECT v.*, ${reasons} FROM artifact_versions v ${filter}
       ORDER BY v.created_at DESC, v.id DESC, v.version DESC LIMIT ? OFFSET ?`,
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
