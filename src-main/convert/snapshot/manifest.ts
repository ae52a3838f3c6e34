/** The shape of the manifest in a snapshot of a notebook (docs/spec/export-and-import.md, 2). */

import * as z from 'zod';

/** The snapshot format that this program writes and reads; it reads no other. */
export const SNAPSHOT_FORMAT = 2;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
/** An artifact's id, with the same rule as in the store: it must not name a file elsewhere. */
const artifactId = z
  .string()
  .min(1)
  .max(1_000)
  .refine((id) => !/[/\\\0]/.test(id) && !id.includes('..'));
const version = z.number().int().min(1).max(999_999_999_999_999);
const jsonObject = z.string().refine((text) => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}, 'is not a JSON object');

/** One stored version whose bytes are in the snapshot. Cellar adds `content_type` and `content_key`. */
const snapshotRecord = z.object({
  id: artifactId,
  version,
  state: z.enum(['ready', 'superseded']),
  provenance_hash: z.string(),
  schema_json: z.string().nullable(),
  row_count: z.number().int().nullable(),
  byte_size: z.number().int().min(0),
  /** Epoch seconds. */
  created_at: z.number(),
  transform_spec: jsonObject.nullable(),
  input_versions: jsonObject.nullable(),
  principal: z.string().nullable(),
  content_sha256: digest,
  content_type: z.string().optional(),
  content_key: z.string().nullable().optional(),
});
export type SnapshotRecord = z.infer<typeof snapshotRecord>;

const hash = z.string().nullable();

const cellPart = z.object({
  status: z.string(),
  provenance_hash: hash,
  source_hash: hash,
  env_hash: hash,
  /** A value of another form comes from another program and matches nothing. */
  reopen_identity: z.string().nullable().catch(null),
  execution_samples: z.array(z.object({ duration_ms: z.number(), cache_hit: z.boolean() })),
  error: z.string().nullable(),
  error_source_hash: hash,
  outputs: z.array(
    z.object({ file: z.string(), content_type: z.string(), artifact_uri: z.string().nullable() }),
  ),
  display_outputs: z.array(z.unknown()),
  widget_values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Added by Cellar: what explains a result besides its key. */
  cellar: z
    .object({
      inputs: z.array(z.string()),
      facts: z.unknown(),
      last_run: z.unknown(),
      last_execution_method: z.string().nullable(),
      cache_hit: z.boolean(),
    })
    .optional()
    .catch(undefined),
});

/** The content of `artifacts.json`. */
export const snapshotManifest = z.object({
  format_version: z.literal(SNAPSHOT_FORMAT),
  notebook_id: z.string().min(1).max(200),
  include: z.enum(['all', 'selected', 'none']),
  cells: z.record(z.string(), cellPart),
  artifacts: z.record(
    z.string(),
    z.array(
      z.object({
        variable: z.string(),
        artifact_id: artifactId,
        version,
        provenance_hash: z.string(),
        content_type: z.string(),
        content_sha256: digest,
        byte_size: z.number().int().min(0),
      }),
    ),
  ),
  carried: z.array(z.string()),
  records: z.record(z.string(), snapshotRecord),
  fetches: z.array(
    z.object({
      cell_id: z.string(),
      name: z.string(),
      url: z.string(),
      pinned: z.boolean(),
      sha256: z.string().nullable(),
      refetch: z.string(),
    }),
  ),
});
export type SnapshotManifest = z.infer<typeof snapshotManifest>;
