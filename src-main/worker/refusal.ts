/**
 * A request that a worker answers with an error. Callers evaluate the status; the message is for users
 * (docs/spec/worker-protocol.md, 13).
 */
export class WorkerRefusal extends Error {
  override readonly name = 'WorkerRefusal';
  readonly status: number;
  /**
   * Whether the run was admitted: the response then has `success` and `error` in addition to `detail`
   * (docs/spec/worker-protocol.md, 13).
   */
  readonly isAdmitted: boolean;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    message: string,
    options: { readonly isAdmitted?: boolean; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.isAdmitted = options.isAdmitted ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** The refusal for a run whose harness could not be started, or that ended without a result of its cell. */
export function runRefusal(status: number, message: string): WorkerRefusal {
  return new WorkerRefusal(status, message, { isAdmitted: true });
}
