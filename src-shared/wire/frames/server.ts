import * as z from 'zod';
import { causality, cell, cellStatus, stalenessReason, stopStage } from '../cell.ts';
import { testCounts } from '../cellTests.ts';
import { dagUpdate } from '../dag.ts';
import { dependency, environment, environmentJob, rEnvironment } from '../environment.ts';
import { executionMethod } from '../execution.ts';
import { notebookStateFrame } from '../notebookState.ts';
import { mutationWarning, output, outputPreview } from '../output.ts';
import { runQueueChange } from '../runQueue.ts';
import { widget } from '../widget.ts';

export const sessionClosedReason = z.enum([
  'idle',
  'session_limit',
  'memory',
  'closed',
  'deleted',
  'shutdown',
]);
export type SessionClosedReason = z.infer<typeof sessionClosedReason>;

/** One cell that would run, or that is ready and need not. */
const planStep = z.object({
  cell_id: z.string(),
  cell_name: z.string(),
  reason: z.enum(['stale', 'missing', 'target']),
  skip: z.boolean(),
  estimated_ms: z.number().int(),
});

/**
 * Every frame the server sends today. `transient` frames are never replayed after a reconnect. `extension` frames are
 * not of the specification: only a socket that asked for them gets any (docs/extensions.md).
 */
/** Of a run on a worker elsewhere (document 3). */
const remoteRun = {
  remote_worker: z.string().optional(),
  remote_transport: z.string().optional(),
  remote_build_id: z.string().optional(),
  remote_build_state: z.string().optional(),
};

export const SERVER_FRAMES = {
  cell_status: {
    transient: false,
    payload: z.object({
      cell_id: z.string(),
      status: cellStatus,
      staleness_reasons: z.array(stalenessReason).optional(),
      causality: causality.optional(),
      ...remoteRun,
      /** While it starts alone. */
      remote_queue_position: z.int().optional(),
      remote_queue_detail: z.string().optional(),
      /** Ours: milliseconds after which its newest run was stopped. */
      stopped_ms: z.number().optional(),
    }),
  },
  cell_output: {
    transient: false,
    payload: z.object({
      cell_id: z.string(),
      outputs: z.record(z.string(), outputPreview),
      display: output.optional(),
      displays: z.array(output).optional(),
      cache_hit: z.boolean(),
      duration_ms: z.number().int(),
      artifact_uri: z.string().nullable(),
      artifact_uris: z.record(z.string(), z.string()),
      /** Ours: variables nobody reads that the run kept all the same. */
      unread_uris: z.record(z.string(), z.string()).optional(),
      stdout: z.string(),
      stderr: z.string(),
      execution_method: executionMethod,
      mutation_warnings: z.array(mutationWarning),
      ...remoteRun,
      remote_error_code: z.string().optional(),
      /** Ours: what the controls of a widget cell are set to now. */
      widget: widget.optional(),
    }),
  },
  /** A piece of a model's answer; `retry` clears what came before, `notice` stands beside it. */
  cell_output_delta: {
    transient: true,
    payload: z.object({
      cell_id: z.string(),
      /** From 1. */
      attempt: z.number().int(),
      kind: z.enum(['delta', 'retry', 'notice']),
      text: z.string(),
    }),
  },
  cell_iteration_progress: {
    transient: true,
    payload: z.object({
      cell_id: z.string(),
      /** From 0. */
      iteration: z.number().int(),
      max_iter: z.number().int(),
      artifact_uri: z.string(),
      content_type: z.string(),
      until_reached: z.boolean(),
      duration_ms: z.number().int(),
    }),
  },
  cell_console: {
    transient: true,
    payload: z.object({
      cell_id: z.string(),
      stream: z.enum(['stdout', 'stderr']),
      text: z.string(),
      chunk_seq: z.number().int().nullable(),
    }),
  },
  /** Ours: a run is being stopped, gently first; each stage follows when the one before did not end it. */
  cell_stopping: {
    transient: true,
    extension: true,
    payload: z.object({ cell_id: z.string(), stage: stopStage }),
  },
  /** Ours: files of the notebook were changed outside Cellar; the state that came before has them. */
  files_changed: {
    transient: true,
    extension: true,
    payload: z.object({
      /** Cells that are there before and after and whose source is another now. */
      cell_ids: z.array(z.string()),
      added: z.number().int(),
      removed: z.number().int(),
      /** Where an edit and a change from outside are both in a cell now: the texts of either alone. */
      merged: z
        .array(z.object({ cell_id: z.string(), mine: z.string(), theirs: z.string().optional() }))
        .optional(),
    }),
  },
  /** A run of a cell's tests began, or ended well or not; it mirrors cell_status and touches no cell's status. */
  cell_test_status: {
    transient: false,
    payload: z.object({ cell_id: z.string(), status: z.enum(['running', 'ready', 'error']) }),
  },
  cell_test_results: {
    transient: false,
    payload: testCounts.extend({
      cell_id: z.string(),
      stale: z.boolean(),
      auto_installed: z.array(z.string()),
    }),
  },
  /** Ours: how far a run of a cell's tests is. */
  cell_test_progress: {
    transient: true,
    extension: true,
    payload: z.object({
      cell_id: z.string(),
      /** Finished, of `total` (null until they are collected); `failed` of them failed or could not be run. */
      done: z.int(),
      total: z.int().nullable(),
      failed: z.int(),
      /** The test that runs now; null between two. */
      test: z.string().nullable(),
    }),
  },
  /** Ours: a cell's test file has another text, or its results have become stale or fresh, or are gone. */
  cell_tests_changed: {
    transient: false,
    extension: true,
    payload: z.object({ cell_id: z.string(), test_source: z.string(), stale: z.boolean().nullable() }),
  },
  /** One variant's run of a fan-out has ended; index 0 begins a new list (analysis-and-graph 3.4). */
  cell_variant_progress: {
    transient: true,
    payload: z.object({
      cell_id: z.string(),
      variant: z.string(),
      index: z.number().int(),
      total: z.number().int(),
      success: z.boolean(),
      duration_ms: z.number().int(),
      error: z.string().nullable(),
    }),
  },
  cell_error: {
    transient: false,
    payload: z.object({
      cell_id: z.string(),
      error: z.string(),
      stdout: z.string().optional(),
      stderr: z.string().optional(),
      error_code: z.string().optional(),
      ...remoteRun,
      remote_error_code: z.string().optional(),
      suggest_install: z.string().optional(),
      suggest_install_language: z.enum(['python', 'r']).optional(),
    }),
  },
  cascade_prompt: {
    transient: false,
    payload: z.object({
      cell_id: z.string(),
      plan_id: z.string(),
      /** In the order they run, the target last. */
      cells_to_run: z.array(z.string()),
      /** Ours: why each of them runs, and how long it took the last time. */
      steps: z.array(planStep).optional(),
      estimated_duration_ms: z.number().int(),
      /** Ours: the cells that were asked for, where the prompt is about several. */
      targets: z.array(z.string()).optional(),
    }),
  },
  impact_preview: {
    transient: false,
    payload: z.object({
      target_cell_id: z.string(),
      upstream: z.array(planStep),
      downstream: z.array(
        z.object({
          cell_id: z.string(),
          cell_name: z.string(),
          current_status: cellStatus,
          new_status: z.literal('stale:upstream'),
        }),
      ),
      estimated_ms: z.number().int(),
    }),
  },
  profiling_summary: {
    transient: false,
    payload: z.object({
      total_execution_ms: z.number().int(),
      cache_hits: z.number().int(),
      cache_misses: z.number().int(),
      cache_savings_ms: z.number().int(),
      team_cache_savings_ms: z.number().int(),
      team_cache_hits: z.number().int(),
      team_contributors: z.array(z.string()),
      team_promotions: z.array(z.string()),
      total_artifact_bytes: z.number().int(),
      cell_profiles: z.array(
        z.object({
          cell_id: z.string(),
          cell_name: z.string(),
          status: cellStatus,
          duration_ms: z.number().int(),
          cache_hit: z.boolean(),
          artifact_uri: z.string().nullable(),
          execution_count: z.number().int(),
        }),
      ),
    }),
  },
  /** To who asked. Never left out for a slow socket: somebody waits for it. */
  inspect_result: {
    transient: false,
    payload: z.object({
      cell_id: z.string(),
      action: z.enum(['open', 'eval', 'close']),
      expr: z.string().optional(),
      ok: z.boolean(),
      result: z.string().optional(),
      type: z.string().optional(),
      error: z.string().optional(),
      stdout: z.string().optional(),
      // Ours:
      stderr: z.string().optional(),
      /** What was shown: previews whole, pictures with their bytes. */
      displays: z.array(output).optional(),
      duration_ms: z.number().int().optional(),
      /** A statement, which has no value: `result` is what it printed. */
      statement: z.literal(true).optional(),
      /** Of an opening: names that are not there, and why. */
      missing: z.array(z.object({ name: z.string(), reason: z.string() })).optional(),
    }),
  },
  /** Ours: a console is closed, and not by this socket. */
  inspect_completions: {
    transient: false,
    extension: true,
    payload: z.object({
      cell_id: z.string(),
      /** The text it was asked with; not called `text`, which is what secrets are hidden in. */
      asked: z.string(),
      /** What may stand in place of its last name. */
      names: z.array(z.string()),
    }),
  },
  inspect_closed: {
    transient: false,
    extension: true,
    payload: z.object({
      cell_id: z.string(),
      reason: z.enum([
        'closed',
        'reopened',
        'ended',
        'idle',
        'cell_gone',
        'environment',
        'nobody_here',
        'held',
      ]),
      message: z.string(),
    }),
  },
  /** Ours: runs joined the queue of those that wait their turn, or left it. */
  run_queue: { transient: false, extension: true, payload: runQueueChange },
  cascade_progress: {
    transient: true,
    payload: z.object({
      plan_id: z.string(),
      current_cell_id: z.string(),
      completed: z.number().int(),
      total: z.number().int(),
    }),
  },
  dag_update: { transient: false, payload: dagUpdate },
  notebook_state: { transient: false, payload: notebookStateFrame },
  presence: {
    transient: true,
    payload: z.object({
      principals: z.array(
        z.object({ principal: z.string(), focused_cell_id: z.string().nullable(), since: z.number() }),
      ),
      you: z.string(),
      /** Ours: every socket but the receiver's own; two tabs of one person are two places. */
      others: z
        .array(z.object({ principal: z.string(), focused_cell_id: z.string().nullable(), since: z.number() }))
        .optional(),
    }),
  },
  environment_job_started: { transient: false, payload: z.object({ environment_job: environmentJob }) },
  environment_job_progress: { transient: false, payload: z.object({ environment_job: environmentJob }) },
  environment_job_finished: {
    transient: false,
    payload: z.object({
      environment_job: environmentJob,
      environment_job_history: z.array(environmentJob),
      cells: z.array(cell),
      lockfile_changed: z.boolean(),
      stale_cell_count: z.number().int(),
      stale_cell_ids: z.array(z.string()),
      environment: environment.optional(),
      r_environment: rEnvironment.optional(),
      dependencies: z.array(dependency).optional(),
      resolved_dependencies: z.array(dependency).optional(),
      /** Of an import. */
      warnings: z.array(z.string()).optional(),
      imported_count: z.number().int().optional(),
    }),
  },
  /** After the job of an add or a remove; kept for clients that know no jobs. */
  dependency_changed: {
    transient: false,
    payload: z.object({
      package: z.string(),
      action: z.enum(['add', 'remove']),
      success: z.boolean(),
      error: z.string().nullable(),
      lockfile_changed: z.boolean(),
      stale_cell_count: z.number().int(),
      cells: z.array(cell),
      environment: environment.optional(),
      dependencies: z.array(dependency).optional(),
      resolved_dependencies: z.array(dependency).optional(),
    }),
  },
  session_closed: {
    transient: false,
    payload: z.object({ reason: sessionClosedReason, message: z.string() }),
  },
  error: {
    transient: false,
    payload: z.object({
      error: z.string(),
      code: z.string().optional(),
      cell_id: z.string().optional(),
      held_by: z.string().optional(),
      /** Ours, with `source_changed_on_disk`: the text that was not written. */
      source: z.string().optional(),
      /** Ours, with the same: the last text that it and the file had in common. */
      base_source: z.string().optional(),
    }),
  },
} as const satisfies Record<string, { transient: boolean; extension?: true; payload: z.ZodType }>;

export type ServerFrameType = keyof typeof SERVER_FRAMES;
export type ServerPayload<T extends ServerFrameType> = z.infer<(typeof SERVER_FRAMES)[T]['payload']>;
export type ServerFrame = {
  [T in ServerFrameType]: { readonly type: T; readonly payload: ServerPayload<T> };
}[ServerFrameType];
/**
 * A server frame as it arrives at a client. `prev` (ours) is the last `seq` this socket was sent; it is there where
 * numbers are missing in between and nothing was lost: they went to others.
 */
export type ReceivedFrame = ServerFrame & {
  readonly seq: number;
  readonly prev?: number;
  readonly ts: string;
};
