import { type AnswerOf, callRoute } from './rest.ts';

export type PackagePreview = AnswerOf<'previewEnvironmentJob'>;

/** What a person wants of the packages. */
export type PackageWish =
  | { readonly kind: 'add'; readonly requirement: string }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'python'; readonly minor: string };

/** What a wish would change; nothing is touched. @throws RestError */
export function previewWish(sid: string, wish: PackageWish, signal: AbortSignal): Promise<PackagePreview> {
  const body =
    wish.kind === 'add'
      ? { add: wish.requirement }
      : wish.kind === 'remove'
        ? { remove: wish.name }
        : { python_version: wish.minor };
  return callRoute('previewEnvironmentJob', { params: { sid }, body }, { signal });
}

/** Begins the job; its course comes by frames. @throws RestError */
export async function beginWish(sid: string, wish: PackageWish): Promise<void> {
  const params = { sid };
  if (wish.kind === 'python') {
    await callRoute('setPythonVersion', { params, body: { python_version: wish.minor } });
    return;
  }
  const body =
    wish.kind === 'add'
      ? ({ action: 'add', package: wish.requirement } as const)
      : ({ action: 'remove', package: wish.name } as const);
  await callRoute('startEnvironmentJob', { params, body });
}

/** Stops the job that runs. @throws RestError */
export async function stopJob(sid: string): Promise<void> {
  await callRoute('cancelEnvironmentJob', { params: { sid } });
}

/** Begins a job that goes back to before another one. @throws RestError */
export async function undoJob(sid: string, jobId: string): Promise<void> {
  await callRoute('undoEnvironmentJob', { params: { sid, job_id: jobId } });
}
