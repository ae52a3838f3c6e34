/** The wire form of the undo stack that all windows of a notebook share. */

import * as z from 'zod';
import { appEdit } from './appLayout.ts';
import { mount } from './cell.ts';

const order = z.array(z.string().max(256)).max(10_000);
const activeVariant = z.object({ active: z.string(), mode: z.enum(['switch', 'sweep']) });

/** One change of a notebook by a window. `deleted` is the opposite of `added`. */
const undoChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('added'), cellId: z.string().max(256) }),
  z.object({ kind: z.literal('deleted'), cellId: z.string().max(256) }),
  z.object({ kind: z.literal('source'), cellId: z.string().max(256), before: z.string(), after: z.string() }),
  z.object({ kind: z.literal('order'), before: order, after: order }),
  z.object({ kind: z.literal('name'), before: z.string(), after: z.string() }),
  z.object({ kind: z.literal('mounts'), before: z.array(mount), after: z.array(mount) }),
  z.object({
    kind: z.literal('connection'),
    name: z.string(),
    /** The database of a file; absent: a DuckDB without one. */
    of: z.object({ driver: z.enum(['sqlite', 'duckdb']), path: z.string() }).optional(),
    before: z.boolean(),
    after: z.boolean(),
  }),
  /** Values of the app view's layout; both sides name the same values. */
  z.object({ kind: z.literal('app'), before: appEdit, after: appEdit }),
  z.object({ kind: z.literal('variant'), group: z.string(), before: activeVariant, after: activeVariant }),
]);

/** One action of a user: its changes, in order. */
export const undoEntry = z.object({
  /** Set by the window of the action; empty in records of older versions. */
  id: z.string().max(64).default(''),
  deed: z.string().max(32),
  changes: z.array(undoChange).max(10_000),
  /** For a change by an agent: the name of its program, and when the change was made. */
  origin: z.object({ by: z.string().max(128), at: z.string().max(64) }).optional(),
});

/** The actions that can be undone and redone; the last entry of each is the next. */
export const undoStack = z.object({
  done: z.array(undoEntry).max(1_000),
  undone: z.array(undoEntry).max(1_000),
});
export type UndoStack = z.infer<typeof undoStack>;
export type UndoEntry = z.infer<typeof undoEntry>;

/** A position in the stack: the entries done at that time, newest last. */
export const undoMark = z.object({
  done: z.array(z.object({ id: z.string().max(64), size: z.int() })).max(200),
  /** How many entries of the record its limits had removed. */
  forgotten: z.int(),
});
export type UndoMark = z.infer<typeof undoMark>;

/** One window's changes of the stack since its last report: new or moved entries, and removed ids. */
export const undoDelta = undoStack.extend({
  done: z.array(undoEntry.extend({ id: z.string().min(1).max(64) })).max(1_000),
  undone: z.array(undoEntry.extend({ id: z.string().min(1).max(64) })).max(1_000),
  gone: z.array(z.string().max(64)).max(2_000),
});
export type UndoDelta = z.infer<typeof undoDelta>;
