import { callRoute } from './rest.ts';

/** Starts the job that sets up renv for the notebook; its progress arrives by frames. @throws RestError */
export async function startR(sid: string): Promise<void> {
  await callRoute('startEnvironmentJob', { params: { sid }, body: { action: 'r_init' } });
}

/** Starts the job that adds an R package. @returns the job's id; null if none was started @throws RestError */
export async function addRPackage(sid: string, name: string): Promise<string | null> {
  const body = { action: 'r_add', package: name } as const;
  const { environment_job: job } = await callRoute('startEnvironmentJob', { params: { sid }, body });
  return job?.id ?? null;
}

/** Starts the job that restores the R library from its lock; it is a sync, so it includes Python. @throws RestError */
export async function restoreR(sid: string): Promise<void> {
  await callRoute('startEnvironmentJob', { params: { sid }, body: { action: 'sync' } });
}
