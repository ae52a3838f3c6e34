/** Plans the scan of an Iceberg table: which files to read, with which deletes and conditions. */

import { IcebergError } from '../icebergError.ts';
import type { ManifestCache } from '../metadata/manifestCache.ts';
import {
  type ContentFile,
  type ManifestFile,
  readManifest,
  readManifestList,
} from '../metadata/manifests.ts';
import { type Snapshot, snapshotFor, type TableMetadata } from '../metadata/tableMetadata.ts';
import { childrenOf, type Field, findField, type TableSchema, typeText } from '../metadata/types.ts';
import type { TableFiles } from '../storage/tableFiles.ts';
import { deletesFor, type FileDeletes } from './assignDeletes.ts';
import { bindFilters, columnNamed, type Predicate, type ScanFilter } from './filters.ts';
import { partitionTests } from './partitionTests.ts';
import { manifestMayMatch, partitionMayMatch, statisticsMayMatch } from './prune.ts';

/** A request to read rows of a table. */
export interface ScanRequest {
  /** Null: all columns. The order does not matter: rows have the order of the schema. */
  readonly columns: readonly string[] | null;
  readonly filters: readonly ScanFilter[];
  /** The snapshot to read; null: the current one. */
  readonly snapshotId: bigint | null;
}

export interface ScanTask {
  readonly file: ContentFile;
  readonly deletes: FileDeletes;
}

/** The files of a scan, with what is needed to read their rows. */
export interface ScanPlan {
  readonly table: TableMetadata;
  readonly snapshot: Snapshot | null;
  readonly schema: TableSchema;
  readonly columns: readonly Field[];
  readonly predicates: readonly Predicate[];
  readonly tasks: readonly ScanTask[];
  /** Number of data files that were skipped because no row of them can match. */
  readonly prunedFiles: number;
  /** Total size of the data files. */
  readonly bytes: bigint;
}

export interface PlanLimits {
  /** Rows of equality deletes that a scan may apply (SVC_MAX_EQUALITY_DELETE_ROWS). */
  readonly equalityDeleteRows: number;
  /** Rows of position deletes that a scan may apply. */
  readonly positionDeleteRows: number;
}

interface PlanReading {
  readonly files: TableFiles;
  readonly signal: AbortSignal;
  /** Cache of manifests; absent: all are read. */
  readonly manifests?: ManifestCache;
}

interface ReadManifest {
  readonly manifest: ManifestFile;
  readonly files: readonly ContentFile[];
}

/** Manifests to read at the same time. */
const AT_ONCE = 4;

/**
 * Finds the files that a scan reads.
 * @throws IcebergError
 */
export async function planScan(
  table: TableMetadata,
  request: ScanRequest,
  reading: PlanReading & { readonly limits: PlanLimits },
): Promise<ScanPlan> {
  const { snapshot, schema } = snapshotFor(table, request.snapshotId);
  const columns = columnsOf(request, schema);
  const predicates = bindFilters(request.filters, schema);
  for (const { name, type } of columns) refuseUnsupported(name, { name, id: 0, required: false, type });
  const plan = { table, snapshot, schema, columns, predicates };
  if (snapshot === null) return { ...plan, tasks: [], prunedFiles: 0, bytes: 0n };
  const promoted = promotedColumns(table);
  const testsBySpec = new Map(
    [...table.specs.values()].map((spec) => [
      spec.specId,
      partitionTests(predicates, spec, { schema, promoted }),
    ]),
  );
  const manifests = await readManifestList(snapshot, reading);
  const neededManifests = manifests.filter(
    (manifest) =>
      manifest.content === 'deletes' ||
      manifestMayMatch(manifest, testsBySpec.get(manifest.specId ?? -1) ?? []),
  );
  const read = await readManifests(neededManifests, reading);
  const mayMatch = (file: ContentFile): boolean =>
    partitionMayMatch(file, testsBySpec.get(file.specId) ?? []) &&
    statisticsMayMatch(file, predicates, promoted);
  const conditions = conditionsText(predicates, promoted);
  const data = read.map(({ manifest, files }) => {
    const all = files.filter(({ content }) => content === 'data');
    if (predicates.length === 0) return { all: all.length, matching: all };
    const choose = () => all.filter(mayMatch);
    const matching = reading.manifests?.matching(manifest, conditions, choose) ?? choose();
    return { all: all.length, matching };
  });
  const matching = data.flatMap((one) => one.matching);
  for (const file of matching) refuseFile(file);
  const deletes = read.flatMap(({ files }) => files.filter(({ content }) => content !== 'data'));
  const tasks = deletesFor(matching, deletes, table.specs).map(
    (found, i): ScanTask => ({ file: matching[i] as ContentFile, deletes: found }), // one per file
  );
  checkLimits(tasks, reading.limits);
  return {
    ...plan,
    tasks,
    prunedFiles: data.reduce((sum, { all }) => sum + all, 0) - matching.length,
    bytes: matching.reduce((sum, { fileSize }) => sum + fileSize, 0n),
  };
}

function columnsOf({ columns }: ScanRequest, schema: TableSchema): readonly Field[] {
  if (columns === null) return schema.fields;
  if (columns.length === 0)
    throw new IcebergError(
      'invalid_request',
      'The scan names no column. Name one, or leave columns out to read all.',
    );
  const selectedColumns = new Set(columns.map((name) => columnNamed(schema, name)));
  return schema.fields.filter((field) => selectedColumns.has(field));
}

function refuseUnsupported(column: string, { type }: Field): void {
  const name =
    type.kind === 'unsupported' ? type.name : type.kind === 'timestamptz_ns' ? 'timestamptz_ns' : null;
  if (name !== null) {
    throw new IcebergError(
      'unreadable',
      `The column "${column}" has the type ${name}, which cannot be read. Name the other columns in the request.`,
    );
  }
  for (const child of childrenOf(type)) refuseUnsupported(column, child);
}

/** Columns that changed from date to timestamp: their bounds and partition values count days. */
function promotedColumns({ schemas, currentSchema }: TableMetadata): ReadonlySet<number> {
  const promoted = new Set<number>();
  for (const { fields } of schemas) {
    for (const { id, type } of fields) {
      const now = findField(currentSchema.fields, id)?.type.kind;
      if (type.kind === 'date' && now !== undefined && now !== 'date') promoted.add(id);
    }
  }
  return promoted;
}

async function readManifests(
  manifests: readonly ManifestFile[],
  reading: PlanReading,
): Promise<readonly ReadManifest[]> {
  const read: ReadManifest[] = [];
  for (let at = 0; at < manifests.length; at += AT_ONCE) {
    reading.signal.throwIfAborted();
    const some = await Promise.all(
      manifests.slice(at, at + AT_ONCE).map(async (manifest) => {
        const load = () => readManifest(manifest, reading);
        return { manifest, files: await (reading.manifests?.read(manifest, load) ?? load()) };
      }),
    );
    read.push(...some);
  }
  return read;
}

/**
 * A text that is equal for equal conditions on columns of the same types. Partition specs have an id in each
 * manifest.
 */
function conditionsText(predicates: readonly Predicate[], promoted: ReadonlySet<number>): string {
  const text = (value: Predicate['value']): string =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
  return JSON.stringify([
    predicates.map(({ field, type, op, value }) => [field.id, typeText(type), op, text(value)]),
    [...promoted],
  ]);
}

function refuseFile({ path, format, isEncrypted }: ContentFile): void {
  if (isEncrypted)
    throw new IcebergError('unreadable', `${path} is encrypted; encrypted tables are not supported.`);
  if (format !== 'parquet') {
    throw new IcebergError(
      'unreadable',
      `${path} is a data file in the format ${format}, which is not supported. Rewrite the table in Parquet.`,
    );
  }
}

function checkLimits(tasks: readonly ScanTask[], limits: PlanLimits): void {
  const sum = (kind: 'positions' | 'equalities') => {
    const files = new Set(tasks.flatMap(({ deletes }) => deletes[kind]));
    return [...files].reduce((rows, { recordCount }) => rows + recordCount, 0n);
  };
  const refuse = (rows: bigint, kind: string, limit: number) =>
    new IcebergError(
      'too_many_deletes',
      `The table has ${rows} rows of ${kind} deletes to apply, more than the limit of ${limit}. Compact the table.`,
    );
  const equalities = sum('equalities');
  if (equalities > BigInt(limits.equalityDeleteRows)) {
    throw refuse(equalities, 'equality', limits.equalityDeleteRows);
  }
  const positions = sum('positions');
  if (positions > BigInt(limits.positionDeleteRows)) {
    throw refuse(positions, 'position', limits.positionDeleteRows);
  }
}
