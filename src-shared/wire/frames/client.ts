import * as z from 'zod';
import type { Scope } from '../scopes.ts';

const cellTarget = z.object({ cell_id: z.string() });
const queueable = cellTarget.extend({ queue: z.boolean().optional() });
const runAll = z.object({
  continue_on_error: z.boolean().default(true),
  queue: z.boolean().optional(),
});
const QUEUED_AT_ONCE = 20_000;
/** Declared names are trimmed, printable and at most 128 characters (live-protocol 4). */
const author = z.string().max(128).nullish();

/** Every frame a client may send today: its payload and the scope it needs. */
export const CLIENT_FRAMES = {
  // Ours, in this and the next two: with `queue` a run waits its turn where another one holds the notebook.
  cell_execute: { scope: 'notebook:execute', payload: queueable },
  cell_execute_cascade: { scope: 'notebook:execute', payload: cellTarget.extend({ plan_id: z.string() }) },
  cell_execute_force: { scope: 'notebook:execute', payload: queueable },
  cell_execute_rerun: { scope: 'notebook:execute', payload: queueable },
  cell_run_tests: {
    scope: 'notebook:execute',
    // Ours: the text the tests were made from, so that what the file holds unseen is merged or refused.
    payload: cellTarget.extend({ test_source: z.string(), base: z.string().optional() }),
  },
  /** Ours: runs of these cells wait their turn, in this order; upstreams nobody agreed to are asked about once. */
  run_queue_add: {
    scope: 'notebook:execute',
    payload: z.object({
      cell_ids: z.array(z.string()).max(QUEUED_AT_ONCE),
      /** Only what is not up to date when its turn comes; their upstreams run without asking. */
      if_stale: z.boolean().default(false),
      /** Upstreams a prompt named and the person agreed to. */
      agreed: z.array(z.string()).max(QUEUED_AT_ONCE).default([]),
      mode: z.enum(['normal', 'rerun', 'force']).default('normal'),
      /** The job of the environment they wait for; they do not run where it fails. */
      after_job: z.string().optional(),
    }),
  },
  /** Ours: takes these runs out of the queue, by their ids; without ids, all. */
  run_queue_remove: {
    scope: 'notebook:execute',
    payload: z.object({ ids: z.array(z.string()).max(QUEUED_AT_ONCE).optional() }),
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
    // Ours: the text the edit was made from, so that nobody writes over what they have not seen.
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
    // Absent, it is null: a missing field focuses nothing.
    payload: z.object({ cell_id: z.string().nullable().default(null), author }),
  },
  impact_preview_request: { scope: 'notebook:read', payload: cellTarget },
  profiling_request: { scope: 'notebook:read', payload: z.object({}) },
  // A missing field is ignored (live-protocol 4): the frame then asks for nothing.
  inspect_open: { scope: 'notebook:execute', payload: cellTarget.partial() },
  inspect_eval: {
    scope: 'notebook:execute',
    payload: cellTarget.extend({ expr: z.string() }).partial(),
  },
  /** Ours: names that may follow `text`, the part before the caret. */
  inspect_complete: {
    scope: 'notebook:execute',
    payload: cellTarget.extend({ text: z.string() }).partial(),
  },
  inspect_close: { scope: 'notebook:execute', payload: cellTarget.partial() },
  /** Ours: stops what a console evaluates. */
  inspect_interrupt: { scope: 'notebook:execute', payload: cellTarget.partial() },
  widget_update: {
    scope: 'notebook:execute',
    payload: cellTarget.extend({ values: z.record(z.string(), z.unknown()) }),
  },
  notebook_sync: { scope: 'notebook:read', payload: z.object({}) },
} as const satisfies Record<string, { scope: Scope; payload: z.ZodType }>;

export type ClientFrameType = keyof typeof CLIENT_FRAMES;
export type ClientFrame = {
  [T in ClientFrameType]: {
    readonly type: T;
    readonly payload: z.infer<(typeof CLIENT_FRAMES)[T]['payload']>;
  };
}[ClientFrameType];

/** Viewers of the app view may send these and nothing else (live-protocol 2, 3). */
export const VIEWER_FRAMES: readonly string[] = ['widget_update', 'notebook_sync'];

export function isClientFrameType(type: string): type is ClientFrameType {
  return Object.hasOwn(CLIENT_FRAMES, type);
}
