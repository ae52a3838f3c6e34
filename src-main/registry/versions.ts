/** The versions in the artifact store's database: reserves, completes, finds and deletes them. */

import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { parseArtifactUri } from '../artifacts/uri.ts';
import { RegistryError } from './registryError.ts';
import { killPoint } from './storeSteps.ts';
import {
  isVisibleTo,
  type Party,
  type StoredVersion,
  type TransformSpec,
  uriOf,
  type VersionDetails,
  type VersionRef,
  type VersionRow,
  versionRowOf,
} from './versionRow.ts';

/** A last use is recorded at most once per this many seconds (docs/spec/core-services.md, 6). */
const USE_RESOLUTION_SECONDS = 300;

interface NewVersion {
  /** Null: the store chooses an id. */
  readonly id: string | null;
  /** The id was chosen by the store earlier. Default: true only if `id` is null. */
  readonly isMinted?: boolean;
  readonly provenanceHash: string;
  readonly contentType: string;
  readonly transformSpec: TransformSpec | null;
  readonly inputVersions: Readonly<Record<string, string>>;
  readonly details: VersionDetails;
}

/** The facts of a version once its bytes are on disk. */
interface FinishedBytes {
  readonly byteSize: number;
  readonly sha256: string;
  readonly rowCount: number | null;
  readonly schemaJson: string | null;
}

/** The versions of the artifact store. All methods are synchronous: SQLite answers on this thread. */
export interface Versions {
  /** The row of a version. @throws RegistryError not_found for an unknown version, or one of another tenant */
  get(ref: VersionRef, party: Party): VersionRow;
  /** Like `get`; null for an unknown version. */
  findFor(ref: VersionRef, party: Party): VersionRow | null;
  /** The newest version of an id that has data; null if there is none. */
  newestOf(id: string, party: Party): VersionRow | null;
  /** The row of a version of any tenant; null if there is none. */
  find(ref: VersionRef): VersionRow | null;
  /** The version whose bytes answer for `row`: itself, or the one that superseded it under another id. */
  canonical(row: VersionRow): VersionRow;
  readyByProvenance(provenanceHash: string, tenant: string): VersionRow | null;
  /**
   * Reserves the next version of an id, in state `building`. @throws RegistryError invalid, conflict (another tenant's
   * id)
   */
  begin(version: NewVersion, party: Party): VersionRow;
  /**
   * Makes a building version ready, in one transaction with its rules: if the same provenance is ready under another
   * id, this version becomes superseded and that one is returned; under the same id, the older one is superseded.
   * @throws RegistryError conflict if the version is not building
   */
  finish(ref: VersionRef, bytes: FinishedBytes): VersionRow;
  /** Marks a building version as failed; does nothing if it is not building. */
  fail(ref: VersionRef): void;
  /** Fails versions that have been building since before `before`. @returns how many */
  failStuck(before: number): number;
  /** Records that a version was used. */
  touch(ref: VersionRef): void;
  /**
   * The version whose data is read from `row`'s file and that replaces it when it is deleted; null if there is none.
   */
  heirOf(row: VersionRow): VersionRow | null;
  /** Deletes a version. @param heir already has a copy of the file; it replaces the deleted version */
  remove(ref: VersionRef, heir?: VersionRow | null): void;
}

/** Checks the form of an id. @throws RegistryError invalid for an id that could leave the folder of the store */
export function checkId(id: string): void {
  if (id === '' || id.length > 512 || /[/\\\0]/.test(id) || id.includes('..')) {
    throw new RegistryError(
      'invalid',
      `${JSON.stringify(id)} is not a valid artifact id. Ids have 1 to 512 characters and contain no /, \\ or "..".`,
    );
  }
}

export function createVersions(database: Database, now: () => number): Versions {
  const byRef = database.prepare<[string, number], StoredVersion>(
    'SELECT * FROM artifact_versions WHERE id = ? AND version = ?',
  );
  const byProvenance = database.prepare<[string, string], StoredVersion>(
    "SELECT * FROM artifact_versions WHERE tenant = ? AND provenance_hash = ? AND state = 'ready'",
  );
  const newest = database.prepare<[string], { version: number; tenant: string }>(
    'SELECT version, tenant FROM artifact_versions WHERE id = ? ORDER BY version DESC LIMIT 1',
  );
  const insert = database.prepare(
    `INSERT INTO artifact_versions (id, version, state, provenance_hash, created_at, transform_spec, input_versions, tenant,
       principal, last_used_at, minted, content_type, details)
     VALUES (?, ?, 'building', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertInput = database.prepare('INSERT INTO artifact_inputs VALUES (?, ?, ?, ?, ?, ?)');
  const setState = database.prepare(
    'UPDATE artifact_versions SET state = ?, superseded_by = ? WHERE id = ? AND version = ?',
  );
  const failBuilding = database.prepare(
    "UPDATE artifact_versions SET state = 'failed' WHERE id = ? AND version = ? AND state = 'building'",
  );
  const setBytes = database.prepare(
    'UPDATE artifact_versions SET byte_size = ?, content_sha256 = ?, row_count = ?, schema_json = ? WHERE id = ? AND version = ?',
  );
  const find = ({ id, version }: VersionRef): VersionRow | null => {
    const stored = byRef.get(id, version);
    return stored === undefined ? null : versionRowOf(stored);
  };
  const begin = database.transaction((version: NewVersion, party: Party): VersionRow => {
    const id = version.id ?? randomUUID().replaceAll('-', '');
    checkId(id);
    const last = newest.get(id);
    if (last !== undefined && last.tenant !== party.tenant) {
      throw new RegistryError('conflict', `The artifact id ${id} belongs to another tenant.`);
    }
    const ref = { id, version: (last?.version ?? 0) + 1 };
    const at = now();
    insert.run(
      id,
      ref.version,
      version.provenanceHash,
      at,
      version.transformSpec === null ? null : JSON.stringify(version.transformSpec),
      JSON.stringify(version.inputVersions),
      party.tenant,
      party.principal,
      at,
      (version.isMinted ?? version.id === null) ? 1 : 0,
      version.contentType,
      JSON.stringify(version.details),
    );
    saveInputs(insertInput, ref, version.inputVersions);
    return writtenRow(find(ref));
  });
  const finish = database.transaction((ref: VersionRef, bytes: FinishedBytes): VersionRow => {
    const row = find(ref);
    if (row === null || row.state !== 'building') {
      throw new RegistryError(
        'conflict',
        `${uriOf(ref)} is not being built; its state is ${row?.state ?? 'unknown'}.`,
      );
    }
    setBytes.run(bytes.byteSize, bytes.sha256, bytes.rowCount, bytes.schemaJson, ref.id, ref.version);
    const ready = byProvenance.get(row.tenant, row.provenanceHash);
    if (ready !== undefined && ready.id !== ref.id) {
      setState.run('superseded', uriOf(ready), ref.id, ref.version);
      return versionRowOf(ready);
    }
    if (ready !== undefined) setState.run('superseded', null, ready.id, ready.version);
    setState.run('ready', null, ref.id, ref.version);
    return writtenRow(find(ref));
  });
  const deleteOf = [
    ...['artifact_versions', 'artifact_inputs'].map((table) => [table, 'id']),
    ...['artifact_pins', 'artifact_names', 'artifact_aliases'].map((table) => [table, 'artifact_id']),
  ].map(([table, id]) => database.prepare(`DELETE FROM ${table} WHERE ${id} = ? AND version = ?`));
  // Tags have the tenant of their version, which comes first in their key.
  const deleteTags = database.prepare(
    'DELETE FROM artifact_tags WHERE tenant = ? AND artifact_id = ? AND version = ?',
  );
  const remove = database.transaction(({ id, version }: VersionRef, heir: VersionRow | null) => {
    const row = find({ id, version });
    for (const statement of deleteOf) statement.run(id, version);
    deleteTags.run(row?.tenant ?? '', id, version);
    if (heir === null || row === null) return;
    setBytes.run(row.byteSize, row.contentSha256, row.rowCount, row.schemaJson, heir.id, heir.version);
    setState.run(row.state, row.supersededBy, heir.id, heir.version);
    database
      .prepare('UPDATE artifact_versions SET superseded_by = ? WHERE superseded_by = ?')
      .run(uriOf(heir), uriOf(row));
  });
  return {
    get(ref, party) {
      const row = find(ref);
      if (row === null || !isVisibleTo(row, party))
        throw new RegistryError('not_found', 'Artifact not found');
      return row;
    },
    find,
    findFor(ref, party) {
      const row = find(ref);
      return row !== null && isVisibleTo(row, party) ? row : null;
    },
    newestOf(id, party) {
      const stored = database
        .prepare<[string], StoredVersion>(
          "SELECT * FROM artifact_versions WHERE id = ? AND state IN ('ready', 'superseded') ORDER BY version DESC LIMIT 1",
        )
        .get(id);
      const row = stored === undefined ? null : versionRowOf(stored);
      return row !== null && isVisibleTo(row, party) ? row : null;
    },
    canonical(row) {
      const ref = row.supersededBy === null ? null : parseArtifactUri(row.supersededBy);
      return ref === null ? row : (find(ref) ?? row);
    },
    readyByProvenance(provenanceHash, tenant) {
      const stored = byProvenance.get(tenant, provenanceHash);
      return stored === undefined ? null : versionRowOf(stored);
    },
    begin(version, party) {
      const row = begin.immediate(version, party);
      killPoint('row_begun');
      return row;
    },
    finish(ref, bytes) {
      const row = finish.immediate(ref, bytes);
      killPoint('row_finished');
      return row;
    },
    fail: ({ id, version }) => void failBuilding.run(id, version),
    failStuck: (before) =>
      database
        .prepare("UPDATE artifact_versions SET state = 'failed' WHERE state = 'building' AND created_at < ?")
        .run(before).changes,
    touch({ id, version }) {
      const at = now();
      database
        .prepare(
          'UPDATE artifact_versions SET last_used_at = ? WHERE id = ? AND version = ? AND coalesce(last_used_at, 0) < ?',
        )
        .run(at, id, version, at - USE_RESOLUTION_SECONDS);
    },
    heirOf(row) {
      const stored = database
        .prepare<[string], StoredVersion>(
          "SELECT * FROM artifact_versions WHERE superseded_by = ? AND state = 'superseded' ORDER BY created_at, id LIMIT 1",
        )
        .get(uriOf(row));
      return stored === undefined ? null : versionRowOf(stored);
    },
    remove: (ref, heir = null) => remove.immediate(ref, heir),
  };
}

/** Records the inputs of a version so that its readers can be found from either end. */
export function saveInputs(
  insertInput: { run(...values: unknown[]): unknown },
  ref: VersionRef,
  inputVersions: Readonly<Record<string, string>>,
): void {
  for (const [uri, version] of Object.entries(inputVersions)) {
    const input = parseArtifactUri(uri) ?? parseArtifactUri(`svc://artifact/${version}`);
    insertInput.run(ref.id, ref.version, uri, version, input?.id ?? null, input?.version ?? null);
  }
}

/** A row that was written in this transaction, so that it must exist. */
function writtenRow(row: VersionRow | null): VersionRow {
  if (row === null) throw new Error('a version that was just written is missing');
  return row;
}
