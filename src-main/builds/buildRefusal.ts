import type { BuildErrorCode } from '../../src-shared/wire/worker/build.ts';

/**
 * Thrown when the server refuses a worker's request about a signed build, a run of a cell that the worker fetches and
 * delivers by signed URLs; `status` is the HTTP status (docs/spec/signed-builds.md, 2).
 */
export class BuildRefusal extends Error {
  override readonly name = 'BuildRefusal';
  readonly status: 400 | 403 | 404 | 409 | 413 | 503;
  /** The error code of the build, if the refusal ended the build. */
  readonly code: BuildErrorCode | null;

  constructor(status: BuildRefusal['status'], message: string, code: BuildErrorCode | null = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const BAD_QUERY = 'Invalid parameter format';
export const BAD_SIGNATURE = 'Invalid or expired signature';
export const LEASE_LOST = 'Build lease is no longer held by this caller; nothing was published';

/** The error for an invalid output, thrown by the code that knows its format. */
export class OutputProblem extends Error {
  override readonly name = 'OutputProblem';
}
