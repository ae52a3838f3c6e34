/** Repeats renames and removals of files while another process, such as a virus scanner, has the files open. */

import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from './atomicFile.ts';

/** Errors of a rename or a removal while another process has the files open: usually brief. */
const BUSY: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EPERM', 'EACCES']);
/** The number of attempts, with pauses of 10, 20, 40, … ms: about 1.3 s in all. */
const TRIES = 8;
const FIRST_WAIT_MS = 10;

/** True for a failure that may disappear when the other process is done. */
export function isBusy(error: unknown): boolean {
  return BUSY.has(errnoOf(error) ?? '');
}

interface RetryOptions {
  /** Default: a timer. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Called before each further try. */
  readonly beforeRetry?: () => Promise<void>;
}

/**
 * Performs a file operation and retries it while another process has the files open. @throws the last
 * failure, and any other one at once
 */
export async function retryBusy<T>(work: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { wait = delay, beforeRetry } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || attempt === TRIES) throw error;
    }
    await wait(FIRST_WAIT_MS * 2 ** (attempt - 1));
    await beforeRetry?.();
  }
}
