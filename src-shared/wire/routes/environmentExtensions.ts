/**
 * Contracts of further environment routes for the window: preview, cancel and undo a change, and repair the
 * environment.
 */

import * as z from 'zod';
import { MAX_REQUIREMENT, singleRequirement } from '../../notebook/requirement.ts';
import { MAX_ADDED } from '../../notebook/requirementList.ts';
import type { RouteContract } from './contract.ts';
import { environmentPayload } from './environment.ts';
import { sessionParams } from './params.ts';

const ENVIRONMENT = '/v1/notebooks/{sid}/x/environment';
const jobParams = sessionParams.extend({ job_id: z.string() });

/**
 * A package that is added (`from` null), removed (`to` null) or changes its version. `bytes`: the size of the
 * download.
 */
const packageChange = z.object({
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  bytes: z.number().int().nullable(),
});

const requirement = z
  .string()
  .refine((text) => singleRequirement(text) !== null, 'must be a single package requirement');

/** The name of a package, without version, extras and condition. */
const packageName = z
  .string()
  .refine((text) => singleRequirement(text)?.name === text, 'must be a package name without a version');

const requirementList = z.array(requirement).min(1).max(MAX_ADDED);

/** A package whose name matches the typed text. */
const suggestedPackage = z.object({
  name: z.string(),
  /** The matching import name, if the package has another name. */
  imported: z.string().nullable(),
  /** The source of the name: this notebook, uv's cache, or the list in the program. */
  source: z.enum(['notebook', 'cache', 'list']),
});

/** The parts that an environment depends on, one section each. */
const diagnosis = z.object({
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
  /** The diagnosis as text for pasting. Neither form contains secrets. */
  text: z.string(),
});
export type Diagnosis = z.infer<typeof diagnosis>;

/** Extension: preview, cancel and undo of environment jobs (docs/extensions.md). */
export const ENVIRONMENT_EXTENSION_ROUTES = {
  previewEnvironmentJob: {
    method: 'POST',
    path: `${ENVIRONMENT}/preview`,
    summary: 'Preview the changes of a job; the folder is not changed',
    scope: 'notebook:execute',
    params: sessionParams,
    body: z.object({
      add: z.union([requirement, requirementList]).optional(),
      remove: requirement.optional(),
      python_version: z.string().max(16).optional(),
      requirements: z.string().max(500_000).optional(),
      environment_yaml: z.string().max(500_000).optional(),
    }),
    response: z.object({
      changes: z.array(packageChange),
      /** Why it cannot be resolved; there are no changes then. */
      problem: z.string().nullable(),
      warnings: z.array(z.string()),
    }),
    errors: [400, 403, 404, 409, 422],
  },
  addPackages: {
    method: 'POST',
    path: `${ENVIRONMENT}/add`,
    summary: 'Add several packages in one job, all or none; returns at once',
    scope: 'notebook:execute',
    params: sessionParams,
    body: z.object({ packages: requirementList }),
    statuses: [202],
    response: environmentPayload.extend({ accepted: z.literal(true) }),
    errors: [400, 403, 404, 409, 422],
  },
  suggestPackages: {
    method: 'GET',
    path: `${ENVIRONMENT}/names`,
    summary: 'Package names that match the typed text, without querying an index',
    scope: 'notebook:read',
    params: sessionParams,
    query: z.object({ typed: z.string().max(MAX_REQUIREMENT).default('') }),
    response: z.object({ names: z.array(suggestedPackage) }),
    errors: [404, 422],
  },
  lookUpPackage: {
    method: 'GET',
    path: `${ENVIRONMENT}/names/{package_name}`,
    summary: 'Whether the index of the notebook has a package, and its newest version',
    scope: 'notebook:execute',
    params: sessionParams.extend({ package_name: packageName }),
    response: z.object({
      status: z.enum(['exists', 'missing', 'unknown']),
      version: z.string().nullable(),
      /** Why it is not known, or has no version. */
      problem: z.string().nullable(),
    }),
    errors: [403, 404, 422],
  },
  readPackageList: {
    method: 'POST',
    path: `${ENVIRONMENT}/read`,
    summary: 'Read the packages of a file: which can be imported, and which cannot and why; nothing changes',
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
    summary: 'Stop the running job and undo its changes',
    scope: 'notebook:execute',
    params: sessionParams,
    response: z.object({ cancelled: z.boolean() }),
    errors: [404],
  },
  environmentJobChanges: {
    method: 'GET',
    path: `${ENVIRONMENT}/jobs/{job_id}/changes`,
    summary: 'The changes of a finished job',
    scope: 'notebook:read',
    params: jobParams,
    response: z.object({ changes: z.array(packageChange) }),
    errors: [404],
  },
  diagnoseEnvironment: {
    method: 'GET',
    path: `${ENVIRONMENT}/diagnosis`,
    summary: 'Diagnose uv, Pythons, R, network, disk, paths, status and last job, without secrets',
    scope: 'notebook:read',
    params: sessionParams,
    response: diagnosis,
    errors: [404],
  },
  allowPackages: {
    method: 'POST',
    path: `${ENVIRONMENT}/allow`,
    summary: 'Install the packages of an import that wait for approval, including builds; returns at once',
    scope: 'notebook:execute',
    params: sessionParams,
    /** The waiting packages that the user has seen: others are refused. */
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
    summary: 'Undo a job by restoring the earlier packages; returns at once',
    scope: 'notebook:execute',
    params: jobParams,
    statuses: [202],
    response: environmentPayload.extend({ accepted: z.literal(true) }),
    errors: [403, 404, 409],
  },
} as const satisfies Record<string, RouteContract>;
