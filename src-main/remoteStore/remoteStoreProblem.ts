/** Why a request to the shared store failed, as a message for users. */
export class RemoteStoreProblem extends Error {
  override readonly name = 'RemoteStoreProblem';
  /** The HTTP status of its answer; null: there was none. */
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
