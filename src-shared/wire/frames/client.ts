import * as z from 'zod';
import type { Scope } from '../scopes.ts';

const cellTarget = z.object({ cell_id: z.string() });
/** Declared names are trimmed, printable and at most 128 characters (API supplement 3.3). */
const author = z.string().max(128).nullish();

/** Every frame a client may send today: its payload and the scope it needs. */
export const CLIENT_FRAMES = {
  cell_execute: { scope: 'notebook:execute', payload: cellTarget },
  cell_execute_cascade: { scope: 'notebook:execute', payload: cellTarget.extend({ plan_id: z.string() }) },
  cell_execute_force: { scope: 'notebook:execute', payload: cellTarget },
  cell_execute_rerun: { scope: 'notebook:execute', payload: cellTarget },
  cell_run_tests: {
    scope: 'notebook:execute',
    // Ours: the text the tests were made from, so that what the file holds unseen is merged or refused.
    payload: cellTarget.extend({ test_source: z.string(), base: z.string().optional() }),
  },
  cell_cancel: { scope: 'notebook:execute', payload: cellTarget },
  notebook_run_all: {
    scope: 'notebook:execute',
    payload: z.object({ continue_on_error: z.boolean().default(true) }),
  },
  notebook_rerun_all: {
    scope: 'notebook:execute',
    payload: z.object({ continue_on_error: z.boolean().default(true) }),
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
  // A missing field is ignored (API supplement 3.3): the frame then asks for nothing.
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

/** Viewers of the app view may send these and nothing else (document 3, Authentication). */
export const VIEWER_FRAMES: readonly string[] = ['widget_update', 'notebook_sync'];

export function isClientFrameType(type: string): type is ClientFrameType {
  return Object.hasOwn(CLIENT_FRAMES, type);
}
