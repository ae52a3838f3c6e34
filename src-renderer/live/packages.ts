/** Requests of the Packages panel: preview a change, start, stop and undo an environment job. */

import type { PackageListFile, PackageRequest } from '../state/packageRequest.ts';
import { type AnswerOf, callRoute } from './rest.ts';

export type PackagePreview = AnswerOf<'previewEnvironmentJob'>;
export type Diagnosis = AnswerOf<'diagnoseEnvironment'>;
export type PackageList = AnswerOf<'readPackageList'>;

/** What a request would change, without changing anything. @throws RestError */
export function previewRequest(
  sid: string,
  request: PackageRequest,
  signal: AbortSignal,
): Promise<PackagePreview> {
  const body =
    request.kind === 'add'
      ? { add: [...request.requirements] }
      : request.kind === 'remove'
        ? { remove: request.name }
        : request.kind === 'python'
          ? { python_version: request.minor }
          : { requirements: request.requirements.join('\n') };
  return callRoute('previewEnvironmentJob', { params: { sid }, body }, { signal });
}

/** The packages that can be imported from a file. @throws RestError */
export function readList(sid: string, file: PackageListFile, signal: AbortSignal): Promise<PackageList> {
  const body = { file_name: file.name, text: file.text };
  return callRoute('readPackageList', { params: { sid }, body }, { signal });
}

/** Starts a job, whose progress arrives by frames. @returns its id; '' if there is nothing to do @throws RestError */
export async function beginRequest(sid: string, request: PackageRequest): Promise<string> {
  const params = { sid };
  if (request.kind === 'python') {
    const body = { python_version: request.minor };
    return (await callRoute('setPythonVersion', { params, body })).environment_job?.id ?? '';
  }
  if (request.kind === 'add') {
    const body = { packages: [...request.requirements] };
    return (await callRoute('addPackages', { params, body })).environment_job?.id ?? '';
  }
  const body =
    request.kind === 'remove'
      ? ({ action: 'remove', package: request.name } as const)
      : ({ action: 'import', requirements: request.requirements.join('\n') } as const);
  return (await callRoute('startEnvironmentJob', { params, body })).environment_job?.id ?? '';
}

/** Stops the running job. @throws RestError */
export async function stopJob(sid: string): Promise<void> {
  await callRoute('cancelEnvironmentJob', { params: { sid } });
}

/** Starts a job that restores the state before another job. @throws RestError */
export async function undoJob(sid: string, jobId: string): Promise<void> {
  await callRoute('undoEnvironmentJob', { params: { sid, job_id: jobId } });
}

/** Starts a job that rebuilds the environment from its lock. @throws RestError */
export async function repair(sid: string): Promise<void> {
  await callRoute('repairEnvironment', { params: { sid } });
}

/** Starts a job that installs exactly these packages, which an import is waiting for. @throws RestError */
export async function allowPackages(sid: string, requirements: readonly string[]): Promise<void> {
  await callRoute('allowPackages', { params: { sid }, body: { requirements: [...requirements] } });
}
