/** Records to which Iceberg tables versions of the artifact store were exported. */

import type { Database } from 'better-sqlite3';
import type { Party, VersionRef } from './versionRow.ts';

/** A version that was written to a table. */
interface TableExport {
  readonly ref: VersionRef;
  /** The table as the request named it. */
  readonly table: string;
  readonly snapshotId: string;
}

/** The tables that versions were exported to. The tags of these tables follow the aliases of their names. */
export interface TableExports {
  add(done: TableExport, party: Party): void;
  /** The tables that have a version. */
  tablesOf(ref: VersionRef, party: Party): readonly string[];
}

export function createTableExports(database: Database, now: () => number): TableExports {
  return {
    add({ ref, table, snapshotId }, { tenant, principal }) {
      database
        .prepare('INSERT OR REPLACE INTO artifact_exports VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(tenant, ref.id, ref.version, table, snapshotId, now(), principal);
    },
    tablesOf: ({ id, version }, { tenant }) =>
      database
        .prepare<[string, string, number], string>(
          'SELECT table_uri FROM artifact_exports WHERE tenant = ? AND artifact_id = ? AND version = ? ORDER BY table_uri',
        )
        .pluck()
        .all(tenant, id, version),
  };
}
