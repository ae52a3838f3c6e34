/**
 * The wire form of a pull run: the worker gets signed URLs in POST /v1/execute-manifest, fetches the inputs and
 * delivers the bundle itself (docs/spec/worker-protocol.md, 5.1, 5.2).
 */

import * as z from 'zod';
import { cellParams } from './envelope.ts';
import { BUILD_MANIFEST_FORMAT, BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from './protocol.ts';

/** A value the code in an input needs, listed among the signed inputs by its uri. */
export interface InjectedSpec {
  readonly uri: string;
  readonly content_type: string;
  readonly injected?: Readonly<Record<string, InjectedSpec>> | undefined;
}
const injectedSpec: z.ZodType<InjectedSpec> = z.object({
  uri: z.string(),
  content_type: z.string(),
  injected: z
    .record(
      z.string(),
      z.lazy(() => injectedSpec),
    )
    .optional(),
});

const inputSpec = z.object({
  uri: z.string(),
  content_type: z.string().default('pickle/object'),
  /** `file/path` only: the name of the file for the cell. */
  file: z.string().nullish(),
  injected: z.record(z.string(), injectedSpec).nullish(),
});

export const pullParams = cellParams.extend({
  input_specs: z
    .record(z.string().min(1), inputSpec)
    .nullish()
    .transform((specs) => specs ?? {}),
  output_format: z.string().optional(),
  _dispatch_mode: z.string().optional(),
});

/** One input with its signed URL. */
export const signedInput = z.object({
  artifact_id: z.string(),
  version: z.int(),
  url: z.string(),
  /** Epoch seconds. */
  expires_at: z.number().nullish(),
});
export type SignedInput = z.infer<typeof signedInput>;

/** Where to put the bundle: a form with `fields`, a PUT with `headers`, else a raw POST. */
export const signedOutput = z.object({
  url: z.string(),
  max_bytes: z.number().nullish(),
  expires_at: z.number().nullish(),
  method: z.enum(['POST', 'PUT']).nullish(),
  fields: z.record(z.string(), z.string()).nullish(),
  headers: z.record(z.string(), z.string()).nullish(),
});
export type SignedOutput = z.infer<typeof signedOutput>;

export const pullRequest = z.object({
  build_id: z.string().nullish(),
  metadata: z.object({
    build_id: z.string().nullish(),
    artifact_id: z.string().nullish(),
    version: z.int().nullish(),
    executor_ref: z.literal(NOTEBOOK_CELL_REF),
    params: pullParams,
    principal: z.string().nullish(),
    tenant: z.string().nullish(),
    notebook_id: z.string().nullish(),
    cell_id: z.string().nullish(),
    cell_provenance_hash: z.string().nullish(),
    origin: z.enum(['notebook', 'run']).nullish().catch(null),
    traceparent: z.string().nullish(),
    tracestate: z.string().nullish(),
  }),
  inputs: z.array(signedInput),
  output: signedOutput,
  finalize_url: z.string(),
  log_url: z.string().nullish(),
});
export type PullRequest = z.infer<typeof pullRequest>;
export type PullRequestInput = z.input<typeof pullRequest>;

/** What a worker posts to finalize_url. */
export const finalizeRequest = z.object({ output_format: z.literal(BUNDLE_FORMAT) });

/** 200 of POST /v1/execute-manifest. */
export const pullResponse = z.object({
  success: z.boolean(),
  build_id: z.string(),
  byte_size: z.int().min(0),
  protocol_version: z.literal(BUILD_MANIFEST_FORMAT),
  finalize: z.unknown(),
});
export type PullResponse = z.infer<typeof pullResponse>;
