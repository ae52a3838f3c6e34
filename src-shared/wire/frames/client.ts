/** The frames that clients send over the live WebSocket, with their payloads and scopes. */

import * as z from 'zod';
import type { Scope } from '../scopes.ts';
import { widgetMessage } from '../widgetMessages.ts';

const cellTarget = z.object({ cell_id: z.string() });
const queueable = cellTarget.extend({ queue: z.boolean().optional() });
const runAll = z.object({
  continue_on_error: z.boolean().default(true),
  queue: z.boolean().optional(),
});
const QUEUED_AT_ONCE = 20_000;
/** Declared names are trimmed, printable and at most 128 characters (docs/spec/live-protocol.md, 4). */
const author = z.string().max(128).nullish();

/** Every frame a client may send, with its payload and the required scope. */
export const CLIENT_FRAMES = {
  // Extension, in this and the next two: with `queue` a run is queued while another one has the notebook.
  cell_execute: { scope: 'notebook:execute', payload: queueable },
  cell_execute_cascade: { scope: 'notebook:execute', payload: cellTarget.extend({ plan_id: z.string() }) },
  cell_execute_force: { scope: 'notebook:execute', payload: queueable },
  cell_execute_rerun: { scope: 'notebook:execute', payload: queueable },
  cell_run_tests: {
    scope: 'notebook:execute',
    // Extension: the text the edit started from, so that an unseen external change is merged or refused.
    payload: cellTarget.extend({ test_source: z.string(), base: z.string().optional() }),
  },
  /** Extension: queues runs of these cells, in this order; one prompt covers the upstreams that were not agreed. */
  run_queue_add: {
    scope: 'notebook:execute',
    payload: z.object({
      cell_ids: z.array(z.string()).max(QUEUED_AT_ONCE),
      /** Only cells that are not up to date when their turn comes; their upstreams run without a prompt. */
      if_stale: z.boolean().default(false),
      /** Upstreams from a prompt that the user agreed to. */
      agreed: z.array(z.string()).max(QUEUED_AT_ONCE).default([]),
      mode: z.enum(['normal', 'rerun', 'force']).default('normal'),
      /** The environment job they wait for; they do not run if it fails. */
      after_job: z.string().optional(),
    }),
  },
  /** Extension: removes these runs from the queue, by id; without ids, all. */
  run_queue_remove: {
    scope: 'notebook:execute',
    payload: z.object({ ids: z.array(z.string()).max(QUEUED_AT_ONCE).optional() }),
  },
  /** Extension: moves a queued run before another one; null: to the end. */
  run_queue_move: {
    scope: 'notebook:execute',
    payload: z.object({ id: z.string(), before: z.string().nullable() }),
  },
  /** Extension: edits of these cells are finished; in live mode, what they made stale runs. */
  auto_run: {
    scope: 'notebook:execute',
    payload: z.object({ cell_ids: z.array(z.string()).max(QUEUED_AT_ONCE) }),
  },
  cell_cancel: { scope: 'notebook:execute', payload: cellTarget },
  notebook_run_all: {
    scope: 'notebook:execute',
    payload: runAll,
  },
  notebook_rerun_all: {
    scope: 'notebook:execute',
    payload: runAll,
  },
  cell_source_update: {
    scope: 'notebook:write',
    // Extension: the text the edit started from, so that an unseen change is never overwritten.
    payload: cellTarget.extend({
      source: z.string(),
      force: z.boolean().default(false),
      author,
      base: z.string().optional(),
    }),
  },
  variant_set_active: {
    scope: 'notebook:write',
    payload: z.object({ group: z.string(), name: z.string() }),
  },
  variant_add: { scope: 'notebook:write', payload: z.object({ group: z.string(), author }) },
  dependency_add: { scope: 'notebook:execute', payload: z.object({ package: z.string() }) },
  dependency_remove: { scope: 'notebook:execute', payload: z.object({ package: z.string() }) },
  cell_focus: {
    scope: 'notebook:read',
    // A missing field is null: nothing has the focus.
    payload: z.object({ cell_id: z.string().nullable().default(null), author }),
  },
  impact_preview_request: { scope: 'notebook:read', payload: cellTarget },
  profiling_request: { scope: 'notebook:read', payload: z.object({}) },
  // A missing field is ignored (docs/spec/live-protocol.md, 4): the frame then has no effect.
  inspect_open: { scope: 'notebook:execute', payload: cellTarget.partial() },
  inspect_eval: {
    scope: 'notebook:execute',
    payload: cellTarget.extend({ expr: z.string() }).partial(),
  },
  /** Extension: requests completions for `text`, the part before the caret. */
  inspect_complete: {
    scope: 'notebook:execute',
    payload: cellTarget.extend({ text: z.string() }).partial(),
  },
  inspect_close: { scope: 'notebook:execute', payload: cellTarget.partial() },
  /** Extension: stops the current evaluation of a console. */
  inspect_interrupt: { scope: 'notebook:execute', payload: cellTarget.partial() },
  widget_update: {
    scope: 'notebook:execute',
    payload: cellTarget.extend({ values: z.record(z.string(), z.unknown()) }),
  },
  /** Extension: asks whether the process of a cell is kept, and for the state of its widgets. */
  widget_open: { scope: 'notebook:read', payload: cellTarget },
  /** Extension: a message of a cell's widgets for its kept process. */
  widget_message: {
    scope: 'notebook:execute',
    payload: cellTarget.extend({ live_id: z.string(), message: widgetMessage }),
  },
  notebook_sync: { scope: 'notebook:read', payload: z.object({}) },
  /** Without a job it is about the current one. */
  agent_cancel: { scope: 'notebook:execute', payload: z.object({ job_id: z.string().nullish() }) },
  /** Without the id of a request, it answers the pending one. */
  agent_confirm_response: {
    scope: 'notebook:execute',
    payload: z.object({
      job_id: z.string().nullish(),
      request_id: z.string().nullish(),
      approved: z.boolean().default(false),
    }),
  },
} as const satisfies Record<string, { scope: Scope; payload: z.ZodType }>;

export type ClientFrameType = keyof typeof CLIENT_FRAMES;
export type ClientFrame = {
  [T in ClientFrameType]: {
    readonly type: T;
    readonly payload: z.infer<(typeof CLIENT_FRAMES)[T]['payload']>;
  };
}[ClientFrameType];

/** Viewers of the app view may send only these (docs/spec/live-protocol.md, 2, 3). */
export const VIEWER_FRAMES: readonly string[] = ['widget_update', 'notebook_sync'];

/** Whether this is the type of a frame that clients may send. */
export function isClientFrameType(type: string): type is ClientFrameType {
  return Object.hasOwn(CLIENT_FRAMES, type);
}
