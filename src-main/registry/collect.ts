import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { parseArtifactUri } from '../artifacts/uri.ts';
import type { BlobFiles } from './blobFiles.ts';
import { type Collectable, type CollectLimits, keyOf, planCollection } from './collectPlan.ts';
import { reach } from './storeSteps.ts';
import type { VersionRef, VersionState } from './versionRow.ts';

/** Versions deleted in one transaction. */
const BATCH = 1_000;
/** Files removed before other work gets a turn. */
const FILES = 100;
/** Rows read before other work gets a turn. */
const PAGE = 2_000;

export interface Collected {
  readonly versions: readonly Collectable[];
  readonly deletedBytes: number;
  /** Bytes of all remaining versions. */
  readonly storeBytes: number;
}

/** Finds and, unless `dryRun`, deletes the versions that nothing references any more (docs/spec/core-services.md). */
export async function collect(
  { database, blobs }: { database: Database; blobs: BlobFiles },
  { limits, dryRun }: { readonly limits: CollectLimits; readonly dryRun: boolean },
): Promise<Collected> {
  const all = await readAll(database);
  const plan = planCollection(all, limits);
  const deleted: Collectable[] = [];
  if (dryRun) deleted.push(...plan);
  else {
    for (let from = 0; from < plan.length; from += BATCH) {
      deleted.push(...deleteBatch(database, plan.slice(from, from + BATCH), limits.now));
      reach('batch_deleted');
      await nextTurn();
    }
    for (const [at, ref] of deleted.entries()) {
      blobs.remove(blobs.pathOf(ref));
      if (at % FILES === FILES - 1) await nextTurn();
    }
  }
  const deletedBytes = deleted.reduce((sum, { byteSize }) => sum + byteSize, 0);
  const storeBytes = all.reduce((sum, { byteSize }) => sum + byteSize, 0) - (dryRun ? 0 : deletedBytes);
  return { versions: deleted, deletedBytes, storeBytes };
}

/** Versions that something holds now, were used since the plan, or became an input since then. */
const HELD = `
  EXISTS (SELECT 1 FROM artifact_names WHERE artifact_id = d.id AND version = d.version)
  OR EXISTS (SELECT 1 FROM artifact_aliases WHERE artifact_id = d.id AND version = d.version)
  OR EXISTS (SELECT 1 FROM registry_pending WHERE artifact_id = d.id AND version = d.version AND action = 'set')
  OR EXISTS (SELECT 1 FROM artifact_publications WHERE artifact_id = d.id AND version = d.version)
  OR EXISTS (SELECT 1 FROM artifact_pins WHERE artifact_id = d.id AND version = d.version)
  OR EXISTS (SELECT 1 FROM artifact_versions WHERE id = d.id AND version = d.version
       AND (state = 'building' OR coalesce(last_used_at, created_at) > d.last_used_at))
  OR EXISTS (SELECT 1 FROM artifact_inputs i JOIN artifact_versions v ON v.id = i.id AND v.version = i.version
       WHERE i.input_id = d.id AND i.input_number = d.version AND coalesce(v.last_used_at, v.created_at) >= @plannedAt)`;

/** Deletes a batch in one transaction, set by set. Versions that are held now, or used since `plannedAt`, remain. */
function deleteBatch(
  database: Database,
  batch: readonly Collectable[],
  plannedAt: number,
): readonly Collectable[] {
  database.exec(`CREATE TEMP TABLE IF NOT EXISTS doomed (
    id TEXT NOT NULL, version INTEGER NOT NULL, tenant TEXT NOT NULL, last_used_at REAL NOT NULL, PRIMARY KEY (id, version)
  ) WITHOUT ROWID`);
  const add = database.prepare(
    `INSERT INTO doomed SELECT id, version, tenant, @lastUsedAt FROM artifact_versions
     WHERE id = @id AND version = @version`,
  );
  const remove = database.transaction((): readonly Collectable[] => {
    database.exec('DELETE FROM doomed');
    const needed = neededSince(database, plannedAt);
    for (const one of batch) {
      const { id, version, lastUsedAt } = one;
      if (!needed.has(keyOf(one))) add.run({ id, version, lastUsedAt });
    }
    database.prepare(`DELETE FROM doomed AS d WHERE ${HELD}`).run({ plannedAt });
    const deleted = new Set(
      database.prepare<[], VersionRef>('SELECT id, version FROM doomed').all().map(keyOf),
    );
    const keys = '(SELECT id, version FROM doomed)';
    for (const table of ['artifact_names', 'artifact_aliases', 'artifact_pins']) {
      database.exec(`DELETE FROM ${table} WHERE (artifact_id, version) IN ${keys}`);
    }
    database.exec(
      'DELETE FROM artifact_tags WHERE (tenant, artifact_id, version) IN (SELECT tenant, id, version FROM doomed)',
    );
    for (const table of ['artifact_inputs', 'artifact_versions']) {
      database.exec(`DELETE FROM ${table} WHERE (id, version) IN ${keys}`);
    }
    return batch.filter((one) => deleted.has(keyOf(one)));
  });
  return remove.immediate();
}

/**
 * Versions that were referenced or created since a time, with everything they were made from: the plan could not
 * include them.
 */
function neededSince(database: Database, since: number): ReadonlySet<string> {
  const open = database
    .prepare<[{ since: number }], VersionRef>(
      `SELECT id, version FROM artifact_versions WHERE created_at >= @since
       UNION SELECT artifact_id, version FROM artifact_names WHERE updated_at >= @since
       UNION SELECT artifact_id, version FROM artifact_aliases WHERE updated_at >= @since
       UNION SELECT artifact_id, version FROM registry_pending WHERE action = 'set' AND requested_at >= @since
       UNION SELECT artifact_id, version FROM artifact_publications WHERE published_at >= @since
       UNION SELECT artifact_id, version FROM artifact_pins WHERE pinned_at >= @since`,
    )
    .all({ since });
  const inputsOf = database.prepare<[string, number], VersionRef>(
    `SELECT input_id AS id, input_number AS version FROM artifact_inputs
     WHERE id = ? AND version = ? AND input_id IS NOT NULL`,
  );
  const answers = database
    .prepare<[string, number], string | null>(
      'SELECT superseded_by FROM artifact_versions WHERE id = ? AND version = ?',
    )
    .pluck();
  const needed = new Set<string>();
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (needed.has(keyOf(ref))) continue;
    needed.add(keyOf(ref));
    open.push(...inputsOf.all(ref.id, ref.version));
    const other = answers.get(ref.id, ref.version) ?? null;
    const answer = other === null ? null : parseArtifactUri(other);
    if (answer !== null) open.push(answer);
  }
  return needed;
}

interface Stored extends VersionRef {
  readonly state: VersionState;
  readonly byte_size: number | null;
  readonly used: number;
  readonly minted: number;
  readonly superseded_by: string | null;
}

async function readAll(database: Database): Promise<readonly Collectable[]> {
  const references = new Set(
    database
      .prepare<[], VersionRef>(
        `SELECT artifact_id AS id, version FROM artifact_names UNION SELECT artifact_id, version FROM artifact_aliases
         UNION SELECT artifact_id, version FROM registry_pending WHERE action = 'set'
         UNION SELECT artifact_id, version FROM artifact_publications UNION SELECT artifact_id, version FROM artifact_pins`,
      )
      .all()
      .map(keyOf),
  );
  const needs = new Map<string, VersionRef[]>();
  const inputs = database.prepare<
    unknown[],
    VersionRef & { input_uri: string; input_id: string | null; input_number: number }
  >(
    `SELECT id, version, input_uri, input_id, input_number FROM artifact_inputs
     WHERE (id, version, input_uri) > (?, ?, ?) ORDER BY id, version, input_uri LIMIT ${PAGE}`,
  );
  for (let at = ['', 0, ''] as readonly unknown[]; ; ) {
    const page = inputs.all(...at);
    for (const { id, version, input_id, input_number } of page) {
      if (input_id === null) continue;
      const list = needs.get(keyOf({ id, version }));
      const need = { id: input_id, version: input_number };
      if (list === undefined) needs.set(keyOf({ id, version }), [need]);
      else list.push(need);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    at = [last.id, last.version, last.input_uri];
    await nextTurn();
  }
  const rows = database.prepare<unknown[], Stored>(
    `SELECT id, version, state, byte_size, coalesce(last_used_at, created_at) AS used, minted, superseded_by
     FROM artifact_versions WHERE (id, version) > (?, ?) ORDER BY id, version LIMIT ${PAGE}`,
  );
  const all: Collectable[] = [];
  for (let at = ['', 0] as readonly unknown[]; ; ) {
    const page = rows.all(...at);
    for (const row of page) {
      const key = keyOf(row);
      const other = row.superseded_by === null ? null : parseArtifactUri(row.superseded_by);
      all.push({
        ...{ id: row.id, version: row.version, state: row.state, byteSize: row.byte_size ?? 0 },
        ...{ lastUsedAt: row.used, isMinted: row.minted === 1, isReferenced: references.has(key) },
        needs: [...(needs.get(key) ?? []), ...(other === null ? [] : [other])],
      });
    }
    const last = page.at(-1);
    if (last === undefined) return all;
    at = [last.id, last.version];
    await nextTurn();
  }
}
