/** Contracts of the routes that promote a notebook's result: it gets a name in an artifact store that others read. */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

const params = sessionParams.extend({
  artifact_id: z.string(),
  version: z.string(),
});

const exposed = z.object({
  artifact_uri: z.string(),
  cell_id: z.string(),
  /** The name of the variable; null: a display or a console. */
  variable: z.string().nullable(),
  content_type: z.string(),
  byte_size: z.number().int(),
  created_at: z.number(),
  /** Whether the source of its cell is copied with it. */
  has_source: z.boolean(),
  /** Whether its bytes, its source or the output of its cell contain a secret: then nothing is promoted. */
  has_secret: z.boolean(),
});

export const PROMOTION_ROUTES = {
  promoteArtifact: {
    method: 'POST',
    path: '/v1/notebooks/{sid}/artifacts/{artifact_id}/v/{version}/promote',
    summary: 'Copy a result and its inputs to the shared store, and name it there',
    scope: 'notebook:write',
    params,
    body: z.object({
      name: z.string().trim().min(1).max(512).nullable().optional(),
      alias: z.string().trim().min(1).max(128).nullable().optional(),
      tags: z.record(z.string().min(1).max(256), z.string().max(4_096)).default({}),
      table: z.string().trim().min(1).max(1_024).nullable().optional(),
    }),
    response: z.object({
      name: z.string().nullable(),
      artifact_uri: z.string(),
      /** How many versions were copied; those that were there already do not count. */
      copied: z.number().int(),
      alias: z.string().nullable(),
      alias_pending: z.boolean(),
      table: z.string().nullable(),
      table_snapshot: z.number().int().nullable(),
      store: z.string(),
    }),
    errors: [400, 404, 409, 422, 502],
  },
  previewPromotion: {
    method: 'GET',
    path: '/v1/notebooks/{sid}/x/artifacts/{artifact_id}/v/{version}/promotion',
    summary: 'Preview a promotion: what would be copied, where to, and whether it contains secrets',
    scope: 'notebook:read',
    params,
    response: z.object({
      /** The URL of the store; `local`: the store of this server. */
      store: z.string(),
      versions: z.array(exposed),
      total_bytes: z.number().int(),
      /** The names the result has in that store already. */
      names: z.array(z.string()),
    }),
    errors: [404, 409, 422, 502],
  },
} as const satisfies Record<string, RouteContract>;
