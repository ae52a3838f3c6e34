/** Handlers of the routes about the row-group cache of the data plane: statistics, entries and warming. */

import { existsSync } from 'node:fs';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { CACHE_ROUTES } from '../../../src-shared/wire/routes/cache.ts';
import type { DataPlane } from '../../dataPlane/api.ts';
import type { WarmJob } from '../../dataPlane/cache/warmJobs.ts';
import { readSnapshotId } from '../../dataPlane/scanParams.ts';
import type { Caller } from '../caller.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { partyOf } from './registryParty.ts';

/** The handlers of the routes about the row-group cache. */
export function cacheHandlers({
  dataPlane,
  refuseWhenDraining,
}: {
  readonly dataPlane: DataPlane;
  readonly refuseWhenDraining: () => void;
}): HandlersOf<typeof CACHE_ROUTES> {
  const warmRequest = (
    body: {
      readonly tables: readonly string[];
      readonly columns?: readonly string[] | null | undefined;
      readonly max_row_groups?: number | null | undefined;
      readonly concurrent: number;
    },
    snapshotId: bigint | null,
  ) => ({
    tables: body.tables,
    columns: body.columns ?? null,
    concurrent: body.concurrent,
    snapshotId,
    maxRowGroups: body.max_row_groups ?? null,
  });
  return {
    async cacheStats() {
      const { cache } = await dataPlane.cachePlane();
      const entries = await cache.entries();
      const total = entries.reduce((sum, { meta }) => sum + meta.size_bytes, 0);
      const times = entries.map(({ meta }) => meta.created_at);
      return {
        total_entries: entries.length,
        total_size_bytes: total,
        max_size_bytes: cache.maxBytes,
        usage_percent: (total / cache.maxBytes) * 100,
        oldest_entry: times.length === 0 ? null : Math.min(...times),
        newest_entry: times.length === 0 ? null : Math.max(...times),
        entries_by_table: counted(entries.map(({ meta }) => meta.table_id)),
        entries_by_snapshot: counted(entries.map(({ meta }) => `${meta.table_id}:${meta.snapshot_id}`)),
      };
    },
    async cacheEntries() {
      const { cache } = await dataPlane.cachePlane();
      return { entries: (await cache.entries()).map(({ meta }) => meta) };
    },
    async cacheEvictions({ query }) {
      const { cache } = await dataPlane.cachePlane();
      return cache.metrics.evictions(query.include_events ? query.limit : null);
    },
    async cacheHistogram() {
      const { cache } = await dataPlane.cachePlane();
      return cache.metrics.histogram();
    },
    async clearCache() {
      const { cache } = await dataPlane.cachePlane();
      await cache.clear();
      return { status: 'cleared' };
    },
    async warmCache({ body, caller, wanted: signal }) {
      refuseWhenDraining();
      const startedMs = performance.now();
      const cachePlane = await dataPlane.cachePlane();
      const progress = await cachePlane.warm(warmRequest(body, null), tenantOf(caller), signal());
      return {
        tables_warmed: progress.tablesCompleted,
        row_groups_cached: progress.rowGroupsCached,
        row_groups_skipped: progress.rowGroupsSkipped,
        bytes_written: progress.bytesWritten,
        elapsed_ms: performance.now() - startedMs,
        errors: progress.errors,
      };
    },
    async warmCacheAsync({ body, caller }) {
      refuseWhenDraining();
      const cachePlane = await dataPlane.cachePlane();
      const { id, tablesTotal } = cachePlane.warmLater(
        warmRequest(body, readSnapshotId(body.snapshot_id)),
        tenantOf(caller),
        body.priority,
      );
      return {
        job_id: id,
        status: 'pending',
        tables_count: tablesTotal,
        message: `Warming ${tablesTotal} ${tablesTotal === 1 ? 'table' : 'tables'} in the background.`,
      };
    },
    async warmJobs({ query, caller }) {
      const { jobs } = await dataPlane.cachePlane();
      const all = jobs.list(tenantOf(caller));
      const visible = query.include_completed ? all : all.filter(({ completedAt }) => completedAt === null);
      return { jobs: visible.map(jobView) };
    },
    async warmJob({ params, caller }) {
      const { jobs } = await dataPlane.cachePlane();
      const job = jobs.find(params.job_id, tenantOf(caller));
      if (job === null) throw new AppError('not_found', 'Job not found');
      return jobView(job);
    },
    async cancelWarmJob({ params, caller }) {
      const { jobs } = await dataPlane.cachePlane();
      if (!jobs.cancel(params.job_id, tenantOf(caller))) {
        throw new AppError('not_found', 'Job not found or already completed');
      }
      return { cancelled: true, message: `Job ${params.job_id} was cancelled.` };
    },
    async inspectCache({ query }) {
      const { cache } = await dataPlane.cachePlane();
      const matched = (await cache.entries()).filter(
        ({ key, meta }) =>
          key.startsWith(query.prefix ?? '') &&
          (query.table_id ?? meta.table_id) === meta.table_id &&
          (query.snapshot_id ?? meta.snapshot_id) === meta.snapshot_id,
      );
      return {
        cache_version: cache.version,
        cache_dir: cache.dir,
        entries: matched.slice(0, query.limit).map((entry) => {
          const path = cache.pathOf(entry);
          return {
            hash: entry.key,
            hash_prefix: entry.key.slice(0, 8),
            file_path: path,
            file_exists: existsSync(path),
            file_size_bytes: entry.meta.size_bytes,
            metadata: { ...entry.meta },
          };
        }),
        total_matched: matched.length,
        truncated: matched.length > query.limit,
        prefix_filter: query.prefix ?? null,
        table_id_filter: query.table_id ?? null,
        snapshot_id_filter: query.snapshot_id ?? null,
      };
    },
    async metadataStats() {
      const { footers, manifests } = await dataPlane.cachePlane();
      const { parquet_cache, metadata_store } = await footers.stats();
      return { parquet_cache, metadata_store, manifest_cache: manifests.stats() };
    },
    async cleanUpMetadata() {
      const { footers } = await dataPlane.cachePlane();
      return { status: 'completed', stale_entries_removed: await footers.cleanUp() };
    },
  };
}

function tenantOf(caller: Caller): string {
  return partyOf(caller).tenant;
}

function counted(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function jobView({ id, status, tablesTotal, progress, startedAt, completedAt }: WarmJob) {
  const until = completedAt ?? Date.now() / 1000;
  return {
    job_id: id,
    status,
    tables_total: tablesTotal,
    tables_completed: progress.tablesCompleted,
    row_groups_total: progress.rowGroupsTotal,
    row_groups_completed: progress.rowGroupsCached + progress.rowGroupsSkipped,
    row_groups_cached: progress.rowGroupsCached,
    row_groups_skipped: progress.rowGroupsSkipped,
    bytes_written: progress.bytesWritten,
    started_at: startedAt,
    completed_at: completedAt,
    elapsed_ms: startedAt === null ? 0 : Math.max(0, (until - startedAt) * 1000),
    current_table: progress.currentTable,
    errors: [...progress.errors],
  };
}
