/**
 * Contracts of the row-group cache's routes, and of the metadata of scans (docs/spec/core-services.md, 7). Times are
 * epoch seconds.
 */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';
import { integerField } from './params.ts';

const whole = z.number().int();
const figures = {
  hits: whole,
  misses: whole,
  total: whole,
  hit_rate: z.number(),
  bytes_from_cache: whole,
  bytes_from_storage: whole,
};
const warmBody = z.object({
  tables: z.array(z.string()).min(1),
  columns: z.array(z.string().min(1)).min(1).nullish(),
  max_row_groups: z.number().int().min(1).nullish(),
  concurrent: z.number().int().min(1).max(64).default(4),
});
const jobParams = z.object({ job_id: z.string() });

const warmJob = z.object({
  job_id: z.string(),
  status: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
  tables_total: whole,
  tables_completed: whole,
  row_groups_total: whole,
  row_groups_completed: whole,
  row_groups_cached: whole,
  row_groups_skipped: whole,
  bytes_written: whole,
  started_at: z.number().nullable(),
  completed_at: z.number().nullable(),
  elapsed_ms: z.number(),
  current_table: z.string().nullable(),
  errors: z.array(z.string()),
});

const lru = z.object({
  size: whole,
  max_size: whole,
  hits: whole,
  misses: whole,
  hit_rate: z.number(),
  updates: whole,
  evictions: whole,
});

export const CACHE_ROUTES = {
  cacheStats: {
    method: 'GET',
    path: '/v1/cache/stats',
    summary: 'Size of the row-group cache',
    scope: 'any',
    response: z.object({
      total_entries: whole,
      total_size_bytes: whole,
      max_size_bytes: whole,
      usage_percent: z.number(),
      oldest_entry: z.number().nullable(),
      newest_entry: z.number().nullable(),
      entries_by_table: z.record(z.string(), whole),
      entries_by_snapshot: z.record(z.string(), whole),
    }),
    errors: [],
  },
  cacheEntries: {
    method: 'GET',
    path: '/v1/cache/entries',
    summary: 'The entries of the row-group cache, oldest first',
    scope: 'admin:cache',
    response: z.object({
      entries: z.array(
        z.object({
          table_id: z.string(),
          snapshot_id: z.string(),
          file_path: z.string(),
          row_group_id: whole,
          columns: z.array(z.string()).nullable(),
          num_rows: whole,
          size_bytes: whole,
          created_at: z.number(),
        }),
      ),
    }),
    errors: [403],
  },
  cacheEvictions: {
    method: 'GET',
    path: '/v1/cache/evictions',
    summary: 'Evictions of the row-group cache, and its memory pressure',
    scope: 'any',
    query: z.object({
      include_events: z.stringbool().default(false),
      limit: integerField.pipe(z.int().min(1).max(100)).default(10),
    }),
    response: z.object({
      total_evictions: whole,
      total_files_evicted: whole,
      total_bytes_evicted: whole,
      evictions_last_minute: whole,
      evictions_last_hour: whole,
      bytes_evicted_last_minute: whole,
      bytes_evicted_last_hour: whole,
      eviction_rate_per_minute: z.number(),
      last_eviction_at: z.number().nullable(),
      pressure_level: z.enum(['low', 'medium', 'high', 'critical']),
      recent_events: z
        .array(
          z.object({
            timestamp: z.number(),
            files_evicted: whole,
            bytes_evicted: whole,
            cache_size_before: whole,
            cache_size_after: whole,
            reason: z.string(),
          }),
        )
        .optional(),
    }),
    errors: [422],
  },
  cacheHistogram: {
    method: 'GET',
    path: '/v1/cache/histogram',
    summary: 'Hits and misses of the row-group cache',
    scope: 'admin:cache',
    response: z.object({
      lifetime: z.object(figures),
      windows: z.array(
        z.object({
          ...figures,
          window_seconds: whole,
          covered_seconds: z.number(),
          miss_rate: z.number(),
        }),
      ),
      top_tables: z.array(
        z.object({ table_id: z.string(), hits: whole, misses: whole, total: whole, hit_rate: z.number() }),
      ),
    }),
    errors: [403],
  },
  clearCache: {
    method: 'POST',
    path: '/v1/cache/clear',
    summary: 'Clear the row-group cache and reset its statistics',
    scope: 'admin:cache',
    response: z.object({ status: z.literal('cleared') }),
    errors: [403],
  },
  warmCache: {
    method: 'POST',
    path: '/v1/cache/warm',
    summary: 'Fetch row groups of tables into the cache',
    scope: 'any',
    body: warmBody,
    response: z.object({
      tables_warmed: whole,
      row_groups_cached: whole,
      row_groups_skipped: whole,
      bytes_written: whole,
      elapsed_ms: z.number(),
      errors: z.array(z.string()),
    }),
    errors: [400, 404, 422, 503],
  },
  warmCacheAsync: {
    method: 'POST',
    path: '/v1/cache/warm/async',
    summary: 'Fetch row groups of tables into the cache, in the background',
    scope: 'any',
    exactIntegers: true,
    body: warmBody.extend({ snapshot_id: z.unknown().optional(), priority: z.number().int().default(0) }),
    response: z.object({
      job_id: z.string(),
      status: z.literal('pending'),
      tables_count: whole,
      message: z.string(),
    }),
    statuses: [200],
    errors: [400, 404, 422, 503],
  },
  warmJobs: {
    method: 'GET',
    path: '/v1/cache/warm/jobs',
    summary: 'Warmings in the background',
    scope: 'any',
    query: z.object({ include_completed: z.stringbool().default(true) }),
    response: z.object({ jobs: z.array(warmJob) }),
    errors: [422],
  },
  warmJob: {
    method: 'GET',
    path: '/v1/cache/warm/jobs/{job_id}',
    summary: 'One warming in the background',
    scope: 'any',
    params: jobParams,
    response: warmJob,
    errors: [404],
  },
  cancelWarmJob: {
    method: 'DELETE',
    path: '/v1/cache/warm/jobs/{job_id}',
    summary: 'Cancel a warming in the background',
    scope: 'any',
    params: jobParams,
    response: z.object({ cancelled: z.literal(true), message: z.string() }),
    errors: [404],
  },
  inspectCache: {
    method: 'GET',
    path: '/v1/debug/cache/inspect',
    summary: 'Entries of the row-group cache with their files',
    scope: 'admin:cache',
    query: z.object({
      prefix: z.string().optional(),
      table_id: z.string().optional(),
      snapshot_id: z.string().optional(),
      limit: integerField.pipe(z.int().min(1).max(1000)).default(100),
    }),
    response: z.object({
      cache_version: z.string(),
      cache_dir: z.string(),
      entries: z.array(
        z.object({
          hash: z.string(),
          hash_prefix: z.string(),
          file_path: z.string(),
          file_exists: z.boolean(),
          file_size_bytes: whole,
          metadata: z.record(z.string(), z.unknown()),
        }),
      ),
      total_matched: whole,
      truncated: z.boolean(),
      prefix_filter: z.string().nullable(),
      table_id_filter: z.string().nullable(),
      snapshot_id_filter: z.string().nullable(),
    }),
    errors: [403, 422],
  },
  metadataStats: {
    method: 'GET',
    path: '/v1/metadata/stats',
    summary: 'The cached metadata of tables',
    scope: 'any',
    response: z.object({
      parquet_cache: lru,
      manifest_cache: z.object({ unfiltered: lru, filtered: lru }),
      metadata_store: z.object({ entries: whole }).nullable(),
    }),
    errors: [],
  },
  cleanUpMetadata: {
    method: 'POST',
    path: '/v1/metadata/cleanup',
    summary: 'Remove the metadata of files that no longer exist',
    scope: 'admin:cache',
    response: z.object({ status: z.literal('completed'), stale_entries_removed: whole }),
    errors: [403],
  },
} as const satisfies Record<string, RouteContract>;
