/**
 * Contracts of the routes by which the window shows the artifact store: its list, the map of lineage, and comparisons.
 */

import * as z from 'zod';
import { artifactState } from './artifacts.ts';
import { comparison } from './comparison.ts';
import type { RouteContract } from './contract.ts';
import { integerField } from './params.ts';

const whole = z.number().int();

/** The collector's reasons to retain a version. */
const keptBecause = z.enum(['named', 'alias', 'pending', 'published', 'pinned', 'input', 'building']);
export type RetentionReason = z.infer<typeof keptBecause>;

const catalogEntry = z.object({
  artifact_uri: z.string(),
  artifact_id: z.string(),
  version: whole,
  state: artifactState,
  content_type: z.string(),
  row_count: whole.nullable(),
  byte_size: whole.nullable(),
  created_at: z.number(),
  last_used_at: z.number().nullable(),
  principal: z.string().nullable(),
  names: z.array(z.string()),
  /** Empty: the collector deletes it once it is idle. */
  kept_because: z.array(keptBecause),
});
export type CatalogEntry = z.infer<typeof catalogEntry>;

/** Why the collector retains a version. `latest`: it is the current value of an id that a client chose. */
const hold = z.object({
  kind: z.enum([
    'named',
    'alias',
    'pending',
    'published',
    'withdrawn',
    'pinned',
    'input',
    'latest',
    'building',
  ]),
  /** The name, `name@alias`, the title, the reason of a pin, or the version that was made from it. */
  what: z.string().nullable(),
  by: z.string().nullable(),
  at: z.number().nullable(),
});
export type ArtifactHold = z.infer<typeof hold>;

const version = z.object({ artifact_id: z.string(), version: integerField.pipe(z.int().min(1)) });
const uri = z.string().max(2_048);

/** A version in the lineage graph. */
const mapVersion = z.object({
  artifact_id: z.string(),
  version: whole,
  state: artifactState,
  content_type: z.string(),
  byte_size: whole.nullable(),
  row_count: whole.nullable(),
  created_at: z.number(),
  /** The first of its names. */
  name: z.string().nullable(),
  /** The cell that made it, if known. */
  notebook_id: z.string().nullable(),
  cell_id: z.string().nullable(),
  variable: z.string().nullable(),
});

const mapNode = z.object({
  uri: z.string(),
  type: z.enum(['artifact', 'table', 'fetch']),
  /** Null for a table, a file, and a version that the client may not see or that was deleted. */
  version: mapVersion.nullable(),
  /** All inputs and dependents it has, in the answer or not. */
  inputs: whole,
  dependents: whole,
});

const levels = integerField.pipe(z.int().min(0).max(20));

export const CATALOG_ROUTES = {
  artifactCatalog: {
    method: 'GET',
    path: '/v1/notebooks/x/artifacts',
    summary: 'Versions of the artifact store with their names and the reason each is retained, newest first',
    scope: 'any',
    personalOnly: true,
    query: z.object({
      search: z.string().max(512).optional().describe('A part of the id or of a name.'),
      content_type: z.string().max(128).optional().describe('The start of the type: arrow, pickle, image.'),
      kept: keptBecause
        .or(z.literal('nothing'))
        .optional()
        .describe('Only versions retained for this reason.'),
      uri: uri.optional().describe('Only this version.'),
      limit: integerField.pipe(z.int().min(1).max(500)).default(100),
      offset: integerField.pipe(z.int().min(0)).default(0),
    }),
    response: z.object({ artifacts: z.array(catalogEntry), has_more: z.boolean(), total_bytes: whole }),
    errors: [403, 422],
  },
  artifactHolds: {
    method: 'GET',
    path: '/v1/notebooks/x/artifacts/{artifact_id}/v/{version}/holds',
    summary: 'Who retains a version, since when, and why',
    scope: 'any',
    params: version,
    response: z.object({ holds: z.array(hold) }),
    errors: [404, 422],
  },
  artifactMap: {
    method: 'GET',
    path: '/v1/notebooks/x/artifacts/{artifact_id}/v/{version}/map',
    summary: 'The graph around a version: its inputs and its dependents, level by level',
    scope: 'any',
    params: version,
    query: z.object({
      up: levels.default(2).describe('Levels of inputs.'),
      down: levels.default(1).describe('Levels of dependents.'),
      limit: integerField.pipe(z.int().min(1).max(2_000)).default(300).describe('The most nodes.'),
    }),
    response: z.object({
      artifact_uri: z.string(),
      nodes: z.array(mapNode),
      edges: z.array(z.object({ from_uri: z.string(), to_uri: z.string() })),
      /** Whether nodes were left out, because there were too many. */
      truncated: z.boolean(),
      /** The notebooks that are open on this server, by their ids. */
      notebooks: z.array(z.object({ notebook_id: z.string(), session_id: z.string(), name: z.string() })),
    }),
    errors: [404, 422],
  },
  compareArtifacts: {
    method: 'GET',
    path: '/v1/notebooks/x/artifacts/compare',
    summary: 'The differences between two versions of the artifact store',
    scope: 'any',
    query: z.object({
      before: uri,
      after: uri,
      match: z.enum(['key', 'position']).default('key').describe('How rows of tables are matched.'),
      column: z
        .string()
        .optional()
        .describe('The key column; by default the first one that identifies each row in both tables.'),
    }),
    response: z.object({ comparison }),
    errors: [400, 404, 422],
  },
} as const satisfies Record<string, RouteContract>;
