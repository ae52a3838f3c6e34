/** Tags (key and value) of versions in the artifact store, and pins, which keep a version from being deleted. */

import type { Database } from 'better-sqlite3';
import type { AuditLog } from './auditLog.ts';
import { immediate } from './names.ts';
import { RegistryError } from './registryError.ts';
import type { Party, VersionRef } from './versionRow.ts';
import type { Versions } from './versions.ts';

export interface Tags {
  set(ref: VersionRef, tag: { key: string; value: string }, party: Party): void;
  of(ref: VersionRef, party: Party): Readonly<Record<string, string>>;
  /** Removes a tag. @throws RegistryError not_found */
  remove(ref: VersionRef, key: string, party: Party): void;
  /** Versions that have a tag; `value` null: any value. */
  find(
    tag: { key: string; value: string | null },
    party: Party,
  ): readonly (VersionRef & { readonly value: string })[];
}

interface Pin {
  readonly artifact_id: string;
  readonly version: number;
  readonly reason: string;
  readonly tenant: string;
  readonly pinned_by: string | null;
  readonly pinned_at: number;
}

export interface Pins {
  /** Pins a version; pinning again for the same reason returns the first pin. */
  add(ref: VersionRef, reason: string, party: Party): Pin;
  of(ref: VersionRef): readonly Pin[];
  /** Removes a pin. @throws RegistryError not_found */
  remove(ref: VersionRef, reason: string, party: Party): void;
}

const MAX_KEY = 128;
const MAX_VALUE = 1_024;

export function createTags(
  database: Database,
  { versions, audit }: { readonly versions: Versions; readonly audit: AuditLog },
): Tags {
  return {
    set: immediate(
      database,
      (ref: VersionRef, { key, value }: { key: string; value: string }, party: Party) => {
        if (key === '' || key.length > MAX_KEY || value.length > MAX_VALUE || /[/\p{Cc}]/u.test(key)) {
          throw new RegistryError(
            'invalid',
            `A tag needs a key of 1 to ${MAX_KEY} characters without a slash, and a value of at most ${MAX_VALUE}.`,
          );
        }
        const row = versions.get(ref, party);
        database
          .prepare('INSERT OR REPLACE INTO artifact_tags VALUES (?, ?, ?, ?, ?)')
          .run(row.tenant, ref.id, ref.version, key, value);
        audit.add('tag_set', { artifact_id: ref.id, to_version: ref.version, key, value }, party);
      },
    ),
    of(ref, party) {
      const row = versions.get(ref, party);
      const rows = database
        .prepare<[string, string, number], { key: string; value: string }>(
          'SELECT key, value FROM artifact_tags WHERE tenant = ? AND artifact_id = ? AND version = ? ORDER BY key',
        )
        .all(row.tenant, ref.id, ref.version);
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
    remove: immediate(database, (ref: VersionRef, key: string, party: Party) => {
      const row = versions.get(ref, party);
      const { changes } = database
        .prepare('DELETE FROM artifact_tags WHERE tenant = ? AND artifact_id = ? AND version = ? AND key = ?')
        .run(row.tenant, ref.id, ref.version, key);
      if (changes === 0) throw new RegistryError('not_found', `Tag not found: ${key}`);
      audit.add('tag_delete', { artifact_id: ref.id, to_version: ref.version, key }, party);
    }),
    find: ({ key, value }, party) =>
      database
        .prepare<unknown[], VersionRef & { value: string }>(
          `SELECT artifact_id AS id, version, value FROM artifact_tags
           WHERE (? OR tenant IN ('', ?)) AND key = ? AND (? IS NULL OR value = ?) ORDER BY id, version`,
        )
        .all(party.isAdmin ? 1 : 0, party.tenant, key, value, value),
  };
}

export function createPins(
  database: Database,
  { versions, now }: { readonly versions: Versions; readonly now: () => number },
): Pins {
  const one = database.prepare<[string, number, string], Pin>(
    'SELECT * FROM artifact_pins WHERE artifact_id = ? AND version = ? AND reason = ?',
  );
  return {
    add: immediate(database, (ref: VersionRef, reason: string, party: Party) => {
      const row = versions.get(ref, party);
      database
        .prepare('INSERT OR IGNORE INTO artifact_pins VALUES (?, ?, ?, ?, ?, ?)')
        .run(ref.id, ref.version, reason, row.tenant, party.principal, now());
      const pin = one.get(ref.id, ref.version, reason);
      if (pin === undefined) throw new Error('a pin that was just written is missing');
      return pin;
    }),
    of: ({ id, version }) =>
      database
        .prepare<[string, number], Pin>(
          'SELECT * FROM artifact_pins WHERE artifact_id = ? AND version = ? ORDER BY reason',
        )
        .all(id, version),
    remove: immediate(database, (ref: VersionRef, reason: string, party: Party) => {
      versions.get(ref, party);
      const { changes } = database
        .prepare('DELETE FROM artifact_pins WHERE artifact_id = ? AND version = ? AND reason = ?')
        .run(ref.id, ref.version, reason);
      if (changes === 0) {
        throw new RegistryError('not_found', `Artifact version is not pinned for the reason "${reason}".`);
      }
    }),
  };
}
