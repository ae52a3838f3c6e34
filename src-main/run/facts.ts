/** Shapes of what is recorded about a cell's last run: its inputs by kind, and when and how it ended. */

import * as z from 'zod';
import { observation } from './observed/observation.ts';

/** The inputs of a run by kind, so that a later difference can be named (docs/extensions.md, explain). */
export const runFacts = z.object({
  sourceHash: z.string(),
  /** Each variable read: its producer and the digest of its bytes; null if none was stored. */
  inputs: z.array(z.object({ name: z.string(), cellId: z.string(), sha256: z.string().nullable() })),
  /** Digest of the lock files. */
  lockHash: z.string(),
  timeoutSeconds: z.number(),
  /** Digests of the variables in the key, by name: values are not recorded. */
  env: z.record(z.string(), z.string()),
  worker: z.string(),
  /** External data: `token` is a fingerprint, a digest or a version; null if it could not be determined. */
  data: z
    .array(
      z.object({
        kind: z.enum(['mount', 'fetch', 'dataset', 'table']),
        name: z.string(),
        uri: z.string(),
        token: z.string().nullable(),
      }),
    )
    .default([]),
  /** The Python files of the folder it ran; missing in records of older versions. */
  modules: z.array(z.object({ path: z.string(), digest: z.string() })).default([]),
  /** The set-up cell that ran before it; absent if there was none. */
  setup: z.object({ cellId: z.string(), sourceHash: z.string() }).optional(),
  /** The variables that were stored because a cell read them then. Missing in records of older versions. */
  kept: z.array(z.string()).optional(),
  /** Digest of the values it read; missing in records of older versions. */
  basis: z.string().optional(),
  /** The facts observed in the run; absent if unknown. */
  observed: observation.optional(),
});
export type RunFacts = z.infer<typeof runFacts>;

/** When and how the last run that succeeded ended. */
export const lastRun = z.object({ atMs: z.number(), durationMs: z.number(), cacheHit: z.boolean() });
export type LastRun = z.infer<typeof lastRun>;
