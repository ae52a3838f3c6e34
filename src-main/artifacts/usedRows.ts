/** SQL statements that record when results were last used and delete the unused ones. */

import type { Database, Statement } from 'better-sqlite3';
import type { ArtifactRow, RowRef, UsedRow } from './artifact.ts';
import { LAST_USE_MS } from './retention.ts';
import { HAS_VALID_DIGEST, ROW_COLUMNS, type StoredRow, toRow } from './rows.ts';

/** The SQL of retention: recording uses, and deleting versions. */
export interface UsedRows {
  /** A version was read. Stored in memory until `write` saves it. */
  note(row: ArtifactRow, now: number): void;
  /** Call inside a transaction. */
  write(): void;
  hasNews(): boolean;
  /** Up to `limit` finished versions after `after`, by id and version. */
  page(after: RowRef, limit: number): readonly UsedRow[];
  /**
   * Deletes a version unless it was used after `unusedSince`; returns its blob, or null. Call inside a
   * transaction.
   */
  remove(ref: RowRef, unusedSince: number): string | null;
}

/** Maximum number of uses in memory after they are stored. */
const MAX_REMEMBERED = 2_000;

export function prepareUsedRows(database: Database): UsedRows {
  const uses = new Map<string, { readonly ref: RowRef; readonly at: number; isWritten: boolean }>();
  const touch = database.prepare(
    'UPDATE artifact_versions SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ? AND version = ?',
  );
  const page = database.prepare(
    `SELECT ${ROW_COLUMNS}, coalesce(last_used_at, created_at) AS used FROM artifact_versions
     WHERE ${HAS_VALID_DIGEST} AND (id, version) > (?, ?) AND state <> 'building' ORDER BY id, version LIMIT ?`,
  ) as Statement<unknown[], StoredRow & { readonly used: number }>;
  const remove = database
    .prepare(
      `DELETE FROM artifact_versions WHERE id = ? AND version = ? AND state <> 'building'
         AND coalesce(last_used_at, created_at) <= ? RETURNING content_sha256`,
    )
    .pluck() as Statement<unknown[], string>;
  return {
    note({ id, version }, now) {
      const key = `${version} ${id}`;
      const before = uses.get(key);
      if (before !== undefined && now - before.at < LAST_USE_MS) return;
      uses.set(key, { ref: { id, version }, at: now, isWritten: false });
    },
    write() {
      for (const use of uses.values()) {
        if (!use.isWritten) touch.run(use.at / 1000, use.ref.id, use.ref.version);
        use.isWritten = true;
      }
      // Stored uses are only remembered to store them less often.
      if (uses.size > MAX_REMEMBERED) uses.clear();
    },
    hasNews: () => [...uses.values()].some(({ isWritten }) => !isWritten),
    page: (after, limit) =>
      page.all(after.id, after.version, limit).map(({ used, ...stored }) => ({
        row: toRow(stored),
        lastUsedAt: Math.round(used * 1000),
      })),
    remove: ({ id, version }, unusedSince) => remove.get(id, version, unusedSince / 1000) ?? null,
  };
}
