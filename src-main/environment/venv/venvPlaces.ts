/**
 * The folders of environments and how one replaces another. The new one is built as `.svc/venv-<id>`, marked
 * as complete by its marker file, and put in place by two renames: `.venv` → `.svc/venv-<id>-old`,
 * `.svc/venv-<id>` → `.venv`. An environment to delete is first renamed to `.svc/venv-<id>-gone`, so no other
 * name ever has an incomplete environment. Whatever fails, and wherever this process is killed, a complete
 * environment is in place or {@link restoreVenv} puts it there. Between the two renames a process of the old
 * environment may write bytecode at the old path, which creates the folders there: such a skeleton is moved
 * away and never counts as the environment.
 */

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf, syncDirectory } from '../../lib/atomicFile.ts';
import { moveTo, removeTree } from '../../lib/guardedFolder/names.ts';
import { pathOf, placeUnder } from '../../lib/guardedFolder/place.ts';
import { lstatAt, namesIn as namesAt } from '../../lib/guardedFolder/read.ts';
import { isBusy, retryBusy } from '../../lib/retryBusy.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { isNamed, ownFolder, ownPath } from '../../notebook/folder/ownPlaces.ts';
import { readProjectFiles } from '../folder/projectUndo.ts';
import { hasInterpreter, isMadeFrom, readMarker, venvDir } from './venv.ts';

const LEFTOVERS = ['stagedVenv', 'retiredVenv', 'goneVenv'] as const;

/** The disk operations of a swap; tests make them fail. */
export interface SwapDisk {
  rename(from: string, to: string): Promise<void>;
  /** Removes a folder with its content; a missing folder is not an error. */
  remove(path: string): Promise<void>;
  /** The pause before another attempt. */
  wait(ms: number): Promise<void>;
}

export const SWAP_DISK: SwapDisk = {
  rename: async (from, to) => moveTo(from, to),
  remove: removeTree,
  wait: (ms) => delay(ms),
};

export function stagedVenv(dir: NotebookFolder, id: string): string {
  return ownPath(dir, 'stagedVenv', id);
}

function retiredVenv(dir: NotebookFolder, id: string): string {
  return ownPath(dir, 'retiredVenv', id);
}

/**
 * Puts the finished environment in place. The old one stays beside it for {@link removeRetired}.
 * @throws a system error; then the old one is in place again, or {@link restoreVenv} restores it
 */
export async function swapIn(dir: NotebookFolder, id: string, disk: SwapDisk = SWAP_DISK): Promise<void> {
  const target = venvDir(dir);
  const hadOld = await move({ from: target, to: retiredVenv(dir, id) }, disk);
  try {
    await moveIntoPlace(dir, stagedVenv(dir, id), disk);
  } catch (error) {
    if (hadOld) await moveIntoPlace(dir, retiredVenv(dir, id), disk);
    throw error;
  }
  await syncDirectory(dir);
}

/** Undoes {@link swapIn} when the new environment does not work. */
export async function swapBack(dir: NotebookFolder, id: string, disk: SwapDisk = SWAP_DISK): Promise<void> {
  await moveAside(dir, disk);
  if (await isThere(retiredVenv(dir, id))) await moveIntoPlace(dir, retiredVenv(dir, id), disk);
  await syncDirectory(dir);
}

/**
 * Makes sure that a complete environment is in place if there is one: the one made from the current files,
 * else the old one. Changes nothing else. Call under the notebook's writer lock.
 */
export async function restoreVenv(dir: NotebookFolder, disk: SwapDisk = SWAP_DISK): Promise<void> {
  const names = await namesIn(dir);
  const retired = names.filter((name) => isNamed('retiredVenv', name));
  const both = [...names.filter((name) => isNamed('stagedVenv', name)), ...retired];
  if (both.length === 0 || (await hasInterpreter(venvDir(dir)))) return;
  const files = await readProjectFiles(dir);
  const fits = async (path: string): Promise<boolean> =>
    isMadeFrom(await readMarker(path), files) && (await hasInterpreter(path));
  const complete = (await firstThat(dir, both, fits)) ?? (await firstThat(dir, retired, hasInterpreter));
  if (complete === null) return;
  await moveAside(dir, disk);
  await moveIntoPlace(dir, complete, disk);
  await syncDirectory(dir);
}

/** Removes one unfinished environment, once a complete one is in place. */
export async function discardStaged(
  dir: NotebookFolder,
  id: string,
  disk: SwapDisk = SWAP_DISK,
): Promise<void> {
  await restoreVenv(dir, disk);
  await discard(dir, stagedVenv(dir, id), disk);
}

/** Removes the environment that this swap replaced. Deleting a large one takes a while, so nothing waits for it. */
export async function removeRetired(
  dir: NotebookFolder,
  id: string,
  disk: SwapDisk = SWAP_DISK,
): Promise<void> {
  await discard(dir, retiredVenv(dir, id), disk);
}

/** Removes everything that syncs left beside the environment. Call after {@link restoreVenv}. */
export async function removeLeftovers(dir: NotebookFolder, disk: SwapDisk = SWAP_DISK): Promise<void> {
  const names = await namesIn(dir);
  const leftovers = names.filter((name) => LEFTOVERS.some((kind) => isNamed(kind, name)));
  await Promise.all(leftovers.map((name) => discard(dir, pathOf(placeUnder(ownFolder(dir), name)), disk)));
}

/** A folder that another process still uses stays until the notebook opens next; it only takes space. */
async function discard(dir: NotebookFolder, path: string, disk: SwapDisk): Promise<void> {
  const gonePath = isNamed('goneVenv', basename(path)) ? path : goneVenv(dir);
  try {
    if (gonePath !== path && !(await move({ from: path, to: gonePath }, disk))) return;
    await retryBusy(() => disk.remove(gonePath), { wait: disk.wait });
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

function goneVenv(dir: NotebookFolder): string {
  return ownPath(dir, 'goneVenv', randomBytes(4).toString('hex'));
}

/** Moves what is in the place of the environment away. */
async function moveAside(dir: NotebookFolder, disk: SwapDisk): Promise<void> {
  await move({ from: venvDir(dir), to: goneVenv(dir) }, disk);
}

/** Renames a complete environment to `.venv`. A skeleton that was created there meanwhile is moved away. */
async function moveIntoPlace(dir: NotebookFolder, from: string, disk: SwapDisk): Promise<void> {
  const beforeRetry = async (): Promise<void> => {
    if (await isSkeleton(venvDir(dir))) await moveAside(dir, disk);
  };
  await retryBusy(() => disk.rename(from, venvDir(dir)), { wait: disk.wait, beforeRetry });
}

/** @returns false when there was nothing to move */
async function move(
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

/** Whether a folder without an interpreter is in the environment's place. */
async function isSkeleton(venv: string): Promise<boolean> {
  const info = lstatAt(venv);
  return info?.isDirectory() === true && !(await hasInterpreter(venv)) && (await readMarker(venv)) === null;
}

async function firstThat(
  dir: NotebookFolder,
  names: readonly string[],
  test: (path: string) => Promise<boolean>,
): Promise<string | null> {
  for (const name of names) {
    const path = pathOf(placeUnder(ownFolder(dir), name));
    if (await test(path)) return path;
  }
  return null;
}

async function isThere(path: string): Promise<boolean> {
  return lstatAt(path) !== null;
}

/** Empty without a `.svc` folder. */
async function namesIn(dir: NotebookFolder): Promise<readonly string[]> {
  return namesAt(ownFolder(dir));
}
