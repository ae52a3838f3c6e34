/** Wire form of builds: the server's replies to holders of a build's signed URLs (docs/spec/signed-builds.md). */

import * as z from 'zod';
import { signedInput, signedOutput } from './pull.ts';

const buildState = z.enum(['pending', 'building', 'ready', 'failed']);
export type BuildState = z.infer<typeof buildState>;

/** GET /v1/builds/{id}. Times are epoch seconds. */
export const buildStatus = z.object({
  build_id: z.string(),
  artifact_id: z.string(),
  version: z.int(),
  state: buildState,
  artifact_uri: z.string(),
  executor_ref: z.string(),
  progress: z.null(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  completed_at: z.number().nullable(),
  error_message: z.string().nullable(),
  error_code: z.string().nullable(),
});
export type BuildStatus = z.infer<typeof buildStatus>;

/** GET /v1/builds/{id}/manifest: the pull request as sent. */
export const buildManifest = z.object({
  build_id: z.string(),
  metadata: z.looseObject({
    build_id: z.string(),
    artifact_id: z.string(),
    version: z.int(),
    executor_ref: z.string(),
    params: z.looseObject({}),
  }),
  inputs: z.array(signedInput),
  output: signedOutput,
  finalize_url: z.string(),
  log_url: z.string(),
});

/** POST /v1/artifacts/upload. */
export const uploadAnswer = z.object({
  status: z.literal('uploaded'),
  build_id: z.string(),
  byte_size: z.int(),
});
export type UploadAnswer = z.infer<typeof uploadAnswer>;

/** POST /v1/builds/{id}/finalize. */
export const finalizeAnswer = z.object({
  status: z.literal('finalized'),
  build_id: z.string(),
  artifact_uri: z.string(),
  name_uri: z.string().optional(),
  byte_size: z.int(),
  /** For a table; null if the output is a bundle. */
  row_count: z.int().nullable(),
});
export type FinalizeAnswer = z.infer<typeof finalizeAnswer>;

/** 202 of POST /v1/builds/{id}/log: whether this server runs such a build. */
export const logAnswer = z.object({ delivered: z.boolean() });
export type LogAnswer = z.infer<typeof logAnswer>;

/** Why a build ended without an output. */
export type BuildErrorCode =
  | 'OUTPUT_TOO_LARGE'
  | 'INVALID_NOTEBOOK_BUNDLE'
  | 'MISSING_OUTPUT_BLOB'
  | 'BUILD_FAILED'
  | 'CANCELLED';
