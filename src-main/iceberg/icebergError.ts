/**
 * Why a table could not be read:
 *
 * | Kind | Meaning |
 * |---|---|
 * | `invalid_request` | the request is invalid |
 * | `not_found` | no such table, warehouse or snapshot |
 * | `unreadable` | the files of the table are missing, damaged, or of an unsupported kind |
 * | `too_many_deletes` | more pending deletes than the limit |
 * | `too_large` | the scan is over a size limit |
 * | `timeout` | the catalog or the storage did not answer in time |
 * | `conflict` | other programs changed the table at the same time |
 * | `unavailable` | the catalog or the storage refused access or cannot be reached |
 */
export type IcebergErrorKind =
  | 'invalid_request'
  | 'not_found'
  | 'unreadable'
  | 'too_many_deletes'
  | 'too_large'
  | 'timeout'
  | 'conflict'
  | 'unavailable';

/** The error for a table that could not be read, with a message that a user can act on. */
export class IcebergError extends Error {
  override readonly name = 'IcebergError';
  readonly kind: IcebergErrorKind;

  constructor(kind: IcebergErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** An `unreadable` error about one file of a table. */
export function damaged(file: string, what: string, cause?: unknown): IcebergError {
  return new IcebergError(
    'unreadable',
    `${file} cannot be read: ${what}`,
    cause === undefined ? {} : { cause },
  );
}

/** A `conflict` error: the table has changed since the commit was prepared. */
export function conflict(): IcebergError {
  return new IcebergError(
    'conflict',
    'Another program changed the table at the same time. Nothing was written. Try again.',
  );
}
