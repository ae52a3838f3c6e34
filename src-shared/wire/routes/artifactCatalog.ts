import * as z from 'zod';
import { artifactState } from './artifacts.ts';
import type { RouteContract } from './contract.ts';
import { integerField } from './params.ts';

/** The artifact store as the window lists it: with what keeps each version. */

const whole = z.number().int();

/** The collector's reasons to retain a version. */
export const keptBecause = z.enum(['named', 'alias', 'pending', 'published', 'pinned', 'input', 'building']);
export type KeptBecause = z.infer<typeof keptBecause>;

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
      limit: integerField.pipe(z.int().min(1).max(500)).default(100),
      offset: integerField.pipe(z.int().min(0)).default(0),
    }),
    response: z.object({ artifacts: z.array(catalogEntry), has_more: z.boolean(), total_bytes: whole }),
    errors: [403, 422],
  },
} as const satisfies Record<string, RouteContract>;
