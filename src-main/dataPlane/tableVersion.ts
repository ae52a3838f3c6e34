/** Opens a table at the snapshot that a request reads, and pins that snapshot. */

import { randomUUID } from 'node:crypto';
import { parseTableUri } from '../iceberg/catalog/tableUri.ts';
import { withinDeadline } from '../iceberg/deadline.ts';
import { ManifestCache } from '../iceberg/metadata/manifestCache.ts';
import { snapshotFor } from '../iceberg/metadata/tableMetadata.ts';
import type { TableSchema } from '../iceberg/metadata/types.ts';
import { type OpenTable, openTable, type Warehouses } from '../iceberg/openTable.ts';
import { type PlanLimits, planScan, type ScanPlan, type ScanRequest } from '../iceberg/plan/planScan.ts';
import { refusalOf } from './planeRefusal.ts';

export interface TableLimits extends PlanLimits {
  readonly planSeconds: number;
}

/** A table, opened at the snapshot that a request reads. */
export interface PinnedTable {
  readonly table: OpenTable;
  readonly schema: TableSchema;
  readonly schemaId: number;
  /** The snapshot; for a table without one, a text that is unique to this request. */
  readonly snapshot: bigint | string;
  /** `<snapshot>:<schema id>`, how the table is recorded as an input. */
  readonly version: string;
}

/** Opens tables and plans scans, each within a time limit, and converts errors to refusals. */
export interface Tables {
  /** @throws PlaneRefusal 400 for a text that is no table URI */
  check(uri: string): void;
  /** @throws PlaneRefusal */
  pin(uri: string, snapshotId: bigint | null, signal: AbortSignal): Promise<PinnedTable>;
  /** @throws PlaneRefusal */
  plan(pinned: PinnedTable, request: ScanRequest, signal: AbortSignal): Promise<ScanPlan>;
  readonly manifests: ManifestCache;
}

/** @param current the catalogs at the time of a request */
export function createTables(
  {
    defaultCatalog,
    current,
  }: { readonly defaultCatalog: string; readonly current: () => Promise<Warehouses> },
  limits: TableLimits,
): Tables {
  const timed = async <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await withinDeadline(work, {
        milliseconds: limits.planSeconds * 1000,
        what: 'Planning the scan',
        signal,
      });
    } catch (error) {
      throw refusalOf(error);
    }
  };
  const manifests = new ManifestCache();
  return {
    manifests,
    check(uri) {
      try {
        parseTableUri(uri, defaultCatalog);
      } catch (error) {
        throw refusalOf(error);
      }
    },
    pin: (uri, snapshotId, signal) =>
      timed(async (inner) => {
        const table = await openTable(uri, await current(), inner);
        try {
          const { snapshot, schema } = snapshotFor(table.metadata, snapshotId);
          const text = snapshot === null ? `empty:${randomUUID()}` : String(snapshot.id);
          return {
            table,
            schema,
            schemaId: schema.schemaId,
            snapshot: snapshot?.id ?? text,
            version: `${text}:${schema.schemaId}`,
          };
        } catch (error) {
          await table.close();
          throw error;
        }
      }, signal),
    plan: ({ table }, request, signal) =>
      timed(
        (inner) =>
          planScan(table.metadata, request, { files: table.files, signal: inner, limits, manifests }),
        signal,
      ),
  };
}

/** Whether an input is a table, not an artifact or a name. */
export function isTableInput(uri: string): boolean {
  return !uri.startsWith('svc://');
}
