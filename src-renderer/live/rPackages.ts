import { callRoute } from './rest.ts';

/** Begins the job that makes the notebook one of renv's; its course comes by frames. @throws RestError */
export async function startR(sid: string): Promise<void> {
  await callRoute('startEnvironmentJob', { params: { sid }, body: { action: 'r_init' } });
}

/** Begins the job that adds a package of R, and answers its id where one began. @throws RestError */
export async function addRPackage(sid: string, name: string): Promise<string | null> {
  const body = { action: 'r_add', package: name } as const;
  const { environment_job: job } = await callRoute('startEnvironmentJob', { params: { sid }, body });
  return job?.id ?? null;
}

/** Begins the job that brings the library back to the lock: a sync, of Python too. @throws RestError */
export async function restoreR(sid: string): Promise<void> {
  await callRoute('startEnvironmentJob', { params: { sid }, body: { action: 'sync' } });
}
