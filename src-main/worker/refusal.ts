/** A request a worker does not answer with a result: the status is the signal, the words are for people (worker-protocol 13). */
export class WorkerRefusal extends Error {
  override readonly name = 'WorkerRefusal';
  readonly status: number;
  /** After admission `success` and `error` stand beside `detail` (worker-protocol 13). */
  readonly isAdmitted: boolean;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    words: string,
    options: { readonly isAdmitted?: boolean; readonly retryAfterSeconds?: number } = {},
  ) {
    super(words);
    this.status = status;
    this.isAdmitted = options.isAdmitted ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** The harness could not be run, or the run ended otherwise than by its cell. */
export function runRefusal(status: number, words: string): WorkerRefusal {
  return new WorkerRefusal(status, words, { isAdmitted: true });
}
