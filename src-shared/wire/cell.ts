/** The wire form of a cell: its source, settings, status, results and diagnostics. */

import * as z from 'zod';
import { testResult } from './cellTests.ts';
import { mutationWarning, output } from './output.ts';
import { widget } from './widget.ts';

export const language = z.enum(['python', 'prompt', 'markdown', 'sql', 'r', 'widget']);
export type Language = z.infer<typeof language>;

export const cellStatus = z.enum(['idle', 'running', 'ready', 'error', 'stale']);
export type CellStatus = z.infer<typeof cellStatus>;

export const stalenessReason = z.enum(['self', 'upstream', 'env', 'forced']);
export type StalenessReason = z.infer<typeof stalenessReason>;

/** The stages of stopping a run: each follows if the previous one did not end it. */
export const stopStage = z.enum(['interrupting', 'terminating', 'killing']);
export type StopStage = z.infer<typeof stopStage>;

/** Why a cell is stale: the reason and the changes that led to it (docs/spec/staleness-and-runs.md, 2). */
export const causality = z.object({
  reason: z.enum(['self', 'upstream', 'env']),
  details: z.array(
    z.object({
      type: z.enum(['source_changed', 'input_changed', 'env_changed']),
      cell_id: z.string().optional(),
      cell_name: z.string().optional(),
      package: z.string().optional(),
      /** Extension: the changed local module, relative to the notebook's folder. */
      module: z.string().optional(),
      /** Extension: the changed file or folder that a run used. */
      file: z.string().optional(),
      /** Extension: the source of the set-up cell, named by `cell_id` if it still exists. */
      setup: z.literal(true).optional(),
      /** Extension: the mount, fetch, dataset or table whose data changed, by its name in the cell. */
      data: z.string().optional(),
      /** Extension, of a table: the snapshot it has now, in decimal digits. */
      snapshot: z.string().optional(),
    }),
  ),
});
export type Causality = z.infer<typeof causality>;

export const diagnostic = z.object({
  severity: z.enum(['error', 'warn', 'info']),
  code: z.string(),
  message: z.string(),
  line: z.number().int().nullable(),
  /** Extension: the path or name it is about, if a fix needs it. */
  subject: z.string().optional(),
});
export type Diagnostic = z.infer<typeof diagnostic>;

export const mount = z.object({
  name: z.string(),
  uri: z.string(),
  mode: z.enum(['ro', 'rw']),
  pin: z.string().nullable(),
  options: z.record(z.string(), z.unknown()),
  credential: z.string().nullable(),
});
export type Mount = z.infer<typeof mount>;

/** The annotations in a cell's JSON; no others are sent (docs/spec/annotations.md, 1.2, 2). */
export const cellAnnotations = z.object({
  name: z.string().nullable(),
  worker: z.string().nullable(),
  timeout: z.number().nullable(),
  env: z.record(z.string(), z.string()),
  mounts: z.array(mount),
  tables: z.array(z.object({ name: z.string(), uri: z.string(), snapshot_pin: z.number().nullable() })),
  loop: z
    .object({
      max_iter: z.number().int(),
      carry: z.string(),
      until_expr: z.string().nullable(),
      start_from_cell: z.string().nullable(),
      start_from_iter: z.number().int().nullable(),
    })
    .nullable(),
  variant: z.object({ group: z.string(), name: z.string() }).nullable(),
});

/** Extension: the group and variants that a cell runs for. */
export const fanOut = z.object({ group: z.string(), variants: z.array(z.string()) });

/** Extension: who made a result that came from the team's cache, when (epoch seconds), and the time it saved. */
export const teamCacheOrigin = z.object({
  principal: z.string().nullable(),
  created_at: z.number(),
  saved_ms: z.number(),
});

/** A cell as in every reply and notebook_state (docs/spec/rest-notebooks.md, 2.2). */
export const cell = z.object({
  id: z.string(),
  source: z.string(),
  test_source: z.string(),
  test_result: testResult.nullable(),
  language,
  order: z.number(),
  status: cellStatus,
  staleness: z.object({ status: cellStatus, reasons: z.array(stalenessReason) }).nullable(),
  staleness_reasons: z.array(stalenessReason),
  defines: z.array(z.string()),
  references: z.array(z.string()),
  mutation_defines: z.array(z.string()),
  builtin_references: z.array(z.string()),
  upstream_ids: z.array(z.string()),
  downstream_ids: z.array(z.string()),
  is_leaf: z.boolean(),
  worker: z.string().nullable(),
  timeout: z.number().nullable(),
  env: z.record(z.string(), z.string()),
  mounts: z.array(mount),
  worker_override: z.string().nullable(),
  timeout_override: z.number().nullable(),
  env_overrides: z.record(z.string(), z.string()),
  mount_overrides: z.array(mount),
  variant_group: z.string().nullable(),
  variant_name: z.string().nullable(),
  variant_active: z.boolean(),
  annotation_diagnostics: z.array(diagnostic),
  annotations: cellAnnotations,
  artifact_uri: z.string().nullable(),
  artifact_uris: z.record(z.string(), z.string()),
  display_outputs: z.array(output),
  display_output: output.nullable(),
  console_stdout: z.string(),
  console_stderr: z.string(),
  /** Extension: it shows outputs of its imported file; it has not run yet. */
  imported: z.literal(true).optional(),
  error: z.string().nullable(),
  /**
   * Extension: the error of the newest run, if it had another source and no result matches the current one.
   */
  past_error: z.string().optional(),
  cache_hit: z.boolean(),
  execution_method: z.string().nullable(),
  remote_worker: z.string().nullable(),
  remote_transport: z.string().nullable(),
  remote_build_id: z.string().nullable(),
  remote_build_state: z.string().nullable(),
  remote_error_code: z.string().nullable(),
  is_module_cell: z.boolean().optional(),
  module_exports: z.array(z.object({ name: z.string(), kind: z.string() })).optional(),
  causality: causality.optional(),
  /** For a widget cell: its controls and their values. */
  widget: widget.optional(),
  shadow_warnings: z.array(z.string()).optional(),
  /** Extension: the variants a cell runs for, sorted; absent if it runs once. */
  fan_out: fanOut.optional(),
  /** Extension: the result came from the team's cache. */
  team_cache: teamCacheOrigin.optional(),
  created_by: z.string().nullable(),
  updated_by: z.string().nullable(),
  /** Extension: the duration of the last uncached run, in milliseconds. */
  last_duration_ms: z.number().nullable().optional(),
  /** Extension: while it runs, when that began, by the server's clock; and the stage of stopping it. */
  running_since: z.string().optional(),
  stopping: stopStage.optional(),
  /** Extension: variables that later cells read now and the last run, with the same code, did not store. */
  unkept: z.array(z.string()).optional(),
  /** Extension: stored variables that no cell reads. */
  unread_uris: z.record(z.string(), z.string()).optional(),
  /** Extension: the warnings of the run whose result it shows. */
  mutation_warnings: z.array(mutationWarning).optional(),
  /**
   * Extension: how long its newest run had taken when it was stopped, in milliseconds; absent if it was not
   * stopped.
   */
  stopped_ms: z.number().optional(),
  /** Extension: the problem of the cell's file (missing, binary, too large). */
  file_problem: z.string().optional(),
  /** Extension: its tests are running. */
  tests_running: z.literal(true).optional(),
  /** Extension: the disk refused its source, which is only in the session; `file_problem` has the reason. */
  unsaved: z.literal(true).optional(),
});
export type Cell = z.infer<typeof cell>;

export const variantGroup = z.object({
  group: z.string(),
  active_name: z.string(),
  active_cell_id: z.string(),
  mode: z.enum(['switch', 'sweep']),
  members: z.array(z.object({ cell_id: z.string(), name: z.string(), is_active: z.boolean() })),
});
export type VariantGroup = z.infer<typeof variantGroup>;
