/** Deletes the versions of the server's artifact store that nothing references any more. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { parseArtifactUri } from '../artifacts/uri.ts';
import type { BlobFiles } from './blobFiles.ts';
import { type Collectable, type CollectLimits, keyOf, planSteps } from './collectPlan.ts';
import { killPoint } from './storeSteps.ts';
import type { VersionRef, VersionState } from './versionRow.ts';

/** How many versions are deleted in one transaction: about a millisecond, in which no run gets an answer. */
const BATCH = 128;
/** How many rows are read before other work can run. */
const PAGE = 400;

export interface CollectResult {
  readonly versions: readonly Collectable[];
  readonly deletedBytes: number;
  /** Bytes of all remaining versions. */
  readonly storeBytes: number;
}

/**
 * Finds and, unless `dryRun`, deletes the versions that nothing references any more (docs/spec/core-services.md, 6).
 */
export async function collect(
  { database, blobs }: { database: Database; blobs: BlobFiles },
  { limits, dryRun }: { readonly limits: CollectLimits; readonly dryRun: boolean },
): Promise<CollectResult> {
  const changes = changesOf(database);
  const before = changes();
  const all = await readAll(database);
  const steps = planSteps(all, limits);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await nextTurn();
  const plan = step.value;
  const deleted: Collectable[] = [];
  if (dryRun) deleted.push(...plan);
  else {
    const stored = plan.length === 0 ? NO_FILES : await blobs.listed();
    let removing = Promise.resolve();
    const deleteBatch = batchDeletion(database, { changes, before, plannedAt: limits.now });
    for (let from = 0; from < plan.length; from += BATCH) {
      const batch = deleteBatch(plan.slice(from, from + BATCH));
      deleted.push(...batch);
      killPoint('batch_deleted');
      // The files of a batch are removed while the rows of the next one are.
      removing = removing.then(() => blobs.removeAll(batch, stored));
      // Its failure is thrown below, after the rows.
      removing.catch(() => undefined);
      await nextTurn();
    }
    await removing;
  }
  const deletedBytes = deleted.reduce((sum, { byteSize }) => sum + byteSize, 0);
  const storeBytes = all.reduce((sum, { byteSize }) => sum + byteSize, 0) - (dryRun ? 0 : deletedBytes);
  return { versions: deleted, deletedBytes, storeBytes };
}

const NO_FILES: ReadonlySet<string> = new Set();

/** A text that differs when this connection or another one has changed the database since. */
function changesOf(database: Database): () => string {
  const own = database.prepare('SELECT total_changes()').pluck();
  return () => `${database.pragma('data_version', { simple: true })} ${own.get()}`;
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

/**
 * Returns a function that deletes one batch of versions after another, each in one transaction and table by table.
 * Versions that are held now, or used since `plannedAt`, remain; that is looked up only if the store has changed since
 * the plan was started.
 */
function batchDeletion(
  database: Database,
  {
    changes,
    before: planned,
    plannedAt,
  }: {
    readonly changes: () => string;
    /** The state of the database before the plan was made. */
    readonly before: string;
    readonly plannedAt: number;
  },
): (batch: readonly Collectable[]) => readonly Collectable[] {
  database.exec(`CREATE TEMP TABLE IF NOT EXISTS doomed (
    id TEXT NOT NULL, version INTEGER NOT NULL, tenant TEXT NOT NULL, last_used_at REAL NOT NULL, PRIMARY KEY (id, version)
  ) WITHOUT ROWID`);
  const add = database.prepare(
    `INSERT INTO doomed SELECT v.id, v.version, v.tenant, one.value ->> 2
     FROM json_each(?) one JOIN artifact_versions v ON v.id = one.value ->> 0 AND v.version = one.value ->> 1`,
  );
  const unmarkHeld = database.prepare(`DELETE FROM doomed AS d WHERE ${HELD}`);
  const remaining = database.prepare<[], VersionRef>('SELECT id, version FROM doomed');
  const keys = '(SELECT id, version FROM doomed)';
  const clear = database.prepare('DELETE FROM doomed');
  const references = ['artifact_names', 'artifact_aliases', 'artifact_pins'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE (artifact_id, version) IN ${keys}`),
  );
  const parts = [
    database.prepare(
      'DELETE FROM artifact_tags WHERE (tenant, artifact_id, version) IN (SELECT tenant, id, version FROM doomed)',
    ),
    ...['artifact_inputs', 'artifact_versions'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE (id, version) IN ${keys}`),
    ),
  ];
  let needed: ReadonlySet<string> = new Set();
  let before = planned;
  let hasChanged = false;
  const remove = database.transaction((batch: readonly Collectable[]) => {
    // Looked up in the transaction, which no other writer enters.
    const isChanged = changes() !== before;
    hasChanged ||= isChanged;
    clear.run();
    if (isChanged) needed = neededSince(database, plannedAt);
    const removable = needed.size === 0 ? batch : batch.filter((one) => !needed.has(keyOf(one)));
    add.run(JSON.stringify(removable.map(({ id, version, lastUsedAt }) => [id, version, lastUsedAt])));
    if (hasChanged) {
      unmarkHeld.run({ plannedAt });
      for (const reference of references) reference.run();
    }
    const deleted = hasChanged ? new Set(remaining.all().map(keyOf)) : null;
    for (const part of parts) part.run();
    before = changes();
    return deleted === null ? batch : batch.filter((one) => deleted.has(keyOf(one)));
  });
  return (batch) => remove.immediate(batch);
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
        id: row.id,
        version: row.version,
        state: row.state,
        byteSize: row.byte_size ?? 0,
        lastUsedAt: row.used,
        isMinted: row.minted === 1,
        isReferenced: references.has(key),
        needs: [...(needs.get(key) ?? []), ...(other === null ? [] : [other])],
      });
    }
    const last = page.at(-1);
    if (last === undefined) return all;
    at = [last.id, last.version];
    await nextTurn();
  }
}
