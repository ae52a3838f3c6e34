import * as z from 'zod';
import { mount } from './cell.ts';

const order = z.array(z.string().max(256)).max(10_000);
const chosen = z.object({ active: z.string(), mode: z.enum(['switch', 'sweep']) });

/** One fact about a notebook that a window brought about. `deleted` is the opposite of `added`. */
export const undoChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('added'), cellId: z.string().max(256) }),
  z.object({ kind: z.literal('deleted'), cellId: z.string().max(256) }),
  z.object({ kind: z.literal('source'), cellId: z.string().max(256), before: z.string(), after: z.string() }),
  z.object({ kind: z.literal('order'), before: order, after: order }),
  z.object({ kind: z.literal('name'), before: z.string(), after: z.string() }),
  z.object({ kind: z.literal('mounts'), before: z.array(mount), after: z.array(mount) }),
  z.object({ kind: z.literal('connection'), name: z.string(), before: z.boolean(), after: z.boolean() }),
  z.object({ kind: z.literal('variant'), group: z.string(), before: chosen, after: chosen }),
]);

/** One thing a person did: its changes, in the order they happened. */
export const undoEntry = z.object({
  /** Given by the window that did it; empty in records of older programs. */
  id: z.string().max(64).default(''),
  deed: z.string().max(32),
  changes: z.array(undoChange).max(10_000),
});

/** What can be undone and redone; the last entry of each is the next. */
export const undoStack = z.object({
  done: z.array(undoEntry).max(1_000),
  undone: z.array(undoEntry).max(1_000),
});
export type UndoStack = z.infer<typeof undoStack>;
export type UndoEntry = z.infer<typeof undoEntry>;

/** What one window changed of the stack since it last told: entries that are new or on another side, and ids that go. */
export const undoDelta = undoStack.extend({
  done: z.array(undoEntry.extend({ id: z.string().min(1).max(64) })).max(1_000),
  undone: z.array(undoEntry.extend({ id: z.string().min(1).max(64) })).max(1_000),
  gone: z.array(z.string().max(64)).max(2_000),
});
export type UndoDelta = z.infer<typeof undoDelta>;
