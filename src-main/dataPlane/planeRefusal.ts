/** The expected refusals of the data plane, and the conversion of table errors to them. */

import { IcebergError, type IcebergErrorKind } from '../iceberg/icebergError.ts';
import { StoreProblem } from '../mount/remote/objectStore.ts';

type PlaneStatus = 307 | 400 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 503 | 504;

/** One refusal: its status and the body that the client gets. */
export class PlaneRefusal extends Error {
  override readonly name = 'PlaneRefusal';
  readonly status: PlaneStatus;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whole seconds for Retry-After. */
  readonly retryAfterSeconds: number | null;
  /** The URL at which another server has the requested resource. */
  readonly location: string | null;

  constructor(
    status: PlaneStatus,
    message: string,
    {
      body = { detail: message },
      retryAfterSeconds = null,
      location = null,
    }: {
      readonly body?: Readonly<Record<string, unknown>>;
      readonly retryAfterSeconds?: number | null;
      readonly location?: string | null;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
    this.location = location;
  }
}

/** A refusal whose `detail` is an object with a stable name. */
export function namedRefusal(
  status: PlaneStatus,
  error: string,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): PlaneRefusal {
  return new PlaneRefusal(status, message, { body: { detail: { error, message, ...more } } });
}

const STATUSES = {
  invalid_request: 400,
  not_found: 404,
  unreadable: 422,
  too_many_deletes: 422,
  too_large: 413,
  timeout: 504,
  conflict: 409,
  unavailable: 503,
} as const satisfies Record<IcebergErrorKind, PlaneStatus>;

/** Converts an error of reading a table to a refusal; other errors are returned unchanged. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof IcebergError) return new PlaneRefusal(STATUSES[error.kind], error.message);
  if (error instanceof StoreProblem) return new PlaneRefusal(503, error.message);
  return error;
}
