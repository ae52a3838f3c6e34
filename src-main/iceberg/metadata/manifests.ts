/** Reads the manifests of an Iceberg snapshot, which list its data files and delete files with their statistics. */

import { damaged } from '../icebergError.ts';
import type { TableFiles } from '../storage/tableFiles.ts';
import { readAvroFile } from './avroFile.ts';
import { type AvroRecord, type AvroValue, isObject } from './avroRecord.ts';
import type { Snapshot } from './tableMetadata.ts';

/** A manifest as described by the manifest list. */
export interface ManifestFile {
  readonly path: string;
  /** The size in bytes; null if the list has none. */
  readonly length: number | null;
  /** The id of its partition spec; null if only the manifest itself has it. */
  readonly specId: number | null;
  readonly content: 'data' | 'deletes';
  readonly sequenceNumber: bigint;
  /** The number of its files that are part of the snapshot; null if the list has no counts. */
  readonly liveFiles: number | null;
  readonly isEncrypted: boolean;
  /**
   * The values of each partition field over all files, in the order of the spec; null if the list does not
   * have them.
   */
  readonly partitions: readonly PartitionSummary[] | null;
}

interface PartitionSummary {
  readonly lower: Uint8Array | null;
  readonly upper: Uint8Array | null;
}

/** A data file or a delete file of a snapshot. */
export interface ContentFile {
  readonly content: 'data' | 'position_deletes' | 'equality_deletes';
  readonly path: string;
  /** `parquet`, `orc`, `avro` or `puffin`. */
  readonly format: string;
  readonly specId: number;
  /** Partition values by the id of the partition field. */
  readonly partition: AvroRecord;
  readonly sequenceNumber: bigint;
  readonly recordCount: bigint;
  readonly fileSize: bigint;
  readonly isEncrypted: boolean;
  readonly valueCounts: ReadonlyMap<number, bigint>;
  readonly nullCounts: ReadonlyMap<number, bigint>;
  readonly nanCounts: ReadonlyMap<number, bigint>;
  readonly lowerBounds: ReadonlyMap<number, Uint8Array>;
  readonly upperBounds: ReadonlyMap<number, Uint8Array>;
  readonly equalityIds: readonly number[];
  /** Row groups of the file, as its writer counted them; at least one. */
  readonly rowGroups: number;
  /** The one data file to which a delete file applies; null: any. */
  readonly referencedFile: string | null;
  /** Offset of a deletion vector in its file. */
  readonly contentOffset: bigint | null;
  readonly contentSize: bigint | null;
}

const MIB = 1024 ** 2;
/** Manifests are 8 MB by default; lists of them are smaller. */
const LARGEST_MANIFEST = 512 * MIB;

interface Reading {
  readonly files: TableFiles;
  readonly signal: AbortSignal;
}

/** The manifests of a snapshot. @throws IcebergError */
export async function readManifestList(
  snapshot: Snapshot,
  { files, signal }: Reading,
): Promise<readonly ManifestFile[]> {
  if (snapshot.manifestList === null) return snapshot.manifests.map(embeddedManifest);
  const location = snapshot.manifestList;
  const bytes = await files.read(location, { signal, maxBytes: LARGEST_MANIFEST });
  return readAvroFile(bytes, location).records.map((record): ManifestFile => {
    const path = record['500'];
    if (typeof path !== 'string') throw damaged(location, 'the file is not a manifest list.');
    const counts = [record['504'], record['505']];
    return {
      path,
      length: typeof record['501'] === 'bigint' ? Number(record['501']) : null,
      specId: Number(record['502'] ?? 0),
      content: record['517'] === 1n ? 'deletes' : 'data',
      sequenceNumber: typeof record['515'] === 'bigint' ? record['515'] : 0n,
      liveFiles: counts.every((count) => typeof count === 'bigint')
        ? counts.reduce((sum, count) => sum + Number(count), 0)
        : null,
      isEncrypted: record['519'] instanceof Uint8Array && record['519'].byteLength > 0,
      partitions: Array.isArray(record['507']) ? record['507'].map(summaryOf) : null,
    };
  });
}

function embeddedManifest(path: string): ManifestFile {
  return {
    path,
    length: null,
    specId: null,
    content: 'data',
    sequenceNumber: 0n,
    liveFiles: null,
    isEncrypted: false,
    partitions: null,
  };
}

function summaryOf(value: AvroValue): PartitionSummary {
  const record = isObject(value) ? value : {};
  return {
    lower: record['510'] instanceof Uint8Array ? record['510'] : null,
    upper: record['511'] instanceof Uint8Array ? record['511'] : null,
  };
}

/**
 * The files of a manifest that are part of the snapshot.
 * @throws IcebergError, also if the manifest does not match its entry in the list
 */
export async function readManifest(
  manifest: ManifestFile,
  { files, signal }: Reading,
): Promise<readonly ContentFile[]> {
  const { path } = manifest;
  if (manifest.isEncrypted)
    throw damaged(path, 'the manifest is encrypted; encrypted tables are not supported.');
  const bytes = await files.read(path, { signal, maxBytes: LARGEST_MANIFEST });
  if (manifest.length !== null && bytes.byteLength < manifest.length) {
    throw damaged(
      path,
      `the manifest is damaged: it has ${bytes.byteLength} bytes, and its list says ${manifest.length}.`,
    );
  }
  const { metadata, records } = readAvroFile(bytes, path);
  const specId = manifest.specId ?? Number(metadata.get('partition-spec-id') ?? 0);
  const live = records.filter((entry) => entry['0'] !== 2n);
  if (manifest.liveFiles !== null && live.length < manifest.liveFiles) {
    throw damaged(
      path,
      `the manifest is damaged: it lists ${live.length} files, and its list says ${manifest.liveFiles}.`,
    );
  }
  return live.map((entry) => contentFileOf(entry, { path, specId, sequenceNumber: manifest.sequenceNumber }));
}

function contentFileOf(
  entry: AvroRecord,
  manifest: { readonly path: string; readonly specId: number; readonly sequenceNumber: bigint },
): ContentFile {
  const file = entry['2'];
  if (!isObject(file)) throw damaged(manifest.path, 'the file is not a manifest.');
  const record = file as AvroRecord; // from the Avro reader
  const { '100': path, '101': format, '102': partition, '103': recordCount, '104': fileSize } = record;
  if (typeof path !== 'string' || typeof format !== 'string' || typeof recordCount !== 'bigint') {
    throw damaged(manifest.path, 'the file is not a manifest.');
  }
  const content = { 0: 'data', 1: 'position_deletes', 2: 'equality_deletes' } as const;
  const kind = content[Number(record['134'] ?? 0) as keyof typeof content];
  if (kind === undefined) throw damaged(manifest.path, 'it lists a kind of file that is not known.');
  return {
    content: kind,
    path,
    format: format.toLowerCase(),
    specId: manifest.specId,
    partition: isObject(partition) ? (partition as AvroRecord) : {}, // from the Avro reader
    // A file that was added by this snapshot has the sequence number of its manifest.
    sequenceNumber: typeof entry['3'] === 'bigint' ? entry['3'] : manifest.sequenceNumber,
    recordCount,
    fileSize: typeof fileSize === 'bigint' ? fileSize : 0n,
    isEncrypted: record['131'] instanceof Uint8Array && record['131'].byteLength > 0,
    valueCounts: byColumn(record['109'], isBigint),
    nullCounts: byColumn(record['110'], isBigint),
    nanCounts: byColumn(record['137'], isBigint),
    lowerBounds: byColumn(record['125'], isBytes),
    upperBounds: byColumn(record['128'], isBytes),
    equalityIds: Array.isArray(record['135']) ? record['135'].map(Number) : [],
    rowGroups: Array.isArray(record['132']) ? Math.max(1, record['132'].length) : 1,
    referencedFile: typeof record['143'] === 'string' ? record['143'] : null,
    contentOffset: typeof record['144'] === 'bigint' ? record['144'] : null,
    contentSize: typeof record['145'] === 'bigint' ? record['145'] : null,
  };
}

/**
 * In Avro, maps with integer keys are lists of records; the field ids of keys and values differ between
 * fields.
 */
function byColumn<T extends AvroValue>(
  value: AvroValue | undefined,
  is: (value: AvroValue) => value is T,
): ReadonlyMap<number, T> {
  const map = new Map<number, T>();
  if (!Array.isArray(value)) return map;
  for (const entry of value as readonly AvroValue[]) {
    const [key, of] = isObject(entry) ? (Object.values(entry) as AvroValue[]) : [];
    if (typeof key === 'bigint' && of !== undefined && is(of)) map.set(Number(key), of);
  }
  return map;
}

function isBigint(value: AvroValue): value is bigint {
  return typeof value === 'bigint';
}

function isBytes(value: AvroValue): value is Uint8Array {
  return value instanceof Uint8Array;
}
