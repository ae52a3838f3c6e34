/**
 * Contracts of the routes by which workers fetch cells to run (builds) and deliver their results
 * (docs/spec/worker-protocol.md, 5.1, 5.2; docs/spec/signed-builds.md). Bodies are streamed between disk and network,
 * and the signature of a signed URL is the credential.
 */

import * as z from 'zod';
import { buildManifest, buildStatus, finalizeAnswer, logAnswer, uploadAnswer } from '../worker/build.ts';
import { finalizeRequest } from '../worker/pull.ts';
import type { RouteContract } from './contract.ts';

const buildParams = z.object({ build_id: z.string() });
/** Epoch seconds. */
const expiresAt = z.number();
const signature = z.string().describe('Url-safe base64 of HMAC-SHA256 over the other fields.');

export const BUILD_ROUTES = {
  buildStatus: {
    method: 'GET',
    path: '/v1/builds/{build_id}',
    summary: 'Status of a build that a worker downloads and delivers',
    scope: 'notebook:read',
    params: buildParams,
    response: buildStatus,
    streams: {},
    errors: [404],
  },
  artifactBuildStatus: {
    method: 'GET',
    path: '/v1/artifacts/builds/{build_id}',
    summary: 'The same, at its older address',
    scope: 'notebook:read',
    params: buildParams,
    response: buildStatus,
    streams: {},
    errors: [404],
  },
  buildManifest: {
    method: 'GET',
    path: '/v1/builds/{build_id}/manifest',
    summary: 'Issue a new manifest for a worker; earlier upload and finalize addresses expire',
    scope: 'notebook:execute',
    params: buildParams,
    response: buildManifest,
    streams: {},
    errors: [400, 404, 409, 503],
  },
  downloadArtifact: {
    method: 'GET',
    path: '/v1/artifacts/download',
    summary: 'One input of a build, by its signed address',
    scope: 'none',
    query: z.object({
      artifact_id: z.string(),
      version: z.int(),
      build_id: z.string(),
      expires_at: expiresAt,
      signature,
    }),
    response: 'bytes',
    streams: {},
    errors: [400, 403, 404, 409],
  },
  uploadArtifact: {
    method: 'POST',
    path: '/v1/artifacts/upload',
    summary:
      'Upload the output of a build to its signed address; a later upload replaces it until the build is finalized',
    scope: 'none',
    query: z.object({
      build_id: z.string(),
      max_bytes: z.int(),
      expires_at: expiresAt,
      attempt: z.string().optional(),
      signature,
    }),
    response: uploadAnswer,
    streams: { body: 'application/x-tar' },
    errors: [400, 403, 404, 409, 413],
  },
  buildLog: {
    method: 'POST',
    path: '/v1/builds/{build_id}/log',
    summary:
      'Post a chunk of console output to its signed address; `delivered` says whether a client receives it',
    scope: 'none',
    params: buildParams,
    query: z.object({
      expires_at: expiresAt,
      seq: z.int(),
      stream: z.enum(['stdout', 'stderr']).optional(),
      signature,
    }),
    statuses: [202],
    response: logAnswer,
    streams: { body: 'text/plain' },
    errors: [400, 403],
  },
  finalizeBuild: {
    method: 'POST',
    path: '/v1/builds/{build_id}/finalize',
    summary:
      'Finalize a build at its signed address: its output is verified and published; a repeated call returns the same answer',
    scope: 'none',
    params: buildParams,
    query: z.object({ expires_at: expiresAt, lease: z.string().optional(), signature }),
    response: finalizeAnswer,
    streams: { body: finalizeRequest },
    errors: [400, 403, 404, 409, 413, 503],
  },
} as const satisfies Record<string, RouteContract>;
