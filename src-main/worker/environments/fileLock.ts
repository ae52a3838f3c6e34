import { setTimeout as wait } from 'node:timers/promises';
import { takeLock } from '../../lib/lockFile.ts';

const LOOK_MS = 200;

/**
 * Does `work` while no other worker of this machine does the same.
 * @throws Error when another one still does after `waitMs`
 */
export async function underFileLock<T>(
  path: string,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + waitMs;
  for (;;) {
    signal.throwIfAborted();
    const lock = await takeLock(path);
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
}
