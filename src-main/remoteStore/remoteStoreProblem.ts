/** Why the shared store did not do what was asked, as a message for a person. */
export class RemoteStoreProblem extends Error {
  override readonly name = 'RemoteStoreProblem';
  /** The HTTP status of its answer; null: there was none. */
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
