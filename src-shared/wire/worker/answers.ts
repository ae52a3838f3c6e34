import * as z from 'zod';

/**
 * The smaller requests and replies of a worker (worker-protocol 4, 9,
 * remote-execution 5).
 */

/** 200 of the cancel route. `cancelled` false: nothing with that id was running, which is not an error. */
export const cancelAnswer = z.object({ build_id: z.string(), cancelled: z.boolean() });
export type CancelAnswer = z.infer<typeof cancelAnswer>;

/** POST /v1/hints; a worker without this route answers 404. */
export const hint = z.object({
  worker: z.string(),
  runtime_id: z.string().nullable(),
  notebook_id: z.string(),
  reason: z.enum(['focus', 'select', 'cascade', 'run_all']),
});
export type Hint = z.infer<typeof hint>;

/** A refusal: always with `detail`; after admission also with `success` and `error`. */
export const workerFailure = z.object({
  detail: z.string(),
  success: z.literal(false).optional(),
  error: z.string().optional(),
});
export type WorkerFailure = z.infer<typeof workerFailure>;

/** The message of any worker's refusal: `detail`, then `error`; null if both are missing. */
export function failureMessage(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  for (const key of ['detail', 'error'] as const) {
    const value: unknown = Reflect.get(body, key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
