/** The audit log of the server's artifact store: who changed which name, alias or version. */

import type { Database } from 'better-sqlite3';
import type { Party } from './versionRow.ts';

type AuditAction =
  | 'name_set'
  | 'name_delete'
  | 'alias_set'
  | 'alias_delete'
  | 'alias_request_set'
  | 'alias_request_delete'
  | 'alias_approved'
  | 'alias_rejected'
  | 'tag_set'
  | 'tag_delete'
  | 'publish'
  | 'credit'
  | 'withdraw';

/** One recorded change, as shown to clients. */
interface AuditEntry {
  readonly seq: number;
  readonly at: number;
  readonly actor: string | null;
  readonly action: string;
  readonly name: string | null;
  readonly alias: string | null;
  readonly artifact_id: string | null;
  readonly from_artifact_id: string | null;
  readonly from_version: number | null;
  readonly to_version: number | null;
  readonly key: string | null;
  readonly value: string | null;
  readonly tenant: string;
}

type AuditFields = Partial<Omit<AuditEntry, 'seq' | 'at' | 'actor' | 'action' | 'tenant'>>;

/** The record of changes. Entries are written in the transaction of their change, so sequence order is commit order. */
export interface AuditLog {
  add(action: AuditAction, fields: AuditFields, party: Party): void;
  /** The entries, newest first. */
  entries(
    query: { name: string | null; artifactId: string | null; limit: number },
    party: Party,
  ): readonly AuditEntry[];
  /** Entries after `since`, oldest first, and the sequence number to continue from. */
  events(
    query: { since: number; limit: number },
    party: Party,
  ): { events: readonly AuditEntry[]; next: number };
}

export function createAuditLog(database: Database, now: () => number): AuditLog {
  const insert = database.prepare(
    `INSERT INTO registry_audit (at, actor, action, name, alias, artifact_id, from_artifact_id, from_version, to_version, key,
       value, tenant)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    add(action, f, party) {
      insert.run(
        ...[now(), party.principal, action, f.name ?? null, f.alias ?? null, f.artifact_id ?? null],
        ...[f.from_artifact_id ?? null, f.from_version ?? null, f.to_version ?? null, f.key ?? null],
        ...[f.value ?? null, party.tenant],
      );
    },
    entries({ name, artifactId, limit }, party) {
      return database
        .prepare<unknown[], AuditEntry>(
          `SELECT * FROM registry_audit WHERE (? OR tenant = ?) AND (? IS NULL OR name = ?)
             AND (? IS NULL OR artifact_id = ?) ORDER BY seq DESC LIMIT ?`,
        )
        .all(...tenantFilter(party), name, name, artifactId, artifactId, limit);
    },
    events({ since, limit }, party) {
      const events = database
        .prepare<unknown[], AuditEntry>(
          'SELECT * FROM registry_audit WHERE (? OR tenant = ?) AND seq > ? ORDER BY seq LIMIT ?',
        )
        .all(...tenantFilter(party), since, limit);
      return { events, next: events.at(-1)?.seq ?? since };
    },
  };
}

function tenantFilter(party: Party): readonly [number, string] {
  return [party.isAdmin ? 1 : 0, party.tenant];
}
