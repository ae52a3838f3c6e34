/**
 * The wire form of a worker's replies while it runs a cell asynchronously, as a job (docs/spec/worker-protocol.md, 4;
 * docs/spec/remote-execution.md, 2).
 */

import * as z from 'zod';

/** 202 of POST /v1/execute. */
export const jobAccepted = z.object({ job_url: z.string().min(1) });

/** Invalid progress information is dropped; it must not fail the run. */
const position = z.int().min(1).optional().catch(undefined);
const detail = z
  .string()
  .transform((text) => text.trim().slice(0, 200))
  .optional()
  .catch(undefined);

/**
 * GET {job_url} as JSON. Any state but the three known final ones counts as waiting, so `state` is any
 * string.
 */
export const jobStatus = z.looseObject({
  state: z.string(),
  position,
  detail,
  status_code: z.int().optional().catch(undefined),
  error: z.unknown().optional(),
  result: z.unknown().optional(),
});
export type JobStatus = z.infer<typeof jobStatus>;
