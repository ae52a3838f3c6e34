/** Decides which delete files of an Iceberg table apply to which data files of a scan. */

import { damaged } from '../icebergError.ts';
import type { AvroRecord } from '../metadata/avroRecord.ts';
import type { ContentFile } from '../metadata/manifests.ts';
import type { PartitionSpec } from '../metadata/tableMetadata.ts';

/** The deletes that apply to one data file. */
export interface FileDeletes {
  /** Files with positions of deleted rows, possibly also of other data files. */
  readonly positions: readonly ContentFile[];
  /** Files with values of deleted rows. */
  readonly equalities: readonly ContentFile[];
  /** The deletion vector of the data file (format v3); it replaces `positions`. */
  readonly vector: ContentFile | null;
}

/** The id of the column `file_path` in files of position deletes. */
export const DELETE_PATH_ID = 2_147_483_546;

/**
 * The deletes of each data file, in the order of the files.
 * @throws IcebergError for an unsupported delete file
 */
export function deletesFor(
  data: readonly ContentFile[],
  deletes: readonly ContentFile[],
  specs: ReadonlyMap<number, PartitionSpec>,
): readonly FileDeletes[] {
  const positions = deletes.filter(
    ({ content, format }) => content === 'position_deletes' && format !== 'puffin',
  );
  const vectors = new Map<string, ContentFile>();
  for (const file of deletes) {
    if (file.content !== 'position_deletes' || file.format !== 'puffin') continue;
    if (file.referencedFile === null)
      throw damaged(file.path, 'its manifest does not say which data file the deletion vector belongs to.');
    if (vectors.has(file.referencedFile))
      throw damaged(file.path, 'the table has two deletion vectors for one data file. Compact the table.');
    vectors.set(file.referencedFile, file);
  }
  const equalities = deletes.filter(({ content }) => content === 'equality_deletes');
  return data.map((file) => {
    const vector = vectors.get(file.path) ?? null;
    const applied = {
      positions: vector === null ? positions.filter((one) => deletesPositions(one, file)) : [],
      equalities: equalities.filter((one) => deletesValues(one, file, specs)),
      vector: vector !== null && vector.sequenceNumber >= file.sequenceNumber ? vector : null,
    };
    for (const one of [...applied.positions, ...applied.equalities]) refuse(one);
    return applied;
  });
}

function refuse({ path, format, isEncrypted, content, equalityIds }: ContentFile): void {
  if (isEncrypted) throw damaged(path, 'the delete file is encrypted; encrypted tables are not supported.');
  if (format !== 'parquet') {
    throw damaged(
      path,
      `the delete file has the format ${format}, which is not supported. Compact the table.`,
    );
  }
  if (content === 'equality_deletes' && equalityIds.length === 0) {
    throw damaged(path, 'its manifest does not say by which columns it deletes rows.');
  }
}

/** A position delete applies to data files that were added before it or in the same commit. */
function deletesPositions(one: ContentFile, file: ContentFile): boolean {
  if (one.sequenceNumber < file.sequenceNumber) return false;
  if (one.referencedFile !== null) return one.referencedFile === file.path;
  const path = Buffer.from(file.path, 'utf8');
  const lower = one.lowerBounds.get(DELETE_PATH_ID);
  const upper = one.upperBounds.get(DELETE_PATH_ID);
  return (
    (lower === undefined || Buffer.compare(lower, path) <= 0) &&
    (upper === undefined || Buffer.compare(upper, path) >= 0)
  );
}

/**
 * An equality delete applies to data files that were added before it, in its partition; if it has no
 * partition, in all of them.
 */
function deletesValues(
  one: ContentFile,
  file: ContentFile,
  specs: ReadonlyMap<number, PartitionSpec>,
): boolean {
  if (one.sequenceNumber <= file.sequenceNumber) return false;
  const spec = specs.get(one.specId);
  if (spec !== undefined && spec.fields.length === 0) return true;
  return one.specId === file.specId && samePartition(one.partition, file.partition);
}

function samePartition(a: AvroRecord, b: AvroRecord): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => {
      const [one, other] = [a[key], b[key]];
      if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
      return Object.is(one, other);
    })
  );
}
