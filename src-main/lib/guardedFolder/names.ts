/** Creates, renames and removes files in an untrusted notebook folder without following links. */

import { lstatSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { rm, rmdir, unlink } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errnoOf, isTempName } from '../atomicFile.ts';
import { PRIVATE_FOLDER } from '../privateFiles.ts';
import { type OpenFolder, openFolder, withKnownPath } from './openFolder.ts';
import { isOwn, pathOf, placeOf, placeUnder, type Target } from './place.ts';
import { inFolderOf, listFolder, lstatAt, lstatIn, nameOf } from './read.ts';
import { PlaceRefusal } from './refusal.ts';
import { flushFolder } from './replace.ts';

/** Names to remove before yielding to the event loop. */
const NAMES_PER_TURN = 64;
/** No write stays idle this long, so an older temporary file belongs to a dead process. */
const STALE_TEMP_MS = 60_000;

/**
 * Creates a folder with its missing parents, but never the guarded folder itself: a folder that was moved
 * away must not be created again in its place, which would prevent moving it back (NF-44). Cellar's own
 * folders are accessible to their owner only. @throws PlaceRefusal for a link on the way; ENOENT if the
 * guarded folder is missing
 */
export function makeFolderAt(
  target: Target,
  { mode = isOwn(placeOf(target)) ? PRIVATE_FOLDER : undefined }: { readonly mode?: number | undefined } = {},
): void {
  const { root, names } = placeOf(target);
  openFolder(root, names, { make: true, ...(mode === undefined ? {} : { mode }) }).close();
}

/** Removes a file or a link, never the target of a link. A missing file is no error. */
export function removeFile(target: Target): void {
  try {
    inFolderOf(target, (folder, name) => {
      folder.recheck();
      unlinkSync(folder.at(name));
    });
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Removes a file so that it does not reappear after a crash. A missing file is no error. */
export async function removeDurably(target: Target): Promise<void> {
  const place = placeOf(target);
  const name = nameOf(place);
  const folder = openFolder(place.root, place.names.slice(0, -1));
  try {
    folder.recheck();
    rmSync(folder.at(name), { force: true });
    await flushFolder(folder);
  } catch (error) {
    throw withKnownPath(error, folder.at(name), pathOf(target));
  } finally {
    folder.close();
  }
}

/**
 * Removes a folder with these files in it, without holding up the event loop. A missing file is no error.
 * @throws the system's error if the folder contains anything else; it stays then
 */
export async function removeSmallFolder(target: Target, files: readonly string[]): Promise<void> {
  const place = placeOf(target);
  const name = nameOf(place);
  const parent = openFolder(place.root, place.names.slice(0, -1));
  try {
    const folder = openFolder(place.root, place.names);
    try {
      for (const file of files) {
        folder.recheck();
        await unlink(folder.at(file)).catch((error: unknown) => {
          if (errnoOf(error) !== 'ENOENT') throw error;
        });
      }
    } finally {
      folder.close();
    }
    parent.recheck();
    await rmdir(parent.at(name));
  } catch (error) {
    throw withKnownPath(error, parent.at(name), pathOf(target));
  } finally {
    parent.close();
  }
}

/** Removes an empty folder. */
export function removeEmptyFolder(target: Target): void {
  inFolderOf(target, (folder, name) => {
    folder.recheck();
    rmdirSync(folder.at(name));
  });
}

/**
 * Removes whatever is there with everything below it. Links below are removed, their targets are not, and
 * other disks that are mounted below are skipped. A missing target is no error. @throws PlaceRefusal for a
 * link on the way to it
 */
export async function removeTree(target: Target): Promise<void> {
  const place = placeOf(target);
  const name = nameOf(place);
  let folder: OpenFolder;
  try {
    folder = openFolder(place.root, place.names.slice(0, -1));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    const stats = lstatIn(folder, name);
    if (stats === null) return;
    folder.recheck();
    if (!stats.isDirectory()) rmSync(folder.at(name), { force: true });
    // Without folder handles the system's own removal, which follows no links either, is faster and safer.
    else if (process.platform !== 'linux')
      await rm(folder.at(name), { recursive: true, force: true, maxRetries: 3 });
    else {
      await emptyFolder(place.root, { names: place.names, device: stats.dev });
      rmdirSync(folder.at(name));
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw withKnownPath(error, folder.at(name), pathOf(target));
  } finally {
    folder.close();
  }
}

async function emptyFolder(
  root: string,
  { names, device }: { readonly names: readonly string[]; readonly device: number },
): Promise<void> {
  const folder = openFolder(root, names);
  try {
    if (lstatSync(folder.at('.')).dev !== device) {
      throw new PlaceRefusal('other disk', pathOf({ root, names }));
    }
    let count = 0;
    for (const entry of readdirSync(folder.at('.'), { withFileTypes: true })) {
      count += 1;
      if (count % NAMES_PER_TURN === 0) await nextTurn();
      folder.recheck();
      if (entry.isDirectory()) {
        await emptyFolder(root, { names: [...names, entry.name], device });
        folder.recheck();
        rmdirSync(folder.at(entry.name));
      } else rmSync(folder.at(entry.name), { force: true });
    }
  } finally {
    folder.close();
  }
}

/**
 * Moves a file or folder to another place on the same disk; a link itself is moved. An existing target is
 * replaced.
 */
export function moveTo(from: Target, to: Target): void {
  inFolderOf(from, (source, name) => {
    inFolderOf(to, (folder, newName) => {
      source.recheck();
      folder.recheck();
      renameSync(source.at(name), folder.at(newName));
    });
  });
}

/** Renames a file or folder to `<name>.bad`, replacing an earlier one. */
export async function setAside(target: Target): Promise<void> {
  const place = placeOf(target);
  const bad = placeUnder({ ...place, names: place.names.slice(0, -1) }, `${nameOf(place)}.bad`);
  await removeTree(bad);
  moveTo(place, bad);
}

/**
 * Checks, right before another program writes there, that neither a parent nor the target is a link. @returns
 * the path @throws PlaceRefusal
 */
export function checkedPath(target: Target): string {
  const stats = lstatAt(target);
  const path = pathOf(target);
  if (stats?.isSymbolicLink() === true) throw new PlaceRefusal('link', path);
  if (stats !== null && !stats.isFile() && !stats.isDirectory()) throw new PlaceRefusal('not plain', path);
  return path;
}

/**
 * Deletes temporary files of killed processes in a folder (not below it): old ones, and those whose process
 * is dead according to `isDead`. Pass `isDead` only if no other machine writes there. @returns the names
 * removed
 */
export function sweepTemps(
  target: Target,
  options: {
    readonly minAgeMs?: number;
    readonly nowMs?: number;
    readonly isDead?: (pid: number) => boolean;
  } = {},
): readonly string[] {
  const oldest = (options.nowMs ?? Date.now()) - (options.minAgeMs ?? STALE_TEMP_MS);
  const removed: string[] = [];
  for (const { name } of listFolder(target)) {
    if (!isTempName(name)) continue;
    const temp = placeUnder(target, name);
    const stats = lstatAt(temp);
    const pid = /^\.svc-tmp-(\d+)-/.exec(name)?.[1];
    const isLeft = pid !== undefined && options.isDead?.(Number(pid)) === true;
    if (stats === null || (stats.mtimeMs > oldest && !isLeft)) continue;
    removeFile(temp);
    removed.push(name);
  }
  return removed;
}
