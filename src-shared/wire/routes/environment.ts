/** Contracts of the routes about a notebook's environment: packages, jobs, export and import. */

import * as z from 'zod';
import { singleRequirement } from '../../notebook/requirement.ts';
import { cell } from '../cell.ts';
import { dependency, environment, environmentJob, rEnvironment } from '../environment.ts';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

const SESSION = '/v1/notebooks/{sid}';
const ENVIRONMENT = `${SESSION}/environment`;
/** The maximum length of an imported list of packages, in characters (docs/spec/rest-notebooks.md, 6). */
const MAX_IMPORT_CHARACTERS = 500_000;

/** One PEP 508 requirement. */
const requirementText = z.string().superRefine((text, context) => {
  if (singleRequirement(text) === null) {
    context.addIssue({ code: 'custom', message: `Not a single package requirement: ${text.slice(0, 200)}` });
  }
});
const importText = z.string().max(MAX_IMPORT_CHARACTERS);

const payload = {
  environment,
  environment_job: environmentJob.nullable(),
  environment_job_history: z.array(environmentJob),
  dependencies: z.array(dependency),
  resolved_dependencies: z.array(dependency),
  r_environment: rEnvironment,
};
/**
 * The environment as its routes answer it (docs/spec/rest-notebooks.md, 2.7): `dependencies` of the project file,
 * `resolved_dependencies` of the lock.
 */
export const environmentPayload = z.object(payload);
export type EnvironmentPayload = z.infer<typeof environmentPayload>;

/** EC of docs/spec/rest-notebooks.md, 2.7. */
const consequences = {
  stale_cell_count: z.number().int(),
  stale_cell_ids: z.array(z.string()),
  warm_pool_reset: z.boolean(),
};
const cells = z.array(cell);

/** The output of a job's commands; each stream at most 12,000 characters. */
export const operationLog = z.object({
  command: z.string(),
  duration_ms: z.number().int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  stdout_truncated: z.boolean(),
  stderr_truncated: z.boolean(),
});
export type OperationLog = z.infer<typeof operationLog>;

const endedFields = {
  lockfile_changed: z.boolean(),
  operation_log: operationLog,
  ...payload,
  ...consequences,
  cells,
};
const dependencyAnswer = z.object({ success: z.literal(true), package: z.string(), ...endedFields });
const syncAnswer = z.object(endedFields);
const imported = { success: z.literal(true), imported_count: z.number().int(), ...endedFields };
const importAnswer = z.object(imported);
const yamlAnswer = z.object({ ...imported, warnings: z.array(z.string()) });
const previewAnswer = z.object({
  preview_dependencies: z.array(dependency),
  normalized_requirements: z.array(z.string()),
  imported_count: z.number().int(),
  warnings: z.array(z.string()),
  additions: z.array(dependency),
  removals: z.array(dependency),
  unchanged: z.array(dependency),
  ...payload,
});
const jobsAnswer = z.object({ ...payload, cells });
const acceptedAnswer = z.object({
  accepted: z.boolean(),
  /** If not accepted: there is nothing to do. */
  reason: z.literal('already_at_requested_version').optional(),
  ...payload,
  cells,
});

const requirements = z.object({ requirements: importText });
const environmentYaml = z.object({ environment_yaml: importText });
const BUSY = [400, 403, 404, 409, 422] as const;
const execute = { scope: 'notebook:execute', params: sessionParams } as const;
const readAccess = { scope: 'notebook:read', params: sessionParams, errors: [404] } as const;

/** The notebook's Python environment (docs/spec/rest-notebooks.md, 6). */
export const ENVIRONMENT_ROUTES = {
  environment: {
    ...readAccess,
    method: 'GET',
    path: ENVIRONMENT,
    summary: 'The environment, its jobs and its packages',
    response: environmentPayload,
  },
  dependencies: {
    ...readAccess,
    method: 'GET',
    path: `${SESSION}/dependencies`,
    summary: 'The project’s dependencies, and the packages in the lock file',
    response: environmentPayload,
  },
  rPackages: {
    ...readAccess,
    method: 'GET',
    path: `${SESSION}/r-packages`,
    summary: 'The packages in the notebook’s R library; starts R to find it',
    response: rEnvironment.pick({ packages: true, packages_status: true, packages_error: true }),
    errors: [403, 404],
  },
  addDependency: {
    ...execute,
    method: 'POST',
    path: `${SESSION}/dependencies`,
    summary: 'Add a package; returns when the environment has it',
    body: z.object({ package: requirementText }),
    response: dependencyAnswer,
    errors: BUSY,
  },
  removeDependency: {
    ...execute,
    method: 'DELETE',
    path: `${SESSION}/dependencies/{package_name}`,
    summary: 'Remove a package; returns when the environment no longer has it',
    params: sessionParams.extend({ package_name: z.string() }),
    response: dependencyAnswer,
    errors: BUSY,
  },
  syncEnvironment: {
    ...execute,
    method: 'POST',
    path: `${ENVIRONMENT}/sync`,
    summary: 'Update lock and environment; returns when that has ended',
    response: syncAnswer,
    errors: [400, 403, 404, 409],
  },
  currentEnvironmentJob: {
    ...readAccess,
    method: 'GET',
    path: `${ENVIRONMENT}/jobs/current`,
    summary: 'The running job, else the last one',
    response: jobsAnswer,
  },
  startEnvironmentJob: {
    ...execute,
    method: 'POST',
    path: `${ENVIRONMENT}/jobs`,
    summary: 'Start a job and return at once; its progress is sent in frames',
    body: z.object({
      action: environmentJob.shape.action,
      package: requirementText.nullish(),
      requirements: importText.nullish(),
      environment_yaml: importText.nullish(),
    }),
    statuses: [202],
    response: acceptedAnswer,
    errors: BUSY,
  },
  setPythonVersion: {
    ...execute,
    method: 'PUT',
    path: `${SESSION}/python-version`,
    summary: 'Switch the notebook to another Python; returns at once',
    body: z.object({ python_version: z.string().max(16) }),
    statuses: [200, 202],
    response: acceptedAnswer,
    errors: BUSY,
  },
  exportRequirements: {
    ...readAccess,
    method: 'GET',
    path: `${ENVIRONMENT}/requirements.txt`,
    summary: 'The project’s dependencies as requirements.txt',
    response: 'bytes',
    media: ['text/plain'],
  },
  importRequirements: {
    ...execute,
    method: 'POST',
    path: `${ENVIRONMENT}/requirements.txt`,
    summary: 'Replace the project’s dependencies; returns when the environment has them',
    body: requirements,
    response: importAnswer,
    errors: BUSY,
  },
  previewRequirements: {
    ...readAccess,
    method: 'POST',
    path: `${ENVIRONMENT}/requirements.txt/preview`,
    summary: 'Preview the changes of importing these requirements',
    body: requirements,
    response: previewAnswer,
    errors: [400, 404, 422],
  },
  importEnvironmentYaml: {
    ...execute,
    method: 'POST',
    path: `${ENVIRONMENT}/environment.yaml`,
    summary: 'Replace the project’s dependencies by those of a conda environment file',
    body: environmentYaml,
    response: yamlAnswer,
    errors: BUSY,
  },
  previewEnvironmentYaml: {
    ...readAccess,
    method: 'POST',
    path: `${ENVIRONMENT}/environment.yaml/preview`,
    summary: 'Preview the changes of importing a conda environment file',
    body: environmentYaml,
    response: previewAnswer,
    errors: [400, 404, 422],
  },
} as const satisfies Record<string, RouteContract>;
