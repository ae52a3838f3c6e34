/** Reads the metadata file of an Iceberg table: schemas, snapshots, partition specs. */

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as z from 'zod';
import { parseExactJson, wholeNumber } from '../exactJson.ts';
import { damaged, IcebergError } from '../icebergError.ts';
import type { TableFiles } from '../storage/tableFiles.ts';
import { isObject } from './avroRecord.ts';
import { type NameMapping, parseNameMapping } from './nameMapping.ts';
import { parseSchema, type TableSchema } from './types.ts';

interface PartitionField {
  readonly fieldId: number;
  readonly sourceId: number;
  readonly name: string;
  readonly transform: string;
}

export interface PartitionSpec {
  readonly specId: number;
  readonly fields: readonly PartitionField[];
}

export interface Snapshot {
  readonly id: bigint;
  readonly parentId: bigint | null;
  readonly timestampMs: number;
  readonly schemaId: number | null;
  readonly manifestList: string | null;
  /** The manifests themselves, as early writers of format v1 listed them. */
  readonly manifests: readonly string[];
  readonly summary: Readonly<Record<string, string>>;
}

/** The state of a table at one point in time, for all supported format versions. */
export interface TableMetadata {
  readonly formatVersion: number;
  readonly uuid: string | null;
  readonly location: string;
  readonly schemas: readonly TableSchema[];
  readonly currentSchema: TableSchema;
  readonly specs: ReadonlyMap<number, PartitionSpec>;
  readonly snapshots: readonly Snapshot[];
  readonly currentSnapshotId: bigint | null;
  readonly nameMapping: NameMapping | null;
}

const NEWEST_FORMAT = 3;
const whole = z.unknown().transform((value, context) => {
  const number = wholeNumber(value);
  if (number === null) context.addIssue({ code: 'custom', message: 'must be a whole number' });
  return number ?? 0n;
});
const specFieldJson = z.object({
  'field-id': z.int().optional(),
  'source-id': z.int().optional(),
  'source-ids': z.array(z.int()).optional(),
  name: z.string(),
  transform: z.string(),
});
const snapshotJson = z.object({
  'snapshot-id': whole,
  'parent-snapshot-id': whole.nullish().catch(null),
  'timestamp-ms': z.number().default(0),
  'schema-id': z.int().nullish(),
  'manifest-list': z.string().nullish(),
  manifests: z.array(z.string()).nullish(),
  summary: z.record(z.string(), z.string()).nullish().catch(null),
});
const metadataJson = z.object({
  'format-version': z.int(),
  'table-uuid': z.string().nullish(),
  location: z.string(),
  schema: z.unknown().optional(),
  schemas: z.array(z.unknown()).nullish(),
  'current-schema-id': z.int().nullish(),
  'partition-spec': z.array(specFieldJson).nullish(),
  'partition-specs': z.array(z.object({ 'spec-id': z.int(), fields: z.array(specFieldJson) })).nullish(),
  'current-snapshot-id': z.unknown().optional(),
  snapshots: z.array(snapshotJson).nullish(),
  properties: z.record(z.string(), z.string()).nullish(),
});

/** First id of partition fields, for early writers that omitted ids. */
const FIRST_PARTITION_ID = 1000;
const gzip = promisify(gunzip);
const MIB = 1024 ** 2;
/** Much larger than the metadata of tables with 100,000 snapshots. */
const LARGEST_METADATA = 512 * MIB;

/**
 * Reads a table's metadata file; gzip is detected by content.
 * @throws IcebergError
 */
export async function loadMetadata(
  location: string,
  files: TableFiles,
  signal: AbortSignal,
): Promise<TableMetadata> {
  return metadataOf(await loadMetadataJson(location, files, signal), location);
}

/**
 * The same file as exact JSON: an object that is not validated further.
 * @throws IcebergError
 */
export async function loadMetadataJson(
  location: string,
  files: TableFiles,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await files.read(location, { signal, maxBytes: LARGEST_METADATA });
  const json = exactJson(await unzipped(bytes, location), location);
  if (!isObject(json)) throw damaged(location, 'the metadata file of the table is not valid JSON.');
  return json;
}

async function unzipped(bytes: Uint8Array, location: string): Promise<string> {
  try {
    const plain =
      bytes[0] === 0x1f && bytes[1] === 0x8b
        ? await gzip(bytes, { maxOutputLength: LARGEST_METADATA })
        : bytes;
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch (error) {
    throw damaged(location, 'the metadata file of the table is damaged.', error);
  }
}

function exactJson(text: string, location: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw damaged(location, 'the metadata file of the table is not valid JSON.', error);
  }
}

/**
 * The metadata in JSON that was parsed with exact numbers.
 * @throws IcebergError
 */
export function metadataOf(json: unknown, location: string): TableMetadata {
  const parsed = metadataJson.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.map(String).join('.');
    throw damaged(location, `the metadata of the table is not valid (${where}: ${issue?.message ?? ''}).`);
  }
  return checked(parsed.data, location);
}

function checked(json: z.infer<typeof metadataJson>, location: string): TableMetadata {
  const formatVersion = json['format-version'];
  if (formatVersion < 1 || formatVersion > NEWEST_FORMAT) {
    throw damaged(
      location,
      `the table has format version ${formatVersion}; versions 1 to ${NEWEST_FORMAT} are supported.`,
    );
  }
  const schemas = schemasOf(json);
  const currentSchemaId = json['current-schema-id'];
  const currentSchema =
    currentSchemaId === null || currentSchemaId === undefined
      ? schemas[0]
      : schemas.find(({ schemaId }) => schemaId === currentSchemaId);
  if (currentSchema === undefined)
    throw damaged(location, 'the metadata of the table has no current schema.');
  const current = wholeNumber(json['current-snapshot-id']);
  const mapping = json.properties?.['schema.name-mapping.default'];
  return {
    formatVersion,
    uuid: json['table-uuid'] ?? null,
    location: json.location,
    schemas,
    currentSchema,
    specs: new Map(specsOf(json).map((spec) => [spec.specId, spec])),
    snapshots: (json.snapshots ?? []).map(
      (snapshot): Snapshot => ({
        id: snapshot['snapshot-id'],
        parentId: snapshot['parent-snapshot-id'] ?? null,
        timestampMs: snapshot['timestamp-ms'],
        schemaId: snapshot['schema-id'] ?? null,
        manifestList: snapshot['manifest-list'] ?? null,
        manifests: snapshot.manifests ?? [],
        summary: snapshot.summary ?? {},
      }),
    ),
    // Some writers store -1 for a table without a snapshot.
    currentSnapshotId: current === null || current === -1n ? null : current,
    nameMapping: mapping === undefined ? null : parseNameMapping(mapping),
  };
}

function schemasOf(json: z.infer<typeof metadataJson>): readonly TableSchema[] {
  if (json.schemas !== null && json.schemas !== undefined && json.schemas.length > 0)
    return json.schemas.map(parseSchema);
  return [parseSchema(json.schema)];
}

function specsOf(json: z.infer<typeof metadataJson>): readonly PartitionSpec[] {
  const specs = json['partition-specs'] ?? [{ 'spec-id': 0, fields: json['partition-spec'] ?? [] }];
  return specs.map(({ 'spec-id': specId, fields }) => ({
    specId,
    fields: fields.map((field, i) => ({
      fieldId: field['field-id'] ?? FIRST_PARTITION_ID + i,
      // A transform of several columns cannot prune files; no column has the id -1.
      sourceId:
        field['source-id'] ?? (field['source-ids']?.length === 1 ? (field['source-ids'][0] ?? -1) : -1),
      name: field.name,
      transform: field.transform,
    })),
  }));
}

/**
 * The snapshot that a scan reads, or null for a table without one, and the schema of its rows: the current
 * schema, or that of an explicitly named snapshot.
 * @throws IcebergError `not_found` for an unknown snapshot
 */
export function snapshotFor(
  table: TableMetadata,
  snapshotId: bigint | null,
): { readonly snapshot: Snapshot | null; readonly schema: TableSchema } {
  const wantedId = snapshotId ?? table.currentSnapshotId;
  if (wantedId === null) return { snapshot: null, schema: table.currentSchema };
  const snapshot = table.snapshots.find(({ id }) => id === wantedId);
  if (snapshot === undefined) {
    throw new IcebergError(
      'not_found',
      `The table has no snapshot ${wantedId}. It may have expired; read the current one, or list the snapshots of the table.`,
    );
  }
  if (snapshotId === null || snapshot.schemaId === null) return { snapshot, schema: table.currentSchema };
  const schema = table.schemas.find(({ schemaId }) => schemaId === snapshot.schemaId);
  return { snapshot, schema: schema ?? table.currentSchema };
}
