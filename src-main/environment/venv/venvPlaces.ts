import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf, syncDirectory } from '../../lib/atomicFile.ts';
import { moveTo, removeTree } from '../../lib/guardedFolder/names.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { lookAt, namesIn as namesAt } from '../../lib/guardedFolder/read.ts';
import { isBusy, retryBusy } from '../../lib/retryBusy.ts';
import { readProjectFiles } from '../folder/projectUndo.ts';
import { hasInterpreter, isMadeFrom, readMarker, venvDir } from './venv.ts';

/**
 * How an environment is replaced. The new one is built as `.svc/venv-<id>`, marked complete by its marker file, and
 * takes the place of `.venv` by two renames: `.venv` → `.svc/venv-<id>-old`, `.svc/venv-<id>` → `.venv`. What is to
 * be deleted is renamed to `.svc/venv-<id>-gone` first, so no other name ever holds half an environment. Whatever
 * fails, and wherever this process is killed, a whole environment is in place or {@link restoreVenv} puts it there.
 *
 * A process of the old environment may write bytecode at the old path between the two renames, which makes the
 * folders on the way there: such a skeleton is moved out of the way and never counts as the environment.
 */

const STAGED = /^venv-[0-9a-f]{8}$/;
const RETIRED = /^venv-[0-9a-f]{8}-old$/;
const GONE = /^venv-[0-9a-f]{8}-gone$/;

/** The calls a swap makes; tests put failures in between. */
export interface SwapDisk {
  rename(from: string, to: string): Promise<void>;
  /** Removes a folder with all that is in it; one that is not there is no failure. */
  remove(path: string): Promise<void>;
  /** Of the pause before a further try. */
  wait(ms: number): Promise<void>;
}

export const SWAP_DISK: SwapDisk = {
  rename: async (from, to) => moveTo(from, to),
  remove: removeTree,
  wait: (ms) => delay(ms),
};

export function stagedVenv(dir: string, id: string): string {
  return join(dir, '.svc', `venv-${id}`);
}

function retiredVenv(dir: string, id: string): string {
  return `${stagedVenv(dir, id)}-old`;
}

/**
 * Puts the finished environment in place. The one before stays beside it for {@link removeRetired}.
 * @throws the system's error; the one before is in place again then, or {@link restoreVenv} brings it back
 */
export async function swapIn(dir: string, id: string, disk: SwapDisk = SWAP_DISK): Promise<void> {
  const target = venvDir(dir);
  const hadOld = await moved({ from: target, to: retiredVenv(dir, id) }, disk);
  try {
    await movedIn(dir, stagedVenv(dir, id), disk);
  } catch (error) {
    if (hadOld) await movedIn(dir, retiredVenv(dir, id), disk);
    throw error;
  }
  await syncDirectory(dir);
}

/** Undoes {@link swapIn} when what was put in place turns out not to work. */
export async function swapBack(dir: string, id: string, disk: SwapDisk = SWAP_DISK): Promise<void> {
  await moveAside(dir, disk);
  if (await isThere(retiredVenv(dir, id))) await movedIn(dir, retiredVenv(dir, id), disk);
  await syncDirectory(dir);
}

/**
 * Makes sure that a whole environment is in place where there is one: the one made from the files as they are now,
 * else the one before. Nothing else is touched. Call under the notebook's writer lock.
 */
export async function restoreVenv(dir: string, disk: SwapDisk = SWAP_DISK): Promise<void> {
  const names = await namesIn(dir);
  const retired = names.filter((name) => RETIRED.test(name));
  const both = [...names.filter((name) => STAGED.test(name)), ...retired];
  if (both.length === 0 || (await hasInterpreter(venvDir(dir)))) return;
  const files = await readProjectFiles(dir);
  const fits = async (path: string): Promise<boolean> =>
    isMadeFrom(await readMarker(path), files) && (await hasInterpreter(path));
  const whole = (await firstThat(dir, both, fits)) ?? (await firstThat(dir, retired, hasInterpreter));
  if (whole === null) return;
  await moveAside(dir, disk);
  await movedIn(dir, whole, disk);
  await syncDirectory(dir);
}

/** Removes one environment that was being built and came to nothing, once a whole one is in place. */
export async function discardStaged(dir: string, id: string, disk: SwapDisk = SWAP_DISK): Promise<void> {
  await restoreVenv(dir, disk);
  await discard(dir, stagedVenv(dir, id), disk);
}

/** Removes the environment that this swap replaced. Deleting a large one takes a moment, so nobody waits for it. */
export async function removeRetired(dir: string, id: string, disk: SwapDisk = SWAP_DISK): Promise<void> {
  await discard(dir, retiredVenv(dir, id), disk);
}

/** Removes all that syncs have left beside the environment. Call after {@link restoreVenv}. */
export async function removeLeftovers(dir: string, disk: SwapDisk = SWAP_DISK): Promise<void> {
  const names = await namesIn(dir);
  const left = names.filter((name) => [STAGED, RETIRED, GONE].some((kind) => kind.test(name)));
  await Promise.all(left.map((name) => discard(dir, join(dir, '.svc', name), disk)));
}

/** What another process still has open stays until the notebook is opened next: it takes room, nothing else. */
async function discard(dir: string, path: string, disk: SwapDisk): Promise<void> {
  const gone = GONE.test(basename(path)) ? path : goneVenv(dir);
  try {
    if (gone !== path && !(await moved({ from: path, to: gone }, disk))) return;
    await retryBusy(() => disk.remove(gone), { wait: disk.wait });
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

function goneVenv(dir: string): string {
  return join(dir, '.svc', `venv-${randomBytes(4).toString('hex')}-gone`);
}

/** Frees the place of the environment for another. */
async function moveAside(dir: string, disk: SwapDisk): Promise<void> {
  await moved({ from: venvDir(dir), to: goneVenv(dir) }, disk);
}

/** Renames a whole environment to `.venv`. A skeleton that was written there meanwhile makes way. */
async function movedIn(dir: string, from: string, disk: SwapDisk): Promise<void> {
  const beforeRetry = async (): Promise<void> => {
    if (await isSkeleton(venvDir(dir))) await moveAside(dir, disk);
  };
  await retryBusy(() => disk.rename(from, venvDir(dir)), { wait: disk.wait, beforeRetry });
}

/** @returns false when there was nothing to move */
async function moved(
  { from, to }: { readonly from: string; readonly to: string },
  disk: SwapDisk,
): Promise<boolean> {
  try {
    await retryBusy(() => disk.rename(from, to), { wait: disk.wait });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** A real folder in the environment's place that nothing can run from. */
async function isSkeleton(venv: string): Promise<boolean> {
  const found = lookAt(venv);
  return found?.isDirectory() === true && !(await hasInterpreter(venv)) && (await readMarker(venv)) === null;
}

async function firstThat(
  dir: string,
  names: readonly string[],
  test: (path: string) => Promise<boolean>,
): Promise<string | null> {
  for (const name of names) {
    const path = join(dir, '.svc', name);
    if (await test(path)) return path;
  }
  return null;
}

async function isThere(path: string): Promise<boolean> {
  return lookAt(path) !== null;
}

/** Without a `.svc` folder there is nothing to repair. */
async function namesIn(dir: string): Promise<readonly string[]> {
  return namesAt(placeIn(dir, '.svc'));
}
