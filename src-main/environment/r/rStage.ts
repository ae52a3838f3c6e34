/** Replaces a notebook's R library: fills a new one beside the old one and puts it in place together with renv.lock. */

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative } from 'node:path';
import * as z from 'zod';
import { syncDirectory } from '../../lib/atomicFile.ts';
import {
  makeFolderAt,
  moveTo,
  removeDurably,
  removeFile,
  removeTree,
} from '../../lib/guardedFolder/names.ts';
import { type Place, placeIn, placeUnder } from '../../lib/guardedFolder/place.ts';
import { listFolder, lstatAt } from '../../lib/guardedFolder/read.ts';
import { isLinkRefusal } from '../../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { isNamed, ownFolder, ownPath, ownPlace } from '../../notebook/folder/ownPlaces.ts';
import { loadRecord, saveRecord } from '../../notebook/folder/record.ts';
import { readIfThere } from '../folder/projectFile.ts';
import { rLockKey } from './rLock.ts';

/**
 * How an R library is replaced. The new one is filled as `.svc/r-<id>` and takes the place of the old one by two
 * renames, then renv.lock is written. A note records this meanwhile: after a kill at any point {@link recoverR} undoes
 * everything. `init` works in place, in a project without renv; its note records the state before.
 */
interface RStage {
  readonly library: string;
  readonly lock: string;
}

const STAGED = ['stagedR', 'retiredR', 'stagedRLock'] as const;

/** Only below `renv`, because the note may come from another machine. */
function isLibrary(target: string): boolean {
  const names = target.split(/[\\/]/);
  return names[0] === 'renv' && names.length > 1 && !names.includes('..') && !isAbsolute(target);
}

const note = z.object({
  /** Files of the user before the job. */
  lockBefore: z.string().nullable(),
  profileBefore: z.string().nullable(),
  /** The project had no `renv` folder, so the folder is ours. */
  makesFolder: z.boolean(),
  isInit: z.boolean(),
  /** Key of the lock that is about to be written; a lock with another key was written by someone else. */
  lockAfter: z.string().nullable(),
  /** The final place of the library, below the notebook's folder; null while it is filled. */
  target: z.string().refine(isLibrary).nullable(),
  /** Name of the folder with the library that was there before. */
  retired: z
    .string()
    .regex(/^r-[0-9a-f]{8}-old$/)
    .nullable(),
});
type RNote = z.infer<typeof note>;

export function stageOf(dir: NotebookFolder): RStage {
  const id = randomBytes(4).toString('hex');
  return { library: ownPath(dir, 'stagedR', id), lock: ownPath(dir, 'stagedRLock', id) };
}

/** Call before the first change. */
export async function markRChangeStarted(
  dir: NotebookFolder,
  { isInit }: { readonly isInit: boolean },
): Promise<RNote> {
  const before: RNote = {
    lockBefore: await textOf(placeIn(dir, 'renv.lock')),
    profileBefore: await textOf(placeIn(dir, '.Rprofile')),
    makesFolder: lstatAt(placeIn(dir, 'renv')) === null,
    isInit,
    lockAfter: null,
    target: null,
    retired: null,
  };
  await saveRecord(notePlace(dir), before, { makesFolder: true });
  return before;
}

/** Copies the current library to the stage, so that only differences are installed. */
export async function seedStage({ library }: RStage, from: string): Promise<void> {
  makeFolderAt(library);
  if (lstatAt(from) === null) return;
  await cp(from, library, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    // Skips what a killed install left, and our own marker.
    filter: (path) => path === from || dirname(path) !== from || !/^(?:00LOCK|\.)/.test(basename(path)),
  });
}

/** Puts the library and the lock in place together. `lock`: its new text; null: unchanged. */
export async function placeStage(
  dir: NotebookFolder,
  stage: RStage,
  placement: { readonly note: RNote; readonly target: string; readonly lock: string | null },
): Promise<void> {
  const target = relative(dir, placement.target);
  if (target === '' || target.startsWith('..') || isAbsolute(target)) {
    throw new Error(`renv stores this project's library outside its folder (${placement.target}).`);
  }
  const retired = `${basename(stage.library)}-old`;
  const lockAfter = placement.lock === null ? null : rLockKey(placement.lock);
  const content: RNote = { ...placement.note, target, retired, lockAfter };
  await saveRecord(notePlace(dir), content);
  const place = placeIn(dir, target);
  makeFolderAt({ ...place, names: place.names.slice(0, -1) });
  if (lstatAt(place) !== null) moveTo(place, placeUnder(ownFolder(dir), retired));
  moveTo(stage.library, place);
  await syncDirectory(dirname(placement.target));
  if (placement.lock !== null) await replaceFile(placeIn(dir, 'renv.lock'), placement.lock);
  removeFile(notePlace(dir));
}

/** Completes a successful `init`: the lock is written last. */
export async function finishInit(dir: NotebookFolder, lock: string): Promise<void> {
  await replaceFile(placeIn(dir, 'renv.lock'), lock);
  removeFile(notePlace(dir));
}

/**
 * Undoes an unfinished job and removes its leftovers; usually only a few system calls. Call before
 * reading an environment and after a job, under the notebook's writer lock.
 */
export async function recoverR(dir: NotebookFolder): Promise<void> {
  const folder = ownFolder(dir);
  try {
    const names = listFolder(folder).map(({ name }) => name);
    if (names.some((name) => isNamed('rNote', name))) await takeBack(dir);
    const leftovers = names.filter((name) => STAGED.some((kind) => isNamed(kind, name)));
    await Promise.all(leftovers.map((name) => removeTree(placeUnder(folder, name))));
  } catch (error) {
    // A link is in place of a file to restore: reading the environment reports it.
    if (!isLinkRefusal(error)) throw error;
  }
}

async function takeBack(dir: NotebookFolder): Promise<void> {
  const { value: content } = await loadRecord(notePlace(dir), note);
  if (content !== null) {
    if (content.target !== null && content.retired !== null) {
      const retired = placeUnder(ownFolder(dir), content.retired);
      if (lstatAt(retired) !== null) {
        await removeTree(placeIn(dir, content.target));
        moveTo(retired, placeIn(dir, content.target));
      }
    }
    const lockNow = await textOf(placeIn(dir, 'renv.lock'));
    const isOurs = lockNow !== null && content.lockAfter === rLockKey(lockNow);
    if (content.isInit || isOurs) await putBack(placeIn(dir, 'renv.lock'), content.lockBefore);
    if (content.isInit) {
      await putBack(placeIn(dir, '.Rprofile'), content.profileBefore);
      if (content.makesFolder) await removeTree(placeIn(dir, 'renv'));
    }
  }
  removeFile(notePlace(dir));
}

async function putBack(place: Place, text: string | null): Promise<void> {
  if ((await textOf(place)) === text) return;
  if (text === null) await removeDurably(place);
  else await replaceFile(place, text);
}

async function textOf(place: Place): Promise<string | null> {
  return (await readIfThere(place))?.toString('utf8') ?? null;
}

function notePlace(dir: NotebookFolder): Place {
  return ownPlace(dir, 'rNote');
}
