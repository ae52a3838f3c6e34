/** Limits how long a request to an Iceberg table may take. */

import { IcebergError } from './icebergError.ts';

interface Deadline {
  readonly milliseconds: number;
  /** The name of the work, for the message: `Planning the scan`. */
  readonly what: string;
  /** Aborts the work early. */
  readonly signal: AbortSignal;
}

/**
 * Does work with a deadline. At the deadline the work's signal is aborted; work that does not react, such as a read
 * from a hanging network folder, is abandoned.
 * @throws IcebergError `timeout`, the reason of the outer signal, or the error of the work
 */
export async function withinDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  deadline: Deadline,
): Promise<T> {
  const { milliseconds, what, signal } = deadline;
  const late = new IcebergError(
    'timeout',
    `${what} took longer than ${milliseconds / 1000} seconds. The catalog or the storage may be down; try again later.`,
  );
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => controller.abort(late), milliseconds);
  const aborted = new Promise<never>((_, reject) => {
    const fail = (): void => reject(controller.signal.reason);
    if (controller.signal.aborted) fail();
    else controller.signal.addEventListener('abort', fail, { once: true });
  });
  const done = work(controller.signal);
  // The abandoned work may fail later; no caller waits for it.
  done.catch(() => undefined);
  aborted.catch(() => undefined);
  try {
    return await Promise.race([done, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
