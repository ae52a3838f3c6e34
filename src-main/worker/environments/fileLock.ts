import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openLifeSocket } from '../../lib/lifeSocket.ts';
import { newLifeName, takeLock } from '../../lib/lockFile.ts';

const LOOK_MS = 200;

/**
 * Does `work` while no other worker of this machine does the same, in whatever container it is. A holder that is gone is
 * succeeded at once: the system says so, by the socket it had.
 * @throws Error when another one still does after `waitMs`
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
      await wait(LOOK_MS, undefined, { signal });
    }
  } finally {
    await socket?.close();
  }
}
