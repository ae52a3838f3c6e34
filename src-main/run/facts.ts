import * as z from 'zod';
import { observation } from './observed/observation.ts';

/** What a run used, told apart, so that a later difference can be named (docs/extensions.md, explain). */
export const runFacts = z.object({
  sourceHash: z.string(),
  /** Each variable read: who made it and the digest of the bytes it got; null where none was stored. */
  inputs: z.array(z.object({ name: z.string(), cellId: z.string(), sha256: z.string().nullable() })),
  /** Digest of the lock files. */
  lockHash: z.string(),
  timeoutSeconds: z.number(),
  /** Digests of the variables that are part of the key, by name: values stay where they are. */
  env: z.record(z.string(), z.string()),
  worker: z.string(),
  /** What it used from outside: `token` is a fingerprint, a digest, a version; null where it could not be told. */
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
  /** The Python files of the folder it ran; a record of an older program has none. */
  modules: z.array(z.object({ path: z.string(), digest: z.string() })).default([]),
  /** The set-up cell that ran in front of it; absent where there was none. */
  setup: z.object({ cellId: z.string(), sourceHash: z.string() }).optional(),
  /** The variables that were kept: those somebody read then. A record of an older program does not say. */
  kept: z.array(z.string()).optional(),
  /** Digest of the values it read, as they were; a record of an older program has none. */
  basis: z.string().optional(),
  /** What it was seen to do beyond its values; absent where nothing is known of that. */
  observed: observation.optional(),
});
export type RunFacts = z.infer<typeof runFacts>;

/** When and how the last run that succeeded ended. */
export const lastRun = z.object({ atMs: z.number(), durationMs: z.number(), cacheHit: z.boolean() });
export type LastRun = z.infer<typeof lastRun>;
