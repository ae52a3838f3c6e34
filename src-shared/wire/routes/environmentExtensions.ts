import * as z from 'zod';
import { singleRequirement } from '../../notebook/requirement.ts';
import type { RouteContract } from './contract.ts';
import { environmentPayload } from './environment.ts';
import { sessionParams } from './params.ts';

const ENVIRONMENT = '/v1/notebooks/{sid}/x/environment';
const jobParams = sessionParams.extend({ job_id: z.string() });

/**
 * A package that is added (`from` null), removed (`to` null) or changes its version. `bytes`: the size of the
 * download.
 */
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

/** What an environment depends on, a section for each part. */
export const diagnosis = z.object({
  sections: z.array(
    z.object({
      title: z.string(),
      rows: z.array(
        z.object({
          name: z.string(),
          value: z.string(),
          /** Whether this row shows a problem. */
          problem: z.boolean(),
        }),
      ),
    }),
  ),
  /** The same as text for pasting. Neither contains secrets. */
  text: z.string(),
});
export type Diagnosis = z.infer<typeof diagnosis>;

/** Extension: preview, cancel and undo of environment jobs (docs/extensions.md). */
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
      /** Why it cannot be resolved; then there are no changes. */
      problem: z.string().nullable(),
      warnings: z.array(z.string()),
    }),
    errors: [400, 403, 404, 409, 422],
  },
  readPackageList: {
    method: 'POST',
    path: `${ENVIRONMENT}/read`,
    summary:
      'What a file says of packages: what can be imported of it, and what cannot and why; nothing changes',
    scope: 'notebook:read',
    params: sessionParams,
    body: z.object({ file_name: z.string().min(1).max(255), text: z.string().max(500_000) }),
    response: z.object({
      format: z.enum(['requirements', 'conda', 'pyproject', 'uv_lock']),
      /** One per entry, for an import of `requirements`. */
      requirements: z.array(z.string()),
      left_out: z.array(z.object({ text: z.string(), why: z.string() })),
    }),
    errors: [400, 404, 422],
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
  diagnoseEnvironment: {
    method: 'GET',
    path: `${ENVIRONMENT}/diagnosis`,
    summary: 'uv, Pythons, R, network, disk, paths, status and last job, without secrets',
    scope: 'notebook:read',
    params: sessionParams,
    response: diagnosis,
    errors: [404],
  },
  allowPackages: {
    method: 'POST',
    path: `${ENVIRONMENT}/allow`,
    summary: 'Install what of an import waits for the person, builds included; answers at once',
    scope: 'notebook:execute',
    params: sessionParams,
    /** The waiting packages that the person has seen: others are refused. */
    body: z.object({ requirements: z.array(z.string().max(2_000)).max(10_000) }),
    statuses: [202],
    response: environmentPayload.extend({ accepted: z.literal(true) }),
    errors: [400, 403, 404, 409, 422],
  },
  repairEnvironment: {
    method: 'POST',
    path: `${ENVIRONMENT}/repair`,
    summary: 'Rebuild the environment from the lock file; returns at once',
    scope: 'notebook:execute',
    params: sessionParams,
    statuses: [202],
    response: environmentPayload.extend({ accepted: z.literal(true) }),
    errors: [403, 404, 409],
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
