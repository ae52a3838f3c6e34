import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { errnoOf } from '../../lib/atomicFile.ts';

const LOOK_MS = 200;

/**
 * Does `work` while no other worker of this machine does the same: a file that names its owner's process. One whose
 * owner is gone is nobody's.
 * @throws Error when it is not free within `waitMs`
 */
export async function underFileLock<T>(
  path: string,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + waitMs;
  while (!(await taken(path))) {
    if (performance.now() > until) throw new Error(`another worker has held ${path} for ${waitMs / 1000} s`);
    await wait(LOOK_MS, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function taken(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
  const owner = Number(await readFile(path, 'utf8').catch(() => ''));
  // Empty for the moment between its making and its writing.
  if (owner > 0 && !isAlive(owner)) await rm(path, { force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}
