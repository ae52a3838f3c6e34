/** Writes the metadata files of a new snapshot of an Iceberg table: its manifests and their list. */

import { randomUUID } from 'node:crypto';
import { readManifestList } from '../metadata/manifests.ts';
import type { TableMetadata } from '../metadata/tableMetadata.ts';
import type { Field } from '../metadata/types.ts';
import {
  type AddedFile,
  addedManifest,
  type Commit,
  deletedManifest,
  manifestList,
  type WrittenManifest,
} from './manifestFiles.ts';
import { fieldJson } from './newColumns.ts';
import { metadataFolder } from './sqlTableStore.ts';
import { numberIn } from './tableJson.ts';
import type { StoredTable } from './tableStore.ts';

/** Files and rows of earlier snapshots that are not part of the new one. */
export interface RemovedFiles {
  readonly files: number;
  readonly rows: number;
}

const NONE: RemovedFiles = { files: 0, rows: 0 };
const MIB = 1024 ** 2;
const LARGEST_MANIFEST = 512 * MIB;

/**
 * Writes the manifests and the manifest list of a snapshot with one data file and no files of the previous
 * snapshot.
 * @throws IcebergError
 */
export async function writeSnapshotFiles(
  { files, metadata }: StoredTable,
  {
    commit,
    data,
    before,
    schema,
    signal,
  }: {
    readonly commit: Commit;
    readonly data: AddedFile;
    readonly before: TableMetadata;
    readonly schema: {
      readonly type: string;
      readonly 'schema-id': number;
      readonly fields: readonly Field[];
    };
    readonly signal: AbortSignal;
  },
): Promise<{ readonly manifestList: string; readonly removed: RemovedFiles }> {
  const folder = metadataFolder(metadata);
  const id = randomUUID();
  const manifests: WrittenManifest[] = [];
  const add = async (
    bytes: Buffer,
    facts: Pick<WrittenManifest, 'specId' | 'content' | 'added' | 'deleted'>,
  ): Promise<void> => {
    const location = `${folder}/${id}-m${manifests.length}.avro`;
    await files.putBytes(bytes, location, signal);
    manifests.push({ ...facts, location, bytes: bytes.length, lowestSequence: commit.sequence });
  };
  const specId = numberIn(metadata, 'default-spec-id', 0);
  if (data.rows > 0) {
    const text = JSON.stringify({ ...schema, fields: schema.fields.map(fieldJson) });
    const manifest = addedManifest(data, commit, { schema: text, specId });
    await add(manifest, { specId, content: 'data', added: { files: 1, rows: data.rows }, deleted: NONE });
  }
  let removed = NONE;
  const parent = before.snapshots.find((one) => one.id === commit.parentId);
  for (const manifest of parent === undefined ? [] : await readManifestList(parent, { files, signal })) {
    const bytes = await files.read(manifest.path, { signal, maxBytes: LARGEST_MANIFEST });
    const source = { location: manifest.path, sequence: manifest.sequenceNumber };
    const deleted = deletedManifest(bytes, source, commit);
    if (deleted === null) continue;
    const { content } = manifest;
    await add(deleted.bytes, { specId: manifest.specId ?? specId, content, added: NONE, deleted });
    if (content === 'data') {
      removed = { files: removed.files + deleted.files, rows: removed.rows + deleted.rows };
    }
  }
  const location = `${folder}/snap-${commit.snapshotId}-0-${id}.avro`;
  await files.putBytes(manifestList(manifests, commit), location, signal);
  return { manifestList: location, removed };
}
