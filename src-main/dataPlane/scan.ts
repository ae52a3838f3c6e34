/** Checks scans of the data plane, computes their provenance, and finds the stored one that answers a request. */

import type { ScanPlan, ScanRequest } from '../iceberg/plan/planScan.ts';
import { scanProvenance } from '../iceberg/scanKey.ts';
import type { Registry } from '../registry/registry.ts';
import { BUILT_HERE } from '../registry/versionBuilds.ts';
import type { Party, VersionRow } from '../registry/versionRow.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import { isTableInput, type PinnedTable } from './tableVersion.ts';

/** The table that a scan reads. @throws PlaneRefusal 400 */
export function scanInput(inputs: readonly string[]): string {
  const [uri] = inputs;
  if (uri === undefined || inputs.length !== 1) {
    throw new PlaneRefusal(
      400,
      `scan@v1 reads exactly one table, but the request names ${inputs.length} inputs.`,
    );
  }
  if (!isTableInput(uri)) {
    throw new PlaneRefusal(
      400,
      `scan@v1 reads a table, and ${uri} is not one. Read artifacts with duckdb_sql@v1.`,
    );
  }
  return uri;
}

/** The provenance of a scan. */
export function scanHash({ table, snapshot, schemaId }: PinnedTable, request: ScanRequest): string {
  const { identity } = table.uri;
  return scanProvenance({
    identity,
    schemaId,
    snapshotId: snapshot,
    columns: request.columns,
    filters: request.filters,
  });
}

/**
 * A stored scan that answers a request. One that another program stored may hold rows that the filters exclude, since
 * other servers store whole row groups; it is replaced by one that this server builds.
 */
export function storedScan(
  registry: Registry,
  { hash, request, party }: { readonly hash: string; readonly request: ScanRequest; readonly party: Party },
): { readonly hit: VersionRow | null; readonly replaces: VersionRow | null } {
  const row = registry.readyByProvenance(hash, party);
  if (row === null) return { hit: null, replaces: null };
  const isExact = row.details.built_by === BUILT_HERE || request.filters.length === 0;
  return isExact ? { hit: row, replaces: null } : { hit: null, replaces: row };
}

/** Checks the size and the columns of a planned scan. @throws PlaneRefusal 400, 413 */
export function checkPlan(
  plan: ScanPlan,
  { maxTasks, maxBytes }: { readonly maxTasks: number; readonly maxBytes: number },
): void {
  const rowGroups = plan.tasks.reduce((sum, { file }) => sum + file.rowGroups, 0);
  if (rowGroups > maxTasks) {
    throw new PlaneRefusal(
      400,
      `The scan reads ${rowGroups} row groups, more than the limit of ${maxTasks} (SVC_MAX_TASKS_PER_SCAN). Add filters, or compact the table.`,
    );
  }
  const bytes = estimatedBytes(plan);
  if (bytes > maxBytes) {
    throw new PlaneRefusal(
      413,
      `The scan reads about ${bytes} bytes, more than the limit of ${maxBytes} (SVC_MAX_RESPONSE_BYTES). Read fewer columns or rows.`,
    );
  }
}

/** The bytes of the scan's columns in its data files, as far as they are known before reading. */
export function estimatedBytes({ bytes, columns, schema }: ScanPlan): number {
  const share = schema.fields.length === 0 ? 1 : columns.length / schema.fields.length;
  return Math.ceil(Number(bytes) * share);
}
