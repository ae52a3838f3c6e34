import type { SessionRequest } from './api.ts';

/** Requests whose reply comes from the reducer; the others are answered as soon as they are handled. */
export const REPLYING: ReadonlySet<SessionRequest['type']> = new Set([
  'run_requested',
  'plan_confirmed',
  'run_all_requested',
  'cancel_requested',
  'widget_updated',
  'tests_edited',
  'tests_requested',
  'tests_cancelled',
  'source_edited',
  'cell_added',
  'cell_deleted',
  'cell_restored',
  'cells_reordered',
  'notebook_renamed',
  'variant_added',
  'variant_chosen',
  'cell_settings_changed',
  'mounts_changed',
  'timeout_changed',
  'connections_changed',
  'env_changed',
  'secret_manager_changed',
  'ai_changed',
  'parallel_cells_chosen',
  'workers_changed',
  'worker_chosen',
  'secrets_refresh_requested',
  'environment_job_requested',
  'environment_job_cancelled',
]);

/** What keeps no session alive: nobody edits, runs or goes anywhere by it (document 3, session lifetime). */
export const IDLE_REQUESTS: ReadonlySet<SessionRequest['type']> = new Set([
  'sync_requested',
  'socket_joined',
  'socket_left',
  'impact_requested',
  'profiling_requested',
]);
