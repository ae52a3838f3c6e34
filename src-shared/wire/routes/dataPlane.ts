/** Contracts of the routes that scan and transform tables and artifacts (docs/spec/core-services.md, 1 and 2). */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';

const text = z.string().nullable();
const transform = z.object({
  executor: z.string().min(1),
  params: z.record(z.string(), z.unknown()).default({}),
});
const transformRequest = z.object({
  inputs: z.array(z.string()),
  transform,
  name: z.string().nullish(),
});

const materializeBody = transformRequest.extend({
  mode: z.enum(['stream', 'artifact']).default('stream'),
  refresh: z.boolean().default(false),
  stream_timeout_seconds: z.number().nullish(),
});

const materialized = z.object({
  hit: z.boolean(),
  artifact_uri: text,
  state: z.enum(['ready', 'building', 'pending']),
  build_spec: z.null(),
  build_id: text,
  stream_id: text,
  stream_url: text,
});

export const DATA_PLANE_ROUTES = {
  materialize: {
    method: 'POST',
    path: '/v1/materialize',
    summary: 'Scan a table or run a transform, unless the result is stored',
    scope: 'any',
    exactIntegers: true,
    body: materializeBody,
    response: materialized,
    errors: [400, 403, 404, 409, 413, 422, 503, 504],
    admission: true,
  },
  materializeTransform: {
    method: 'POST',
    path: '/v1/artifacts/materialize',
    summary: 'Run a transform, unless the result is stored',
    scope: 'any',
    exactIntegers: true,
    body: materializeBody,
    response: materialized,
    errors: [400, 403, 404, 409, 413, 422, 503, 504],
    admission: true,
  },
  explainMaterialize: {
    method: 'POST',
    path: '/v1/artifacts/explain-materialize',
    summary: 'Explain what a request would build, without building it',
    scope: 'any',
    exactIntegers: true,
    body: transformRequest,
    response: z.object({
      would_hit: z.boolean(),
      artifact_uri: text,
      would_build: z.boolean(),
      is_stale: z.boolean(),
      stale_reason: text,
      changed_inputs: z.array(z.object({ input_uri: z.string(), old_version: text, new_version: text })),
      resolved_input_versions: z.record(z.string(), z.string()),
    }),
    errors: [400, 403, 404, 422, 503, 504],
  },
  scan: {
    method: 'POST',
    path: '/v1/scan',
    summary: 'The rows of a table, read now and not stored',
    scope: 'any',
    exactIntegers: true,
    // The parameters of scan@v1; the scan itself checks them, with the messages that materialize has.
    body: z.looseObject({
      table: z.string(),
      columns: z.unknown().optional(),
      filters: z.unknown().optional(),
      snapshot_id: z.unknown().optional(),
    }),
    response: 'bytes',
    media: ['application/vnd.apache.arrow.stream'],
    errors: [400, 404, 413, 422, 503, 504],
    admission: true,
  },
  fetchStream: {
    method: 'GET',
    path: '/v1/streams/{stream_id}',
    summary: 'The rows of a scan, once they are complete',
    scope: 'any',
    params: z.object({ stream_id: z.string() }),
    response: 'bytes',
    media: ['application/vnd.apache.arrow.stream'],
    errors: [307, 404, 500, 503],
    admission: true,
  },
  configTimeouts: {
    method: 'GET',
    path: '/v1/config/timeouts',
    summary: 'Time limits of scans, in seconds',
    scope: 'any',
    response: z.object({
      planning: z.number(),
      scanning: z.number(),
      qos_queue: z.object({ interactive: z.number(), bulk: z.number() }),
      fetching: z.number(),
      s3: z.object({ connect: z.number(), request: z.number() }),
    }),
    errors: [],
  },
} as const satisfies Record<string, RouteContract>;
