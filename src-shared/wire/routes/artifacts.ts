/**
 * Contracts of the artifact store's routes: versions, lineage, tags and pins (docs/spec/core-services.md, 7). Times are
 * epoch seconds.
 */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';
import { integerField } from './params.ts';

const text = z.string().nullable();
const whole = z.number().int();
const version = z.object({ artifact_id: z.string(), version: integerField.pipe(z.int().min(1)) });
const limit = integerField.pipe(z.int().min(1).max(1_000)).default(100);
export const artifactState = z.enum(['building', 'ready', 'superseded', 'failed']);

const listedArtifact = z.object({
  artifact_uri: z.string(),
  artifact_id: z.string(),
  version: whole,
  state: artifactState,
  row_count: whole.nullable(),
  byte_size: whole.nullable(),
  created_at: z.number(),
});

const artifactMetadata = z.object({
  artifact_id: z.string(),
  version: whole,
  state: artifactState,
  arrow_schema: z.unknown(),
  row_count: whole.nullable(),
  byte_size: whole.nullable(),
  created_at: z.number(),
  content_sha256: text,
  provenance_hash: z.string(),
  transform_spec: z.unknown(),
  input_versions: z.record(z.string(), z.string()),
});

const lineageNode = z.object({
  uri: z.string(),
  artifact_id: z.string().optional(),
  version: whole.optional(),
  type: z.enum(['artifact', 'table', 'fetch']),
  transform_ref: z.string().optional(),
  created_at: z.number().optional(),
  principal: z.string().optional(),
  build_env: z.string().optional(),
  build_duration_ms: z.number().optional(),
  env_hash: z.string().optional(),
  source: z.string().optional(),
  content_sha256: z.string().optional(),
});

const stats = {
  total_versions: whole,
  ready_versions: whole,
  building_versions: whole,
  superseded_versions: whole,
  failed_versions: whole,
  total_bytes: whole,
  total_rows: whole,
  name_count: whole,
};

/**
 * What a result of a notebook depends on beyond its key (docs/soundness.md). Without it no server imports the result: a
 * server that does not know the field drops it.
 */
export const sharedRun = z.object({
  format: z.literal(1),
  /** The params of the stored row, with the observed facts of its run; their paths are relative. */
  params: z.record(z.string(), z.string()),
  content_key: text,
  /** A digest of each variable the run read that its notebook does not set; null: it was not set. */
  machine_env: z.record(z.string(), text),
  /** Digest of the interpreter, the platform and what each of its processes reads on start. */
  runtime: z.string(),
});
export type SharedRun = z.infer<typeof sharedRun>;

export const provenanceMatch = z.object({
  artifact_id: z.string(),
  version: whole,
  provenance_hash: z.string(),
  content_type: z.string(),
  state: artifactState,
  arrow_schema: z.unknown(),
  row_count: whole.nullable(),
  byte_size: whole.nullable(),
  created_at: z.number(),
  principal: text,
  build_env: text,
  build_duration_ms: z.number().nullable(),
  env_hash: text,
  promotion: text,
  content_sha256: text,
  shared_run: sharedRun.nullable().optional(),
});
export type ProvenanceMatch = z.infer<typeof provenanceMatch>;

/** 64 hex digits. */
export const provenanceHash = z.string().regex(/^[0-9a-f]{64}$/, 'Input should be 64 hexadecimal digits');

export const storedArtifact = z.object({
  artifact_uri: z.string(),
  hit: z.boolean(),
  byte_size: whole,
  name_uri: z.string().optional(),
});

const tenantQuery = z.object({ tenant: z.string().optional() });
const limitNumber = z.coerce.number();

export const ARTIFACT_ROUTES = {
  listArtifacts: {
    method: 'GET',
    path: '/v1/artifacts',
    summary: 'Stored artifacts',
    scope: 'any',
    personalOnly: true,
    query: z.object({
      limit,
      offset: integerField.pipe(z.int().min(0)).default(0),
      state: artifactState.optional(),
      name_prefix: z.string().optional(),
      since: z.string().optional().describe('ISO 8601 text or epoch seconds.'),
      sort: z.enum(['created_at', 'byte_size', 'row_count']).default('created_at'),
      order: z.enum(['asc', 'desc']).default('desc'),
    }),
    response: z.object({ artifacts: z.array(listedArtifact), limit: whole, offset: whole }),
    errors: [400, 403, 422],
  },
  artifactStats: {
    method: 'GET',
    path: '/v1/artifacts/stats',
    summary: 'Totals of the artifact store',
    scope: 'any',
    query: tenantQuery,
    response: z.object(stats),
    errors: [403],
  },
  artifactUsage: {
    method: 'GET',
    path: '/v1/artifacts/usage',
    summary: 'Totals of the artifact store, including unreferenced versions',
    scope: 'any',
    query: tenantQuery,
    response: z.object({
      ...stats,
      unique_artifacts: whole,
      unreferenced_count: whole,
      oldest_artifact: z.number().nullable(),
      newest_artifact: z.number().nullable(),
    }),
    errors: [403],
  },
  artifactByProvenance: {
    method: 'GET',
    path: '/v1/artifacts/by-provenance/{provenance_hash}',
    summary: 'The ready version of a provenance; a miss has the header X-Svc-Provenance-Miss',
    scope: 'any',
    params: z.object({ provenance_hash: provenanceHash }),
    response: provenanceMatch,
    errors: [404, 422],
  },
  finalizeArtifact: {
    method: 'POST',
    path: '/v1/artifacts/finalize',
    summary: 'Make an uploaded version ready',
    scope: 'artifacts:write',
    personalOnly: true,
    body: z.object({
      artifact_id: z.string(),
      version: whole.min(1),
      arrow_schema: z.unknown(),
      row_count: whole.min(0),
      name: z.string().nullable().optional(),
    }),
    response: z.object({ artifact_uri: z.string(), byte_size: whole, name_uri: z.string().optional() }),
    errors: [400, 403, 404, 409, 422],
  },
  collectArtifacts: {
    method: 'POST',
    path: '/v1/artifacts/gc',
    summary: 'Delete versions that nothing references',
    scope: 'admin:*',
    query: z.object({
      max_idle_days: limitNumber.optional(),
      max_bytes: limitNumber.optional(),
      min_idle_seconds: limitNumber.optional(),
      collect_latest: z.stringbool().default(false),
      dry_run: z.stringbool().default(false),
    }),
    response: z.object({
      deleted_count: whole,
      deleted_bytes: whole,
      store_bytes: whole,
      dry_run: z.boolean(),
      collected: z
        .array(
          z.object({
            artifact_id: z.string(),
            version: whole,
            byte_size: whole,
            last_used_at: z.number(),
          }),
        )
        .optional(),
    }),
    errors: [400, 403, 422],
  },
  artifactVersion: {
    method: 'GET',
    path: '/v1/artifacts/{artifact_id}/v/{version}',
    summary: 'Metadata of a version',
    scope: 'any',
    params: version,
    response: artifactMetadata,
    errors: [404, 422],
  },
  deleteArtifact: {
    method: 'DELETE',
    path: '/v1/artifacts/{artifact_id}/v/{version}',
    summary: 'Delete a version with its names, tags and pins',
    scope: 'artifacts:write',
    personalOnly: true,
    params: version,
    response: z.object({ deleted: z.literal(true), artifact_uri: z.string() }),
    errors: [403, 404, 409, 422],
  },
  artifactData: {
    method: 'GET',
    path: '/v1/artifacts/{artifact_id}/v/{version}/data',
    summary: 'The bytes of a version',
    scope: 'any',
    params: version,
    response: 'bytes',
    media: ['application/vnd.apache.arrow.stream'],
    errors: [400, 404, 422],
  },
  artifactLineage: {
    method: 'GET',
    path: '/v1/artifacts/{artifact_id}/v/{version}/lineage',
    summary: 'The inputs of a version, with their own inputs',
    scope: 'any',
    params: version,
    query: z.object({ max_depth: integerField.pipe(z.int().min(1).max(100)).default(10) }),
    response: z.object({
      artifact_uri: z.string(),
      artifact_id: z.string(),
      version: whole,
      nodes: z.array(lineageNode),
      edges: z.array(z.object({ from_uri: z.string(), to_uri: z.string(), input_version: z.string() })),
      depth: whole,
      direct_inputs: z.array(z.string()),
    }),
    errors: [404, 422],
  },
  artifactDependents: {
    method: 'GET',
    path: '/v1/artifacts/{artifact_id}/v/{version}/dependents',
    summary: 'The versions that read a version',
    scope: 'any',
    params: version,
    query: z.object({ limit }),
    response: z.object({
      artifact_uri: z.string(),
      artifact_id: z.string(),
      version: whole,
      dependents: z.array(
        z.object({
          artifact_uri: z.string(),
          artifact_id: z.string(),
          version: whole,
          name: text,
          transform_ref: text,
          created_at: z.number(),
          input_version: z.string(),
        }),
      ),
      total_count: whole,
    }),
    errors: [404, 422],
  },
  exportArtifact: {
    method: 'POST',
    path: '/v1/artifacts/{artifact_id}/v/{version}/export',
    summary: 'Write a version to an Iceberg table: a new one, or one that an export created',
    scope: 'artifacts:write',
    params: version,
    body: z.object({
      table: z.string().trim().min(1).max(1_024),
      alias: z.string().trim().min(1).max(128).nullable().optional(),
    }),
    response: z.object({
      table: z.string(),
      snapshot_id: whole,
      created: z.boolean(),
      artifact_uri: z.string(),
    }),
    errors: [400, 403, 404, 409, 422, 503],
  },
  pinArtifact: {
    method: 'POST',
    path: '/v1/artifacts/{artifact_id}/v/{version}/pin',
    summary: 'Pin a version, with a reason',
    scope: 'artifacts:pin',
    params: version,
    body: z.object({ reason: z.string().trim().min(1).max(512) }),
    response: z.object({
      artifact_id: z.string(),
      version: whole,
      reason: z.string(),
      tenant: z.string(),
      pinned_by: text,
      pinned_at: z.number(),
    }),
    errors: [404, 422],
  },
  unpinArtifact: {
    method: 'DELETE',
    path: '/v1/artifacts/{artifact_id}/v/{version}/pin',
    summary: 'Remove a pin',
    scope: 'artifacts:pin',
    params: version,
    query: z.object({ reason: z.string() }),
    response: z.object({
      unpinned: z.literal(true),
      artifact_id: z.string(),
      version: whole,
      reason: z.string(),
    }),
    errors: [404, 422],
  },
  artifactTags: {
    method: 'GET',
    path: '/v1/artifacts/{artifact_id}/v/{version}/tags',
    summary: 'Tags of a version',
    scope: 'any',
    params: version,
    response: z.object({ artifact_id: z.string(), version: whole, tags: z.record(z.string(), z.string()) }),
    errors: [404, 422],
  },
  setArtifactTag: {
    method: 'PUT',
    path: '/v1/artifacts/{artifact_id}/v/{version}/tags',
    summary: 'Set a tag; the answer contains it as a field',
    scope: 'artifacts:write',
    params: version,
    body: z.object({ key: z.string().min(1), value: z.string() }),
    response: z.looseObject({ artifact_id: z.string(), version: whole }),
    errors: [400, 404, 422],
  },
  deleteArtifactTag: {
    method: 'DELETE',
    path: '/v1/artifacts/{artifact_id}/v/{version}/tags/{key}',
    summary: 'Remove a tag',
    scope: 'artifacts:write',
    params: version.extend({ key: z.string() }),
    response: z.object({ artifact_id: z.string(), version: whole, tags: z.record(z.string(), z.string()) }),
    errors: [404, 422],
  },
} as const satisfies Record<string, RouteContract>;
