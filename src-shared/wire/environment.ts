/** The wire form of a notebook's Python and R environment, and of its jobs. */

import * as z from 'zod';

export const environment = z.object({
  requested_python_version: z.string(),
  runtime_python_version: z.string(),
  python_version: z.string(),
  lockfile_hash: z.string(),
  package_count: z.number().int(),
  declared_package_count: z.number().int(),
  resolved_package_count: z.number().int(),
  sync_state: z.enum(['unknown', 'pending', 'ready', 'fallback', 'failed']),
  sync_error: z.string().nullable(),
  sync_notice: z.string().nullable(),
  last_synced_at: z.number().nullable(),
  last_sync_duration_ms: z.number().int().nullable(),
  has_lockfile: z.boolean(),
  venv_python: z.string().nullable(),
  interpreter_source: z.enum(['unknown', 'venv', 'path']),
});
/** The notebook's Python environment in replies (docs/spec/rest-notebooks.md, 2.5). Times are epoch ms. */
export type Environment = z.infer<typeof environment>;

export const rEnvironment = z.object({
  has_lockfile: z.boolean(),
  current_lock_hash: z.string(),
  lock_hash: z.string(),
  r_version: z.string(),
  system_r_version: z.string().nullable(),
  last_synced_at: z.number(),
  sync_state: z.enum(['absent', 'never', 'ok', 'outdated', 'failed']),
  sync_error: z.string().nullable(),
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
  packages_status: z.enum(['absent', 'ok', 'rscript_missing', 'renv_not_active', 'failed']),
  packages_error: z.string().nullable(),
});
export type REnvironment = z.infer<typeof rEnvironment>;

const environmentJobPhase = z.enum([
  'uv_running',
  'preparing_import',
  'refreshing_runtime',
  'invalidating_warm_pool',
  'recomputing_staleness',
  'starting_warm_pool',
  'completed',
  'failed',
]);
export type EnvironmentJobPhase = z.infer<typeof environmentJobPhase>;

export const environmentJob = z.object({
  id: z.string(),
  action: z.enum(['add', 'remove', 'sync', 'import', 'change_python', 'r_init', 'r_add']),
  command: z.string(),
  status: z.enum(['running', 'completed', 'failed']),
  started_at: z.number(),
  package: z.string().nullable(),
  phase: environmentJobPhase.nullable(),
  duration_ms: z.number().int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  stdout_truncated: z.boolean(),
  stderr_truncated: z.boolean(),
  finished_at: z.number().nullable(),
  lockfile_changed: z.boolean(),
  stale_cell_count: z.number().int(),
  stale_cell_ids: z.array(z.string()),
  error: z.string().nullable(),
});
/**
 * One piece of uv work, running or finished (docs/spec/rest-notebooks.md, 2.6). stdout and stderr have at most 12,000
 * characters.
 */
export type EnvironmentJob = z.infer<typeof environmentJob>;

export const dependency = z.object({
  name: z.string(),
  version: z.string().nullable(),
  specifier: z.string().nullable(),
});
export type Dependency = z.infer<typeof dependency>;

export const packageSource = z.object({
  /** As written in the project; `*`: a setting for all packages. */
  requirement: z.string(),
  /** `build`: the index has it only as source. */
  kind: z.enum(['index', 'other_index', 'url', 'path', 'repository', 'build']),
  /** The URL or path of the source; null for the configured index. */
  from: z.string().nullable(),
});
/** Extension: a package that a notebook requires, with its source. */
export type PackageSource = z.infer<typeof packageSource>;
