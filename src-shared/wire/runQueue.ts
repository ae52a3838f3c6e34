/** The wire form of the queue of runs, and of the progress of a run of several cells. */

import * as z from 'zod';

/** Extension: a queued run (docs/extensions.md). `cell_id` null: every cell of the notebook. */
export const queuedRun = z.object({
  id: z.string(),
  cell_id: z.string().nullable(),
  mode: z.enum(['normal', 'rerun', 'force']),
});
export type QueuedRunView = z.infer<typeof queuedRun>;

/** Extension: how far a run of several cells is, and the estimated time of the rest. */
export const runProgress = z.object({
  completed: z.int(),
  total: z.int(),
  /** Estimated from the last uncached run of each remaining cell, including the one that begins. */
  remaining_ms: z.number(),
  /** The number of remaining cells that have never run, and so are missing from the estimate. */
  untimed: z.int(),
});
export type RunProgress = z.infer<typeof runProgress>;

/** Changes of the queue, in order: runs added at its end, runs removed, and why some of those did not run. */
export const runQueueChange = z.object({
  added: z.array(queuedRun),
  removed: z.array(z.string()),
  /** After a move: the ids of all queued runs, in their new order. */
  order: z.array(z.string()).optional(),
  dropped: z.array(z.object({ cell_id: z.string().nullable(), message: z.string() })).optional(),
});
export type RunQueueChange = z.infer<typeof runQueueChange>;
