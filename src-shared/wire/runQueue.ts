import * as z from 'zod';

/** Ours: a run that waits its turn (docs/extensions.md). `cell_id` null: every cell of the notebook. */
export const queuedRun = z.object({
  id: z.string(),
  cell_id: z.string().nullable(),
  mode: z.enum(['normal', 'rerun', 'force']),
});
export type QueuedRunView = z.infer<typeof queuedRun>;

/** What changed in the queue, in order: runs at its end, runs that left it, and why some of those did not run. */
export const runQueueChange = z.object({
  added: z.array(queuedRun),
  removed: z.array(z.string()),
  dropped: z.array(z.object({ cell_id: z.string().nullable(), message: z.string() })).optional(),
});
export type RunQueueChange = z.infer<typeof runQueueChange>;
