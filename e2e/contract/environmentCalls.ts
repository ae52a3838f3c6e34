/** A valid call of every route of environments and their jobs, for the tests of all routes (`routes.test.ts`). */

import { expect } from 'vitest';
import { rest } from '../support/rest.ts';
import type { Call } from './refusedCalls.ts';
import { notebookForJobs, type RouteWorld } from './routeWorld.ts';

async function jobIn(world: RouteWorld, body: unknown): Promise<Call> {
  return { params: { sid: (await notebookForJobs(world)).sid }, body };
}

const JOB = { timeout: 60_000, interval: 50 };
const WAITING = 'elsewhere @ file:///nowhere/elsewhere.whl';

/** The session id of an imported notebook whose first job has ended and left a package waiting for approval. */
async function notebookWithWaiting({ server }: RouteWorld): Promise<string> {
  const form = new FormData();
  const cells = [
    { cell_type: 'code', id: 'a', metadata: {}, outputs: [], source: `%pip install "${WAITING}"` },
  ];
  form.append('file', new Blob([JSON.stringify({ nbformat: 4, metadata: {}, cells })]), 'waiting.ipynb');
  form.append('name', `waiting ${process.hrtime.bigint()}`);
  const answer = await fetch(`${server.url}/v1/notebooks/import`, { method: 'POST', body: form });
  const { session_id: sid } = (await answer.json()) as { session_id: string };
  await expect
    .poll(async () => {
      const { body } = await rest<{ environment_job: { status: string } | null }>(
        server.url,
        'GET',
        `/v1/notebooks/${sid}/environment`,
      );
      return body.environment_job?.status;
    }, JOB)
    .not.toBe('running');
  return sid;
}

/** The parameters of a notebook and of the job that added a package to it. */
async function afterAdding(world: RouteWorld): Promise<Call> {
  const other = await notebookForJobs(world);
  const path = `/v1/notebooks/${other.sid}/dependencies`;
  const { body } = await rest<{ environment_job: { id: string } }>(world.server.url, 'POST', path, {
    package: 'apple',
  });
  return { params: { sid: other.sid, job_id: body.environment_job.id } };
}

/** Calls that the tests make invalid before sending: no job is started, so none needs its own notebook. */
export const SPOILT_ENVIRONMENT_CALLS: Readonly<Record<string, Call>> = {
  addDependency: { body: { package: 'apple' } },
  removeDependency: { params: { package_name: 'apple' } },
  syncEnvironment: {},
  startEnvironmentJob: { body: { action: 'sync' } },
  setPythonVersion: { body: { python_version: '3.13' } },
  importRequirements: { body: { requirements: 'apple' } },
  importEnvironmentYaml: { body: { environment_yaml: 'dependencies: [apple]' } },
  addPackages: { body: { packages: ['apple'] } },
  environmentJobChanges: { params: { job_id: 'job' } },
  allowPackages: { body: { requirements: ['apple'] } },
  repairEnvironment: {},
  undoEnvironmentJob: { params: { job_id: 'job' } },
};

/** Each call that changes an environment gets its own notebook. */
export function environmentCalls(at: () => RouteWorld) {
  return {
    environment: () => ({}),
    dependencies: () => ({}),
    rPackages: () => ({}),
    addDependency: () => jobIn(at(), { package: 'apple>=1' }),
    removeDependency: async () => ({
      params: { ...(await afterAdding(at())).params, package_name: 'Apple' },
    }),
    syncEnvironment: async () => ({ params: { sid: (await notebookForJobs(at())).sid } }),
    currentEnvironmentJob: () => ({}),
    startEnvironmentJob: () => jobIn(at(), { action: 'sync' }),
    setPythonVersion: async () => {
      const { body } = await rest<{ default_python_version: string }>(
        at().server.url,
        'GET',
        '/v1/notebooks/config',
      );
      return jobIn(at(), { python_version: body.default_python_version });
    },
    exportRequirements: () => ({}),
    importRequirements: () => jobIn(at(), { requirements: 'apple' }),
    previewRequirements: () => ({ body: { requirements: 'apple' } }),
    importEnvironmentYaml: () => jobIn(at(), { environment_yaml: 'dependencies: [apple]' }),
    previewEnvironmentYaml: () => ({ body: { environment_yaml: 'dependencies: [apple]' } }),
    previewEnvironmentJob: () => ({ body: { add: 'apple' } }),
    addPackages: async () => ({
      params: { sid: (await notebookForJobs(at())).sid },
      body: { packages: ['apple'] },
    }),
    suggestPackages: () => ({ query: { typed: 'sklearn' } }),
    lookUpPackage: () => ({ params: { package_name: 'apple' } }),
    readPackageList: () => ({ body: { file_name: 'requirements.txt', text: 'apple' } }),
    cancelEnvironmentJob: () => ({}),
    environmentJobChanges: () => afterAdding(at()),
    diagnoseEnvironment: () => ({}),
    allowPackages: async () => ({
      params: { sid: await notebookWithWaiting(at()) },
      body: { requirements: [WAITING] },
    }),
    repairEnvironment: async () => ({ params: { sid: (await notebookForJobs(at())).sid } }),
    undoEnvironmentJob: () => afterAdding(at()),
  } satisfies Record<string, () => Call | Promise<Call>>;
}
