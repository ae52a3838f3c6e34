import * as z from 'zod';

/** Extension: a queued run (docs/extensions.md). `cell_id` null: every cell of the notebook. */
export const queuedRun = z.object({
  id: z.string(),
  cell_id: z.string().nullable(),
  mode: z.enum(['normal', 'rerun', 'force']),
});
export type QueuedRunView = z.infer<typeof queuedRun>;

/** Changes of the queue, in order: runs added at its end, runs removed, and why some of those did not run. */
export const runQueueChange = z.object({
  added: z.array(queuedRun),
  removed: z.array(z.string()),
  dropped: z.array(z.object({ cell_id: z.string().nullable(), message: z.string() })).optional(),
});
export type RunQueueChange = z.infer<typeof runQueueChange>;
