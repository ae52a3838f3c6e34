/** Lists the reasons why a version of the artifact store may not be deleted, for the window. */

import type { Database } from 'better-sqlite3';
import type { VersionRef, VersionRow } from './versionRow.ts';

type HoldKind =
  | 'named'
  | 'alias'
  | 'pending'
  | 'published'
  | 'withdrawn'
  | 'pinned'
  | 'input'
  | 'latest'
  | 'building';

/** One reason for which the collector retains a version. */
export interface Hold {
  readonly kind: HoldKind;
  /** The name, `name@alias`, the title, the reason of a pin, or the version that was made from it. */
  readonly what: string | null;
  readonly by: string | null;
  /** Epoch seconds. */
  readonly at: number | null;
}

/** The maximum number of listed versions that were made from it; the list of dependents counts the others. */
const MAX_READERS = 20;

const DIRECT = `
  SELECT 'named' AS kind, n.name AS what, n.updated_at AS at,
    (SELECT actor FROM registry_audit a WHERE a.tenant = n.tenant AND a.name = n.name AND a.action = 'name_set'
      ORDER BY seq DESC LIMIT 1) AS by
    FROM artifact_names n WHERE artifact_id = @id AND version = @version
  UNION ALL SELECT 'alias', l.name || '@' || l.alias, l.updated_at,
    (SELECT actor FROM registry_audit a WHERE a.tenant = l.tenant AND a.name = l.name AND a.alias = l.alias
      AND a.action IN ('alias_set', 'alias_approved') ORDER BY seq DESC LIMIT 1)
    FROM artifact_aliases l WHERE artifact_id = @id AND version = @version
  UNION ALL SELECT 'pending', name || '@' || alias, requested_at, requested_by
    FROM registry_pending WHERE artifact_id = @id AND version = @version AND action = 'set'
  UNION ALL SELECT CASE WHEN revoked_at IS NULL THEN 'published' ELSE 'withdrawn' END, title, published_at, published_by
    FROM artifact_publications WHERE artifact_id = @id AND version = @version
  UNION ALL SELECT 'pinned', reason, pinned_at, pinned_by
    FROM artifact_pins WHERE artifact_id = @id AND version = @version`;

/**
 * The reasons for which a version is retained, in the order of the collector's reasons. Empty: it is deleted once it is
 * idle.
 */
export function holdsOf(database: Database, row: VersionRow): readonly Hold[] {
  const ref: VersionRef = { id: row.id, version: row.version };
  const direct = database.prepare<[VersionRef], Hold>(DIRECT).all(ref);
  const readers = database
    .prepare<[VersionRef & { tenant: string }], Hold>(
      `SELECT 'input' AS kind, v.id || '@v=' || v.version AS what, v.principal AS by, v.created_at AS at
       FROM artifact_inputs i JOIN artifact_versions v ON v.id = i.id AND v.version = i.version
       WHERE i.input_id = @id AND i.input_number = @version AND v.tenant IN ('', @tenant)
       ORDER BY v.created_at DESC, v.id LIMIT ${MAX_READERS}`,
    )
    .all({ ...ref, tenant: row.tenant });
  const newest = database
    .prepare("SELECT max(version) FROM artifact_versions WHERE id = ? AND state = 'ready'")
    .pluck()
    .get(row.id);
  const plain = { what: null, by: null, at: null };
  return [
    ...direct,
    ...readers,
    ...(row.state === 'building' ? [{ kind: 'building', ...plain } as const] : []),
    ...(!row.isMinted && newest === row.version ? [{ kind: 'latest', ...plain } as const] : []),
  ];
}
