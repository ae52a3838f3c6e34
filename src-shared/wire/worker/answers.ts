/**
 * The wire form of a worker's answers to a cancel request and of its refusals (docs/spec/worker-protocol.md, 4, 9;
 * docs/spec/remote-execution.md, 5).
 */

import * as z from 'zod';

/** 200 of the cancel route. `cancelled` false: nothing with that id was running, which is not an error. */
const cancelAnswer = z.object({ build_id: z.string(), cancelled: z.boolean() });
export type CancelAnswer = z.infer<typeof cancelAnswer>;

/** The message of any worker's refusal: `detail`, then `error`; null if both are missing. */
export function failureMessage(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  for (const key of ['detail', 'error'] as const) {
    const value: unknown = Reflect.get(body, key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
