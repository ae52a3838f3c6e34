/** Writes rows to an Iceberg table as one new snapshot, for exports of stored results. */

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IcebergError } from '../icebergError.ts';
import { metadataOf, type TableMetadata } from '../metadata/tableMetadata.ts';
import type { Field } from '../metadata/types.ts';
import type { AddedFile } from './manifestFiles.ts';
import { type NewColumn, numberColumns } from './newColumns.ts';
import { nextSchemaId, schemaUpdates } from './newTable.ts';
import { type RemovedFiles, writeSnapshotFiles } from './snapshotFiles.ts';
import { dataFolder } from './sqlTableStore.ts';
import { type Json, numberIn, objectIn, objectsIn } from './tableJson.ts';
import type { StoredTable, TableStore } from './tableStore.ts';
import { killPoint } from './writeSteps.ts';

/** Rows that replace the rows of a table, or the rows of a new table. */
interface TableWrite {
  readonly columns: readonly NewColumn[];
  /** Further entries of the snapshot's summary. */
  readonly summary: Readonly<Record<string, string>>;
  /** The tag to set to the new snapshot; null: none. */
  readonly tag: string | null;
  /**
   * Throws if the table must not be replaced.
   * @param last the summary of its newest snapshot; null without a snapshot
   */
  readonly check: (last: Readonly<Record<string, string>> | null) => void;
  /** Writes the rows as a Parquet file with these columns, including their ids. */
  readonly parquet: (fields: readonly Field[], path: string) => Promise<Omit<AddedFile, 'location'>>;
}

export interface WrittenTable {
  readonly snapshotId: bigint;
  readonly created: boolean;
}

/** If another program commits first, the change is made again on top of its commit. */
const MAX_ATTEMPTS = 5;
const WRITTEN_FORMAT = 2;
const MAIN = 'main';

/**
 * Commits one snapshot with the rows: an `append` to a new table, an `overwrite` of an existing one. After a
 * failure or crash the table is unchanged; unreferenced files may remain.
 * @throws IcebergError `conflict` if other programs kept changing the table; errors of `check`
 */
export async function writeTable(
  store: TableStore,
  write: TableWrite,
  signal: AbortSignal,
): Promise<WrittenTable> {
  const folder = await mkdtemp(join(tmpdir(), 'cellar-table-'));
  const dataFiles = new Map<string, AddedFile>();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writeOnce(store, write, { folder, dataFiles, signal });
      } catch (error) {
        const isConflict = error instanceof IcebergError && error.kind === 'conflict';
        if (!isConflict || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Attempt {
  readonly folder: string;
  /** Data files written by earlier attempts, by location and columns. */
  readonly dataFiles: Map<string, AddedFile>;
  readonly signal: AbortSignal;
}

async function writeOnce(
  store: TableStore,
  write: TableWrite,
  { folder, dataFiles, signal }: Attempt,
): Promise<WrittenTable> {
  const existing = await store.load(signal);
  const base = existing ?? (await store.prepare(numberColumns(write.columns, [], 0), signal));
  const before = metadataOf(base.metadata, base.metadataLocation ?? 'the new table');
  const isNew = existing === null;
  if (!isNew) checkExisting(before, base.metadata, write);
  if (write.tag !== null) checkTag(base.metadata, write.tag);
  const numbered = isNew
    ? { fields: before.currentSchema.fields, lastId: numberIn(base.metadata, 'last-column-id', 0) }
    : numberColumns(write.columns, before.currentSchema.fields, numberIn(base.metadata, 'last-column-id', 0));
  const isSameSchema = isNew || sameFields(numbered.fields, before.currentSchema.fields);
  const schemaId = isSameSchema ? before.currentSchema.schemaId : nextSchemaId(base.metadata);
  const newSchema = isSameSchema ? [] : schemaUpdates(numbered.fields, numbered.lastId, schemaId);

  const key = JSON.stringify([dataFolder(base.metadata), numbered.fields]);
  let data = dataFiles.get(key);
  if (data === undefined) {
    const path = join(folder, `${dataFiles.size}.parquet`);
    const facts = await write.parquet(numbered.fields, path);
    killPoint('rows_written');
    data = { location: `${dataFolder(base.metadata)}/${randomUUID()}.parquet`, ...facts };
    if (facts.rows > 0) await base.files.put(path, data.location, signal);
    await rm(path, { force: true });
    dataFiles.set(key, data);
    killPoint('data_placed');
  }
  const snapshotId = newSnapshotId();
  const sequence = BigInt(numberIn(base.metadata, 'last-sequence-number', 0)) + 1n;
  const parentId = isNew ? null : before.currentSnapshotId;
  const commit = { snapshotId, parentId, sequence };
  const { manifestList, removed } = await writeSnapshotFiles(base, {
    commit,
    data,
    before,
    signal,
    schema: { type: 'struct', 'schema-id': schemaId, fields: numbered.fields },
  });
  killPoint('manifests_placed');
  const snapshot: Json = {
    'snapshot-id': snapshotId,
    ...(parentId === null ? {} : { 'parent-snapshot-id': parentId }),
    'sequence-number': sequence,
    'timestamp-ms': Math.max(Date.now(), numberIn(base.metadata, 'last-updated-ms', 0)),
    'manifest-list': manifestList,
    'schema-id': schemaId,
    summary: { ...summaryOf(data, removed, isNew), ...write.summary },
  };
  const refs = [
    { action: 'set-snapshot-ref', 'ref-name': MAIN, type: 'branch', 'snapshot-id': snapshotId },
    ...(write.tag === null
      ? []
      : [{ action: 'set-snapshot-ref', 'ref-name': write.tag, type: 'tag', 'snapshot-id': snapshotId }]),
  ];
  await store.commit(
    base,
    {
      requirements: [
        { type: 'assert-table-uuid', uuid: before.uuid },
        { type: 'assert-ref-snapshot-id', ref: MAIN, 'snapshot-id': parentId },
        ...(isSameSchema
          ? []
          : [{ type: 'assert-last-assigned-field-id', 'last-assigned-field-id': lastIdOf(base) }]),
      ],
      updates: [...newSchema, { action: 'add-snapshot', snapshot }, ...refs],
    },
    signal,
  );
  killPoint('committed');
  return { snapshotId, created: isNew };
}

/** Checks the existing table. @throws IcebergError if this program cannot or must not replace it */
function checkExisting(before: TableMetadata, metadata: Json, { check }: TableWrite): void {
  check(newestSummary(before));
  if (before.formatVersion !== WRITTEN_FORMAT) {
    throw new IcebergError(
      'invalid_request',
      `The table has format version ${before.formatVersion}. Writing is supported only for version ${WRITTEN_FORMAT}.`,
    );
  }
  const spec = before.specs.get(numberIn(metadata, 'default-spec-id', 0));
  if (spec !== undefined && spec.fields.length > 0) {
    throw new IcebergError(
      'invalid_request',
      'The table is partitioned. Writing to partitioned tables is not supported.',
    );
  }
}

/** Checks the name of a tag. @throws IcebergError if it is that of a branch */
export function checkTag(metadata: Json, tag: string): void {
  if (tag !== MAIN && objectIn(objectIn(metadata, 'refs'), tag)['type'] !== 'branch') return;
  throw new IcebergError('invalid_request', `"${tag}" is a branch of the table, so it cannot be a tag.`);
}

/**
 * The summary of the newest snapshot that changed rows: maintenance snapshots rewrite files without recording
 * their origin.
 */
function newestSummary(table: TableMetadata): Readonly<Record<string, string>> | null {
  let id = table.currentSnapshotId;
  for (;;) {
    const snapshot = table.snapshots.find((one) => one.id === id);
    if (snapshot === undefined) return null;
    if (snapshot.summary['operation'] !== 'replace') return snapshot.summary;
    id = snapshot.parentId;
  }
}

function lastIdOf({ metadata }: StoredTable): number {
  return numberIn(metadata, 'last-column-id', 0);
}

function sameFields(a: readonly Field[], b: readonly Field[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A random snapshot id below 2^53, so that every JSON parser reads it exactly. */
function newSnapshotId(): bigint {
  return (randomBytes(8).readBigUInt64LE() >> 11n) | 1n;
}

function summaryOf(
  data: { readonly rows: number; readonly bytes: number },
  removed: RemovedFiles,
  isNew: boolean,
): Readonly<Record<string, string>> {
  const files = data.rows > 0 ? 1 : 0;
  const bytes = files * data.bytes;
  const counts: Record<string, number> = {
    'added-data-files': files,
    'added-records': data.rows,
    'added-files-size': bytes,
    'total-data-files': files,
    'total-records': data.rows,
    'total-files-size': bytes,
    'total-delete-files': 0,
    'total-position-deletes': 0,
    'total-equality-deletes': 0,
    ...(isNew ? {} : { 'deleted-data-files': removed.files, 'deleted-records': removed.rows }),
  };
  return {
    operation: isNew ? 'append' : 'overwrite',
    ...Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, String(count)])),
  };
}

/** The newest snapshot with these entries in its summary, or null. */
export function snapshotWith({ metadata }: StoredTable, entries: Readonly<Record<string, string>>): unknown {
  const snapshots = objectsIn(metadata, 'snapshots').filter((snapshot) => {
    const summary = objectIn(snapshot, 'summary');
    return Object.entries(entries).every(([key, value]) => summary[key] === value);
  });
  return snapshots.at(-1)?.['snapshot-id'] ?? null;
}
