/** The wire form of a whole notebook: its body, with the graph in frames, and with its session in REST answers. */

import * as z from 'zod';
import { appLayout } from './appLayout.ts';
import { autoRun } from './autoRun.ts';
import { cell, mount, variantGroup } from './cell.ts';
import { dag, linkedDag } from './dag.ts';
import { environment, environmentJob, packageSource, rEnvironment } from './environment.ts';
import { queuedRun } from './runQueue.ts';

/**
 * The mask of a secret or a fetched value on the wire; sent back, it keeps the value (docs/spec/notebook-file.md, 3.1).
 */
export const MASKED = '__svc_masked__';

export const workerSpec = z.object({
  name: z.string(),
  backend: z.enum(['local', 'executor']),
  runtime_id: z.string().nullable(),
  config: z.record(z.string(), z.unknown()),
});

/** The part of the server's configuration that the window needs (docs/spec/rest-notebooks.md, 2.9). */
export const runtimeConfig = z.object({
  deployment_mode: z.enum(['personal', 'service']),
  default_parent_path: z.string(),
  available_python_versions: z.array(z.string()),
  default_python_version: z.string(),
  python_selection_fixed: z.boolean(),
  registry_enabled: z.boolean(),
  team_store_configured: z.boolean(),
});
export type RuntimeConfig = z.infer<typeof runtimeConfig>;

/** The notebook's own part of a state (docs/spec/rest-notebooks.md, 2.1). */
export const notebookBody = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string().nullable(),
  worker: z.string().nullable(),
  timeout: z.number().nullable(),
  env: z.record(z.string(), z.string()),
  env_sources: z.record(z.string(), z.string()),
  env_fetch_error: z.string().nullable(),
  env_fetched_at: z.string().nullable(),
  ai: z.record(z.string(), z.unknown()),
  workers: z.array(workerSpec),
  mounts: z.array(mount),
  connections: z.array(z.record(z.string(), z.unknown())),
  catalogs: z.record(z.string(), z.record(z.string(), z.unknown())),
  malformed_connections: z.array(
    z.object({ name: z.string(), body: z.record(z.string(), z.unknown()), error: z.string() }),
  ),
  secret_manager_config: z.record(z.string(), z.unknown()),
  r: z.record(z.string(), z.unknown()),
  cells: z.array(cell),
  variant_groups: z.array(variantGroup),
  created_at: z.string().nullable(),
  updated_at: z.string().nullable(),
  environment,
  environment_job: environmentJob.nullable(),
  environment_job_history: z.array(environmentJob),
  r_environment: rEnvironment,
  /** Extension: why the notebook's folder cannot be followed now (missing, notebook.toml broken). */
  folder_problem: z.string().optional(),
  /** Extension: which cells have results of an older version that may be wrong. */
  recheck_notice: z.string().optional(),
  /** Extension: files below `.svc` that were damaged when the notebook opened, and what that means. */
  damaged_notice: z.string().optional(),
  /** Extension: why nothing runs while the folder is untrusted (desktop app only). */
  untrusted: z.string().optional(),
  /** Extension: the packages that an untrusted folder wants to install, with their sources. */
  package_sources: z.array(packageSource).optional(),
  /** Extension: packages of an import that wait for approval. */
  waiting_packages: z.array(packageSource).optional(),
  /** Extension: queued runs; absent while there are none. */
  run_queue: z.array(queuedRun).optional(),
  /** Extension: which runs begin without a request; absent while nothing was set. */
  auto_run: autoRun.optional(),
  /** Extension: how the app view is arranged; absent if notebook.toml has no layout. */
  app: appLayout.optional(),
});
export type NotebookBody = z.infer<typeof notebookBody>;

/** notebook_state frames: the body and its graph. */
export const notebookStateFrame = notebookBody.extend({
  dag: linkedDag.extend({ variant_groups: z.array(variantGroup).optional() }),
});
export type NotebookStateFrame = z.infer<typeof notebookStateFrame>;

/** A notebook that was created, imported or opened (docs/spec/rest-notebooks.md, 2.1). */
export const sessionState = notebookBody.extend({
  ...runtimeConfig.shape,
  session_id: z.string(),
  path: z.string(),
  dag,
});
export type SessionStateBody = z.infer<typeof sessionState>;
