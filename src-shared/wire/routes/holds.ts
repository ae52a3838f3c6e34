/** Contracts of the routes that stop runs and writes of a notebook or folder for a time (a hold), and release it. */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

/** A folder below the storage root; its slashes may be plain or %2F. */
const projectParams = z.object({ path: z.string().min(1).max(4_096) });

/**
 * The times of a hold: by default 30 s for running cells to end, and ten minutes until it expires
 * (docs/spec/rest-notebooks.md, 3, 4).
 */
const holdBody = z
  .object({
    timeout_seconds: z.number().min(0).max(3_600).default(30),
    max_hold_seconds: z.number().positive().max(86_400).default(600),
  })
  .nullish();

const holdView = z.object({
  path: z.string(),
  /** The held open notebooks, sorted. */
  notebooks: z.array(z.string()),
  /** Path of a notebook: the cells that were stopped in it. */
  cancelled_cells: z.record(z.string(), z.array(z.string())),
  hold_expires_in_seconds: z.number(),
});
export type HoldAnswer = z.infer<typeof holdView>;

const released = z.object({ path: z.string(), released: z.boolean() });

const common = { method: 'POST', scope: 'admin:notebooks', alsoScope: 'notebook:write' } as const;

/** Holds: nothing runs and nothing is written while a folder is copied or moved (docs/spec/rest-notebooks.md, 4). */
export const HOLD_ROUTES = {
  quiesceNotebook: {
    ...common,
    path: '/v1/notebooks/{sid}/quiesce',
    summary: 'Hold a notebook: running cells end or are stopped, then nothing runs and nothing is written',
    params: sessionParams,
    body: holdBody,
    response: holdView,
    errors: [404, 409, 422],
  },
  releaseNotebook: {
    ...common,
    path: '/v1/notebooks/{sid}/release',
    summary: 'Release a hold on a notebook',
    params: sessionParams,
    response: released,
    errors: [404],
  },
  quiesceProject: {
    ...common,
    path: '/v1/projects/{path}/quiesce',
    summary: 'Hold every notebook below a folder, open or not',
    params: projectParams,
    body: holdBody,
    response: holdView,
    errors: [400, 403, 404, 409, 422],
  },
  releaseProject: {
    ...common,
    path: '/v1/projects/{path}/release',
    summary: 'Release a hold on a folder, which must be exactly the folder on hold',
    params: projectParams,
    response: released,
    errors: [400, 403, 404, 422],
  },
} as const satisfies Record<string, RouteContract>;
