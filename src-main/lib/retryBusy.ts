import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from './atomicFile.ts';

/** What a rename or a removal fails with while another process still has the files: it goes away in a moment. */
const BUSY: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EPERM', 'EACCES']);
/** 10, 20, 40, … ms: about 1.3 s in all. */
const TRIES = 8;
const FIRST_WAIT_MS = 10;

/** True for a failure that may go away when the other process is done. */
export function isBusy(error: unknown): boolean {
  return BUSY.has(errnoOf(error) ?? '');
}

export interface RetryOptions {
  /** Default: a timer. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Called before each further try. */
  readonly beforeRetry?: () => Promise<void>;
}

/**
 * Does a piece of file work, again when something else has the files for the moment.
 * @throws the last failure, and at once any other
 */
export async function retryBusy<T>(work: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { wait = delay, beforeRetry } = options;
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || tried === TRIES) throw error;
    }
    await wait(FIRST_WAIT_MS * 2 ** (tried - 1));
    await beforeRetry?.();
  }
}
