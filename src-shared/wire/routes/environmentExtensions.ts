import { z } from 'zod';
import { singleRequirement } from '../../notebook/requirement.ts';
import type { RouteContract } from './contract.ts';
import { environmentPayload } from './environment.ts';
import { sessionParams } from './params.ts';

const ENVIRONMENT = '/v1/notebooks/{sid}/x/environment';
const jobParams = sessionParams.extend({ job_id: z.string().max(128) });

/** A package that comes (`from` null), goes (`to` null) or changes its version. `bytes`: what has to be fetched. */
export const packageChange = z.object({
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  bytes: z.number().int().nullable(),
});
export type PackageChange = z.infer<typeof packageChange>;

const requirement = z
  .string()
  .refine((text) => singleRequirement(text) !== null, 'must be a single package requirement');

/** Ours: jobs looked at before they are done, stopped, and taken back (docs/extensions.md). */
export const ENVIRONMENT_EXTENSION_ROUTES = {
  previewEnvironmentJob: {
    method: 'POST',
    path: `${ENVIRONMENT}/preview`,
    summary: 'What a job would change; nothing of the folder is touched',
    scope: 'notebook:execute',
    params: sessionParams,
    body: z.object({
      add: requirement.optional(),
      remove: requirement.optional(),
      python_version: z.string().max(16).optional(),
      requirements: z.string().max(500_000).optional(),
      environment_yaml: z.string().max(500_000).optional(),
    }),
    response: z.object({
      changes: z.array(packageChange),
      /** Why it cannot be resolved, in words; then there are no changes. */
      problem: z.string().nullable(),
      warnings: z.array(z.string()),
    }),
    errors: [400, 403, 404, 409, 422],
  },
  cancelEnvironmentJob: {
    method: 'POST',
    path: `${ENVIRONMENT}/cancel`,
    summary: 'Stop the job that runs; everything stays as it was before it',
    scope: 'notebook:execute',
    params: sessionParams,
    response: z.object({ cancelled: z.boolean() }),
    errors: [404],
  },
  environmentJobChanges: {
    method: 'GET',
    path: `${ENVIRONMENT}/jobs/{job_id}/changes`,
    summary: 'What a finished job changed',
    scope: 'notebook:read',
    params: jobParams,
    response: z.object({ changes: z.array(packageChange) }),
    errors: [404],
  },
  undoEnvironmentJob: {
    method: 'POST',
    path: `${ENVIRONMENT}/jobs/{job_id}/undo`,
    summary: 'Go back to the packages of before a job; answers at once',
    scope: 'notebook:execute',
    params: jobParams,
    statuses: [202],
    response: environmentPayload.extend({ accepted: z.literal(true) }),
    errors: [403, 404, 409],
  },
} as const satisfies Record<string, RouteContract>;
