/** The wire form of what one run of a cell cost: time and memory. */

import * as z from 'zod';

/** One run of a cell, or one answer from the cache: milliseconds and bytes. */
export const runSample = z.object({
  duration_ms: z.number(),
  cache_hit: z.boolean(),
  /** CPU time; absent for an answer from the cache, and if the system does not measure it. */
  cpu_ms: z.number().optional(),
  /** The largest resident size of its processes; absent when the CPU time is absent. */
  peak_bytes: z.number().optional(),
  /** The largest GPU memory of its processes; absent without a GPU, and if the run used none. */
  gpu_peak_bytes: z.number().optional(),
});
export type RunSample = z.infer<typeof runSample>;
