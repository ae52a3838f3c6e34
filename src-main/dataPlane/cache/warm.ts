/** Loads the row groups of tables into the cache before they are queried, for the warming routes. */

import type { ScanRequest } from '../../iceberg/plan/planScan.ts';
import { PlaneRefusal } from '../planeRefusal.ts';
import { isTableInput, type Tables } from '../tableVersion.ts';
import type { CachedReading } from './rowGroupFetcher.ts';
import { entryPlan } from './units.ts';

export interface WarmRequest {
  readonly tables: readonly string[];
  readonly columns: readonly string[] | null;
  readonly maxRowGroups: number | null;
  readonly concurrent: number;
  readonly snapshotId: bigint | null;
}

/** The progress of a warming; updated while it runs. */
export interface WarmProgress {
  tablesCompleted: number;
  rowGroupsTotal: number;
  rowGroupsCached: number;
  rowGroupsSkipped: number;
  bytesWritten: number;
  currentTable: string | null;
  readonly errors: string[];
}

export function noProgress(): WarmProgress {
  return {
    tablesCompleted: 0,
    rowGroupsTotal: 0,
    rowGroupsCached: 0,
    rowGroupsSkipped: 0,
    bytesWritten: 0,
    currentTable: null,
    errors: [],
  };
}

/** @throws PlaneRefusal 400 for an input that is no table */
export function checkWarm(request: WarmRequest, tables: Tables): void {
  for (const uri of request.tables) {
    if (isTableInput(uri)) {
      tables.check(uri);
      continue;
    }
    throw new PlaneRefusal(400, `${uri} is not a table. Only tables can be warmed.`);
  }
}

/** Fetches the row groups of tables into the cache. A table that fails adds an error to the progress. */
export async function warm(
  request: WarmRequest,
  {
    tables,
    reading,
    tenant,
    progress,
    signal,
  }: {
    readonly tables: Tables;
    readonly reading: CachedReading;
    readonly tenant: string;
    readonly progress: WarmProgress;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const waiting = [...new Set(request.tables)];
  const one = async (): Promise<void> => {
    for (let uri = waiting.shift(); uri !== undefined; uri = waiting.shift()) {
      signal.throwIfAborted();
      progress.currentTable = uri;
      try {
        await warmTable(uri, request, { tables, reading, tenant, progress, signal });
        progress.tablesCompleted += 1;
      } catch (error) {
        signal.throwIfAborted();
        progress.errors.push(`${uri}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(request.concurrent, waiting.length) }, one));
  progress.currentTable = null;
}

async function warmTable(
  uri: string,
  { columns, maxRowGroups, snapshotId }: WarmRequest,
  {
    tables,
    reading,
    tenant,
    progress,
    signal,
  }: {
    readonly tables: Tables;
    readonly reading: CachedReading;
    readonly tenant: string;
    readonly progress: WarmProgress;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const pinned = await tables.pin(uri, snapshotId, signal);
  try {
    const request: ScanRequest = { columns, filters: [], snapshotId };
    const plan = await tables.plan(pinned, request, signal);
    const owner = { tenant, identity: pinned.table.uri.identity };
    let left = maxRowGroups ?? Number.POSITIVE_INFINITY;
    for (const task of plan.tasks) {
      if (left <= 0) break;
      const entries = await reading.fetcher.entriesOf({
        plan: entryPlan(plan, reading.granularity),
        task,
        owner,
        signal,
        files: pinned.table.files,
        ...(Number.isFinite(left) ? { groups: left } : {}),
      });
      for (const { isNew, meta, release } of entries) {
        left -= 1;
        progress.rowGroupsTotal += 1;
        if (isNew) {
          progress.rowGroupsCached += 1;
          progress.bytesWritten += meta.size_bytes;
        } else progress.rowGroupsSkipped += 1;
        release();
      }
    }
  } finally {
    await pinned.table.close();
  }
}
