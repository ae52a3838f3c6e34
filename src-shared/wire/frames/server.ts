/** The frames that the server sends over the live WebSocket, with their payloads. */

import * as z from 'zod';
import { appLayout } from '../appLayout.ts';
import { agentConfirmRequest, agentDone, agentProgress } from '../assistant.ts';
import { autoRunReport } from '../autoRun.ts';
import { causality, cell, cellStatus, stalenessReason, stopStage, teamCacheOrigin } from '../cell.ts';
import { testCounts } from '../cellTests.ts';
import { dagUpdate } from '../dag.ts';
import { dependency, environment, environmentJob, rEnvironment } from '../environment.ts';
import { executionMethod } from '../execution.ts';
import { notebookStateFrame } from '../notebookState.ts';
import { mutationWarning, output, outputPreview } from '../output.ts';
import { runProgress, runQueueChange } from '../runQueue.ts';
import { undoEntry } from '../undo.ts';
import { widget } from '../widget.ts';
import { widgetMessage } from '../widgetMessages.ts';

const sessionClosedReason = z.enum(['idle', 'session_limit', 'memory', 'closed', 'deleted', 'shutdown']);
export type SessionClosedReason = z.infer<typeof sessionClosedReason>;

/** One cell that would run, or that is ready and need not run. */
const planStep = z.object({
  cell_id: z.string(),
  cell_name: z.string(),
  reason: z.enum(['stale', 'missing', 'target']),
  skip: z.boolean(),
  estimated_ms: z.number().int(),
});

/** For a run on a remote worker (docs/spec/live-protocol.md, 5.1). */
const remoteRun = {
  remote_worker: z.string().optional(),
  remote_transport: z.string().optional(),
  remote_build_id: z.string().optional(),
  remote_build_state: z.string().optional(),
};

/**
 * Every frame the server sends. `transient` frames are never replayed after a reconnect. `extension` frames
 * are not in the specification: only a socket that requested them gets any (docs/extensions.md).
 */
export const SERVER_FRAMES = {
  cell_status: {
    transient: false,
    payload: z.object({
      cell_id: z.string(),
      status: cellStatus,
      staleness_reasons: z.array(stalenessReason).optional(),
      causality: causality.optional(),
      ...remoteRun,
      /** The position in the worker's queue, only while the run starts. */
      remote_queue_position: z.int().optional(),
      remote_queue_detail: z.string().optional(),
      /** Extension: how long its newest run had taken when it was stopped, in milliseconds. */
      stopped_ms: z.number().optional(),
      /** Extension: as it begins, the progress of the run of several cells it is part of. */
      run_progress: runProgress.optional(),
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
      /** Extension: stored variables that no cell reads. */
      unread_uris: z.record(z.string(), z.string()).optional(),
      /** Extension: the result came from the team's cache. */
      team_cache: teamCacheOrigin.optional(),
      stdout: z.string(),
      stderr: z.string(),
      execution_method: executionMethod,
      mutation_warnings: z.array(mutationWarning),
      ...remoteRun,
      remote_error_code: z.string().optional(),
      /** Extension: the current values of a widget cell's controls. */
      widget: widget.optional(),
    }),
  },
  /** A chunk of a model's reply; `retry` discards the previous text, `notice` is shown next to it. */
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
  /**
   * Extension: a run is being stopped, gently first; each stage follows if the previous one did not end it.
   */
  cell_stopping: {
    transient: true,
    extension: true,
    payload: z.object({ cell_id: z.string(), stage: stopStage }),
  },
  /**
   * Extension: files of the notebook were changed outside Cellar; the preceding state includes the changes.
   */
  files_changed: {
    transient: true,
    extension: true,
    payload: z.object({
      /** Cells that existed before and whose source changed. */
      cell_ids: z.array(z.string()),
      added: z.number().int(),
      removed: z.number().int(),
      /** Cells in which an edit and an external change were merged: the text of each side. */
      merged: z
        .array(z.object({ cell_id: z.string(), mine: z.string(), theirs: z.string().optional() }))
        .optional(),
    }),
  },
  /** A run of a cell's tests began or ended; like cell_status, but it does not change a cell's status. */
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
  /** Extension: the progress of a run of a cell's tests. */
  cell_test_progress: {
    transient: true,
    extension: true,
    payload: z.object({
      cell_id: z.string(),
      /**
       * Completed tests, of `total` (null until they are collected); `failed` of them failed or could not
       * run.
       */
      done: z.int(),
      total: z.int().nullable(),
      failed: z.int(),
      /** The current test; null between two. */
      test: z.string().nullable(),
    }),
  },
  /** Extension: a cell's test file changed, or its results became stale or fresh, or were removed. */
  cell_tests_changed: {
    transient: false,
    extension: true,
    payload: z.object({ cell_id: z.string(), test_source: z.string(), stale: z.boolean().nullable() }),
  },
  /** One variant's run of a fan-out has ended; index 0 starts a new list (docs/spec/analysis-and-graph.md, 3.4). */
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
      /** Extension: why each of them runs, and its last duration. */
      steps: z.array(planStep).optional(),
      estimated_duration_ms: z.number().int(),
      /** Extension: the requested cells, if the prompt is about several. */
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
          // Extensions: over the newest runs of the cell, and of the last uncached one.
          total_ms: z.number().optional(),
          saved_ms: z.number().optional(),
          hits: z.number().int().optional(),
          last_ms: z.number().optional(),
          cpu_ms: z.number().optional(),
          peak_bytes: z.number().optional(),
          gpu_peak_bytes: z.number().optional(),
        }),
      ),
    }),
  },
  /** To the sender. Never dropped for a slow socket, because a user waits for it. */
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
      // Extensions:
      stderr: z.string().optional(),
      /** The displays: previews complete, pictures with their bytes. */
      displays: z.array(output).optional(),
      duration_ms: z.number().int().optional(),
      /** A statement, which has no value: `result` is its output. */
      statement: z.literal(true).optional(),
      /** On opening: missing names, each with the reason. */
      missing: z.array(z.object({ name: z.string(), reason: z.string() })).optional(),
    }),
  },
  /** Extension: the completions that a socket requested. */
  inspect_completions: {
    transient: false,
    extension: true,
    payload: z.object({
      cell_id: z.string(),
      /** The text of the request; not called `text`, because secrets are hidden in that field. */
      asked: z.string(),
      /** Possible completions of its last name. */
      names: z.array(z.string()),
    }),
  },
  /** Extension: a console was closed by something other than this socket. */
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
  /**
   * Extension: whether the process of a cell is kept for its widgets. `state` is only sent in reply to
   * `widget_open`; `why` is the reason for its end.
   */
  widget_live: {
    transient: false,
    extension: true,
    payload: z.object({
      cell_id: z.string(),
      live_id: z.string().nullable(),
      state: z.unknown().optional(),
      why: z.string().optional(),
    }),
  },
  /** Extension: messages of a kept process for the widgets of its cell. */
  widget_messages: {
    transient: false,
    extension: true,
    payload: z.object({ cell_id: z.string(), live_id: z.string(), messages: z.array(widgetMessage) }),
  },
  /** Extension: runs were added to the queue or removed from it. */
  run_queue: { transient: false, extension: true, payload: runQueueChange },
  /** Extension, to the sender of `auto_run`: what was queued, and what was left out. */
  auto_run_report: { transient: false, extension: true, payload: autoRunReport },
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
      /** Extension: every socket but the receiver's own; two tabs of one user count separately. */
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
      /** For an import. */
      warnings: z.array(z.string()).optional(),
      imported_count: z.number().int().optional(),
    }),
  },
  /** After the job of an add or a remove; for clients that do not know jobs. */
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
  agent_text_delta: { transient: true, payload: z.object({ job_id: z.string(), text: z.string() }) },
  agent_confirm_request: { transient: false, payload: agentConfirmRequest },
  agent_progress: { transient: true, payload: agentProgress },
  agent_done: { transient: false, payload: agentDone },
  /** What an agent did, or its message; `mcp`: an external agent did it, `agent`: a message of an agent. */
  agent_note: {
    transient: true,
    payload: z.object({ source: z.enum(['mcp', 'agent']), text: z.string() }),
  },
  /** Extension: another client added an action to the undo record. */
  undo_recorded: { transient: false, extension: true, payload: undoEntry },
  /** Extension: another client changed the layout of the app view. */
  app_layout: { transient: false, extension: true, payload: appLayout },
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
      /** Extension, with `source_changed_on_disk`: the text that was not written. */
      source: z.string().optional(),
      /** Extension, with the same: the last common text of the edit and the file. */
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
 * A server frame as received by a client. `prev` (extension) is the last `seq` sent to this socket; it is
 * present if numbers are missing in between and nothing was lost, because those frames went to others.
 */
export type ReceivedFrame = ServerFrame & {
  readonly seq: number;
  readonly prev?: number;
  readonly ts: string;
};
