/**
 * Contracts of the routes that upload artifacts (docs/spec/core-services.md, 7). Bodies go to disk as they arrive, so
 * these routes read their requests themselves. A form has a part `metadata` (JSON) and a part `data`.
 */

import * as z from 'zod';
import { provenanceHash, provenanceMatch, sharedRun, storedArtifact } from './artifacts.ts';
import type { RouteContract } from './contract.ts';
import { integerField } from './params.ts';

const version = z.object({ artifact_id: z.string(), version: integerField.pipe(z.int().min(1)) });
const text = z.string().nullable().optional();
const count = z.number().int().min(0).nullable().optional();

export const putArtifactBody = z.object({
  inputs: z.array(z.string()).default([]),
  transform: z.object({ executor: z.string().min(1), params: z.record(z.string(), z.unknown()).default({}) }),
  data: z.unknown().optional(),
  name: text,
});

export const provenanceUploadMetadata = z.object({
  content_type: z.string().min(1),
  variable_name: text,
  build_env: text,
  build_duration_ms: z.number().min(0).nullable().optional(),
  env_hash: text,
  artifact_id: text,
  row_count: count,
  schema_json: text,
  /** Extension: for a run of a notebook, what it depends on beyond its key. */
  shared_run: sharedRun.nullable().optional(),
  /** Extension: the name it is promoted under. */
  promotion: text,
});

/** A field that holds a JSON object as text, or the object itself. */
const jsonObject = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .nullable()
  .optional();

export const importMetadata = z.object({
  id: z.string(),
  version: z.number().int().min(1),
  provenance_hash: provenanceHash,
  created_at: z.number(),
  state: z.enum(['ready', 'superseded']),
  schema_json: text,
  row_count: count,
  byte_size: count,
  principal: text,
  transform_spec: jsonObject,
  input_versions: jsonObject,
  /** Extension; absent: `content_type` of the transform's params, else an Arrow stream. */
  content_type: text,
  content_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .optional(),
});

const store = {
  path: '/v1/artifacts',
  summary: 'Store data that a transform made, as JSON or as a form with an Arrow stream',
  scope: 'artifacts:write',
  streams: { body: putArtifactBody },
  response: storedArtifact,
  errors: [400, 404, 409, 413, 422],
} as const;

export const ARTIFACT_UPLOAD_ROUTES = {
  putArtifact: { method: 'PUT', ...store },
  postArtifact: { method: 'POST', ...store },
  putByProvenance: {
    method: 'PUT',
    path: '/v1/artifacts/by-provenance/{provenance_hash}',
    summary: 'Store data under a provenance that the client computed; the first writer wins',
    scope: 'artifacts:write',
    params: z.object({ provenance_hash: provenanceHash }),
    streams: { body: 'multipart/form-data' },
    response: provenanceMatch,
    errors: [400, 409, 413, 422],
  },
  stageImportBlob: {
    method: 'PUT',
    path: '/v1/artifacts/import/blobs/{sha256}',
    summary: 'Upload the bytes of an import; they are stored for a day',
    scope: 'artifacts:write',
    params: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    streams: { body: 'application/octet-stream' },
    statuses: [201],
    response: z.object({ content_sha256: z.string(), byte_size: z.number().int() }),
    errors: [400, 413, 422],
  },
  importArtifact: {
    method: 'POST',
    path: '/v1/artifacts/import',
    summary: 'Add a version of another store, as JSON after its bytes were staged or as a form with them',
    scope: 'artifacts:write',
    query: z.object({ remap: z.stringbool().default(false) }),
    streams: { body: importMetadata },
    response: z.object({
      artifact_uri: z.string(),
      id: z.string(),
      version: z.number().int(),
      written: z.boolean(),
      remapped: z.boolean(),
    }),
    errors: [400, 404, 409, 413, 422],
  },
  uploadArtifactVersion: {
    method: 'POST',
    path: '/v1/artifacts/upload/{artifact_id}/v/{version}',
    summary: 'Upload the Arrow stream of a version that is being built',
    scope: 'artifacts:write',
    personalOnly: true,
    params: version,
    streams: { body: 'application/vnd.apache.arrow.stream' },
    response: z.object({ status: z.literal('uploaded'), byte_size: z.number().int() }),
    errors: [400, 403, 404, 409, 413, 422],
  },
} as const satisfies Record<string, RouteContract>;
