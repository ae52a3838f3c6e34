/** Lists the versions of the artifact store for its routes, and computes its totals. */

import type { Database } from 'better-sqlite3';
import {
  type Party,
  type StoredVersion,
  uriOf,
  type VersionRow,
  type VersionState,
  versionRowOf,
} from './versionRow.ts';

const ORDER_BY = { created_at: 'created_at', byte_size: 'byte_size', row_count: 'row_count' } as const;

export interface ListQuery {
  readonly limit: number;
  readonly offset: number;
  readonly state: VersionState | null;
  /** Only versions that have a name with this start. */
  readonly namePrefix: string | null;
  /** Only versions created at or after this time, in epoch seconds. */
  readonly since: number | null;
  readonly sort: keyof typeof ORDER_BY;
  readonly order: 'asc' | 'desc';
}

/** A page of the versions that a client may see. */
export function listVersions(database: Database, query: ListQuery, party: Party): readonly VersionRow[] {
  const where: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, ...added: readonly unknown[]): void => {
    where.push(condition);
    values.push(...added);
  };
  if (!party.isAdmin) add("tenant IN ('', ?)", party.tenant);
  if (query.state !== null) add('state = ?', query.state);
  if (query.since !== null) add('created_at >= ?', query.since);
  if (query.namePrefix !== null) {
    add(
      '(id, version) IN (SELECT artifact_id, version FROM artifact_names WHERE substr(name, 1, ?) = ?)',
      [...query.namePrefix].length,
      query.namePrefix,
    );
  }
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  const direction = query.order === 'asc' ? 'ASC' : 'DESC';
  return database
    .prepare<unknown[], StoredVersion>(
      `SELECT * FROM artifact_versions ${filter}
       ORDER BY ${ORDER_BY[query.sort]} ${direction}, id ${direction}, version ${direction} LIMIT ? OFFSET ?`,
    )
    .all(...values, query.limit, query.offset)
    .map(versionRowOf);
}

export interface StoreStats {
  readonly total_versions: number;
  readonly ready_versions: number;
  readonly building_versions: number;
  readonly superseded_versions: number;
  readonly failed_versions: number;
  readonly total_bytes: number;
  readonly total_rows: number;
  readonly name_count: number;
}

/** Totals of one tenant; of all if `tenant` is null. */
export function statsOf(database: Database, tenant: string | null): StoreStats {
  const [where, values] = tenant === null ? ['', []] : ['WHERE tenant = ?', [tenant]];
  const totals = database
    .prepare<unknown[], Omit<StoreStats, 'name_count'>>(
      `SELECT count(*) AS total_versions,
         count(*) FILTER (WHERE state = 'ready') AS ready_versions,
         count(*) FILTER (WHERE state = 'building') AS building_versions,
         count(*) FILTER (WHERE state = 'superseded') AS superseded_versions,
         count(*) FILTER (WHERE state = 'failed') AS failed_versions,
         coalesce(sum(byte_size), 0) AS total_bytes, coalesce(sum(row_count), 0) AS total_rows
       FROM artifact_versions ${where}`,
    )
    .get(...values);
  const names = database
    .prepare(`SELECT count(*) FROM artifact_names ${where}`)
    .pluck()
    .get(...values);
  if (totals === undefined) throw new Error('an aggregate query returned no row');
  return { ...totals, name_count: Number(names) };
}

export interface StoreUsage extends StoreStats {
  readonly unique_artifacts: number;
  /** Versions without a name, alias, tag, pin or publication, that no other version reads. */
  readonly unreferenced_count: number;
  readonly oldest_artifact: number | null;
  readonly newest_artifact: number | null;
}

export function usageOf(database: Database, tenant: string | null): StoreUsage {
  const [where, values] = tenant === null ? ['WHERE 1', []] : ['WHERE tenant = ?', [tenant]];
  const more = database
    .prepare<unknown[], Omit<StoreUsage, keyof StoreStats>>(
      `SELECT count(DISTINCT id) AS unique_artifacts, min(created_at) AS oldest_artifact, max(created_at) AS newest_artifact,
         count(*) FILTER (WHERE
           NOT EXISTS (SELECT 1 FROM artifact_names r WHERE r.artifact_id = v.id AND r.version = v.version)
           AND NOT EXISTS (SELECT 1 FROM artifact_aliases r WHERE r.artifact_id = v.id AND r.version = v.version)
           AND NOT EXISTS (SELECT 1 FROM artifact_pins r WHERE r.artifact_id = v.id AND r.version = v.version)
           AND NOT EXISTS (SELECT 1 FROM artifact_publications r WHERE r.artifact_id = v.id AND r.version = v.version)
           AND NOT EXISTS (SELECT 1 FROM artifact_inputs r WHERE r.input_id = v.id AND r.input_number = v.version)
         ) AS unreferenced_count
       FROM artifact_versions v ${where}`,
    )
    .get(...values);
  if (more === undefined) throw new Error('an aggregate query returned no row');
  return { ...statsOf(database, tenant), ...more };
}

/** A version in the form of lists. */
export function listEntry(row: VersionRow) {
  return {
    artifact_uri: uriOf(row),
    artifact_id: row.id,
    version: row.version,
    state: row.state,
    row_count: row.rowCount,
    byte_size: row.byteSize,
    created_at: row.createdAt,
  };
}
