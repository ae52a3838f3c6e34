/** Writes the manifests and the manifest list of a new snapshot of an Iceberg table. */

import { damaged } from '../icebergError.ts';
import { readAvroFile } from '../metadata/avroFile.ts';
import { type AvroRecord, type AvroValue, isObject } from '../metadata/avroRecord.ts';
import { avroFile } from './avroWriter.ts';

/** A data file that a commit adds. */
export interface AddedFile {
  readonly location: string;
  readonly rows: number;
  readonly bytes: number;
  readonly columns: readonly ColumnCounts[];
}

/** Size and counts of a column without nested parts. */
export interface ColumnCounts {
  readonly fieldId: number;
  /** Compressed bytes in the file. */
  readonly bytes: number;
  readonly values: number;
  readonly nulls: number;
}

/** One manifest, as the manifest list describes it. Counts are of files and rows. */
export interface WrittenManifest {
  readonly location: string;
  readonly bytes: number;
  readonly specId: number;
  readonly content: 'data' | 'deletes';
  /** The lowest data sequence number of its live files. */
  readonly lowestSequence: bigint;
  readonly added: { readonly files: number; readonly rows: number };
  readonly deleted: { readonly files: number; readonly rows: number };
}

export interface Commit {
  readonly snapshotId: bigint;
  readonly parentId: bigint | null;
  readonly sequence: bigint;
}

const ADDED = 1;
const DELETED = 2;

type Field = Readonly<Record<string, unknown>>;
const field = (id: number, name: string, type: unknown): Field => ({ name, type, 'field-id': id });
const optional = (id: number, name: string, type: unknown): Field => ({
  ...field(id, name, ['null', type]),
  default: null,
});
const list = (elementId: number, items: unknown): Field => ({
  type: 'array',
  items,
  'element-id': elementId,
});

/** A field with a value for each column: a list of records, because Avro has no maps with integer keys. */
const byColumn = (id: number, name: string, [key, value]: readonly [number, number], type: string): Field =>
  optional(id, name, {
    type: 'array',
    logicalType: 'map',
    items: {
      type: 'record',
      name: `k${key}_v${value}`,
      fields: [field(key, 'key', 'int'), field(value, 'value', type)],
    },
  });

/** Manifest entries of format v2, of a table without partitions. */
const ENTRY_SCHEMA = {
  type: 'record',
  name: 'manifest_entry',
  fields: [
    field(0, 'status', 'int'),
    optional(1, 'snapshot_id', 'long'),
    optional(3, 'sequence_number', 'long'),
    optional(4, 'file_sequence_number', 'long'),
    field(2, 'data_file', {
      type: 'record',
      name: 'r2',
      fields: [
        field(134, 'content', 'int'),
        field(100, 'file_path', 'string'),
        field(101, 'file_format', 'string'),
        field(102, 'partition', { type: 'record', name: 'r102', fields: [] }),
        field(103, 'record_count', 'long'),
        field(104, 'file_size_in_bytes', 'long'),
        byColumn(108, 'column_sizes', [117, 118], 'long'),
        byColumn(109, 'value_counts', [119, 120], 'long'),
        byColumn(110, 'null_value_counts', [121, 122], 'long'),
        byColumn(137, 'nan_value_counts', [138, 139], 'long'),
        byColumn(125, 'lower_bounds', [126, 127], 'bytes'),
        byColumn(128, 'upper_bounds', [129, 130], 'bytes'),
      ],
    }),
  ],
};

const LIST_SCHEMA = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    field(500, 'manifest_path', 'string'),
    field(501, 'manifest_length', 'long'),
    field(502, 'partition_spec_id', 'int'),
    field(517, 'content', 'int'),
    field(515, 'sequence_number', 'long'),
    field(516, 'min_sequence_number', 'long'),
    field(503, 'added_snapshot_id', 'long'),
    field(504, 'added_files_count', 'int'),
    field(505, 'existing_files_count', 'int'),
    field(506, 'deleted_files_count', 'int'),
    field(512, 'added_rows_count', 'long'),
    field(513, 'existing_rows_count', 'long'),
    field(514, 'deleted_rows_count', 'long'),
    optional(
      507,
      'partitions',
      list(508, {
        type: 'record',
        name: 'r508',
        fields: [
          field(509, 'contains_null', 'boolean'),
          optional(518, 'contains_nan', 'boolean'),
          optional(510, 'lower_bound', 'bytes'),
          optional(511, 'upper_bound', 'bytes'),
        ],
      }),
    ),
  ],
};

/**
 * The manifest of a data file that a commit adds to a table without partitions.
 * @param schema the schema of the table as JSON text
 */
export function addedManifest(
  { location, rows, bytes, columns }: AddedFile,
  { snapshotId }: Commit,
  { schema, specId }: { readonly schema: string; readonly specId: number },
): Buffer {
  const counts = (key: number, value: number, count: (column: ColumnCounts) => number): AvroValue =>
    columns.map((column) => ({ [key]: BigInt(column.fieldId), [value]: BigInt(count(column)) }));
  const entry: AvroRecord = {
    0: BigInt(ADDED),
    1: snapshotId,
    // Readers take both from the manifest list, so a repeated commit can reuse the manifest.
    3: null,
    4: null,
    2: {
      134: 0n,
      100: location,
      101: 'PARQUET',
      102: {},
      103: BigInt(rows),
      104: BigInt(bytes),
      108: counts(117, 118, (column) => column.bytes),
      109: counts(119, 120, (column) => column.values),
      110: counts(121, 122, (column) => column.nulls),
      // The Parquet file has the bounds, by row group; programs expect a list here.
      137: [],
      125: [],
      128: [],
    },
  };
  return avroFile(ENTRY_SCHEMA, [entry], {
    schema,
    'partition-spec': '[]',
    'partition-spec-id': String(specId),
    'format-version': '2',
    content: 'data',
  });
}

/**
 * A manifest of an earlier snapshot with each of its live files marked as deleted by this commit; null if it has none.
 * @throws IcebergError when the manifest is damaged
 */
export function deletedManifest(
  bytes: Uint8Array,
  source: { readonly location: string; readonly sequence: bigint },
  { snapshotId }: Commit,
): { readonly bytes: Buffer; readonly files: number; readonly rows: number } | null {
  const { metadata, records } = readAvroFile(bytes, source.location);
  const live = records.filter((entry) => entry['0'] !== BigInt(DELETED));
  if (live.length === 0) return null;
  let rows = 0;
  const entries = live.map((entry): AvroRecord => {
    const file = entry['2'];
    if (!isObject(file)) throw damaged(source.location, 'the file is not a manifest.');
    rows += Number(file['103'] ?? 0);
    const sequence = (key: string): AvroValue => entry[key] ?? source.sequence;
    return { ...entry, 0: BigInt(DELETED), 1: snapshotId, 3: sequence('3'), 4: sequence('4') };
  });
  const schema: unknown = JSON.parse(metadata.get('avro.schema') ?? '');
  const header = Object.fromEntries([...metadata].filter(([key]) => !key.startsWith('avro.')));
  return { bytes: avroFile(schema, entries, header), files: live.length, rows };
}

/** The manifest list of a snapshot. */
export function manifestList(manifests: readonly WrittenManifest[], commit: Commit): Buffer {
  const records = manifests.map(
    ({ location, bytes, specId, content, lowestSequence, added, deleted }): AvroRecord => ({
      500: location,
      501: BigInt(bytes),
      502: BigInt(specId),
      517: content === 'data' ? 0n : 1n,
      515: commit.sequence,
      516: lowestSequence,
      503: commit.snapshotId,
      504: BigInt(added.files),
      505: 0n,
      506: BigInt(deleted.files),
      512: BigInt(added.rows),
      513: 0n,
      514: BigInt(deleted.rows),
      // Unknown for manifests of other partition specs; a table without partitions has none.
      507: null,
    }),
  );
  return avroFile(LIST_SCHEMA, records, {
    'snapshot-id': String(commit.snapshotId),
    'parent-snapshot-id': String(commit.parentId),
    'sequence-number': String(commit.sequence),
    'format-version': '2',
  });
}
