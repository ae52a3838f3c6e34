/** Exports a version of the artifact store to an Iceberg table. */

import { createReadStream } from 'node:fs';
import { type RecordBatch, RecordBatchReader, type Schema } from 'apache-arrow';
import { IcebergError } from '../../iceberg/icebergError.ts';
import type { Warehouses } from '../../iceberg/openTable.ts';
import { columnsOfArrow } from '../../iceberg/write/columnsOfArrow.ts';
import { openTableStore } from '../../iceberg/write/openTableStore.ts';
import { parquetOfArrow } from '../../iceberg/write/parquetOfArrow.ts';
import { writeTable } from '../../iceberg/write/writeTable.ts';
import { checkAlias } from '../../registry/names.ts';
import type { Registry } from '../../registry/registry.ts';
import { type Party, uriOf, type VersionRef } from '../../registry/versionRow.ts';
import { PlaneRefusal, refusalOf } from '../planeRefusal.ts';
import { ORIGIN_ARTIFACT_ID, ORIGIN_TENANT, originOf } from './origin.ts';

export interface TableExportRequest {
  readonly ref: VersionRef;
  /** A table URI. */
  readonly table: string;
  /** The tag of the table that names the snapshot; null: none. */
  readonly alias: string | null;
  /** The author recorded in the snapshot; null: the caller. */
  readonly promotedBy?: string | null;
}

export interface ExportedTable {
  readonly table: string;
  readonly snapshot_id: number;
  /** Whether the table is new. */
  readonly created: boolean;
  readonly artifact_uri: string;
}

/**
 * Writes a version of the artifact store to an Iceberg table: an append to a new table, an overwrite of one that an
 * export created (docs/spec/core-services.md, 7).
 * @throws PlaneRefusal, RegistryError
 */
export async function exportTable(
  { ref, table, alias, promotedBy = null }: TableExportRequest,
  {
    registry,
    warehouses,
    party,
    signal,
  }: {
    readonly registry: Registry;
    readonly warehouses: Warehouses;
    readonly party: Party;
    readonly signal: AbortSignal;
  },
): Promise<ExportedTable> {
  if (alias !== null) checkAlias(alias);
  const version = registry.get(ref, party);
  const { path, row } = registry.dataFile(ref, party);
  if (row.contentType !== 'arrow/ipc') {
    throw new PlaneRefusal(400, `${uriOf(ref)} is not a table: its type is ${row.contentType}.`);
  }
  try {
    const schema = await schemaOf(path);
    const columns = columnsOfArrow(schema);
    const store = openTableStore(table, warehouses);
    try {
      const { snapshotId, created } = await writeTable(
        store,
        {
          columns,
          tag: alias,
          summary: originOf(version, { ...party, principal: promotedBy ?? party.principal }),
          check: (last) => checkOrigin(table, last, party),
          parquet: (fields, file) => parquetOfArrow(readArrow(path, schema), { fields, path: file, signal }),
        },
        signal,
      );
      registry.exports.add({ ref, table, snapshotId: String(snapshotId) }, party);
      return { table, snapshot_id: Number(snapshotId), created, artifact_uri: uriOf(ref) };
    } finally {
      await store.close();
    }
  } catch (error) {
    throw refusalOf(error);
  }
}

/** @throws PlaneRefusal 400 for a table that no export created, 403 for another tenant's */
function checkOrigin(table: string, last: Readonly<Record<string, string>> | null, { tenant }: Party): void {
  if (last?.[ORIGIN_ARTIFACT_ID] === undefined) {
    throw new PlaneRefusal(
      400,
      `${table} was not written by an export, so its rows are not replaced. Export to another table.`,
    );
  }
  if (last[ORIGIN_TENANT] !== tenant) {
    throw new PlaneRefusal(403, `${table} was written by another tenant.`);
  }
}

/** The schema of a stored data frame. @throws IcebergError for bytes that are no data frame */
async function schemaOf(path: string): Promise<Schema> {
  try {
    const reader = await RecordBatchReader.from(createReadStream(path));
    await reader.open();
    const { schema } = reader;
    await reader.cancel();
    if ((schema.metadata.get('svc.arrow.shape') ?? 'table') === 'table') return schema;
  } catch (error) {
    throw new IcebergError('invalid_request', 'The result is not an Arrow stream.', { cause: error });
  }
  throw new IcebergError('invalid_request', 'The result is a single value or an array, not a table.');
}

function readArrow(path: string, schema: Schema) {
  async function* batches(): AsyncGenerator<RecordBatch> {
    const reader = await RecordBatchReader.from(createReadStream(path));
    await reader.open();
    yield* reader;
  }
  return { schema, batches: batches() };
}
