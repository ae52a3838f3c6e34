/** A file lock between the workers of one machine, e.g. while one of them builds an environment. */

import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openLifeSocket } from '../../lib/lifeSocket.ts';
import { newLifeName, takeLock } from '../../lib/lockFile.ts';

const POLL_MS = 200;

/**
 * Does `work` while holding a lock against the other workers on this machine, in any container. The lock of a holder
 * that has ended is taken at once: its life socket shows that it has ended.
 * @throws Error if another worker still holds the lock after `waitMs`
 */
export async function underFileLock<T>(
  path: string,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + waitMs;
  const life = newLifeName(path);
  const socket = await openLifeSocket(dirname(path), life);
  try {
    for (;;) {
      signal.throwIfAborted();
      const lock = await takeLock(path, socket === null ? {} : { life });
      if (lock.kind === 'held') {
        try {
          return await work();
        } finally {
          await lock.release();
        }
      }
      if (performance.now() > until) {
        throw new Error(`process ${lock.pid} on ${lock.host} has held ${path} for ${waitMs / 1000} s`);
      }
      await wait(POLL_MS, undefined, { signal });
    }
  } finally {
    await socket?.close();
  }
}
