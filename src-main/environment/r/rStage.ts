import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import * as z from 'zod';
import { syncDirectory } from '../../lib/atomicFile.ts';
import {
  makeFolderAt,
  moveTo,
  removeDurably,
  removeFile,
  removeTree,
} from '../../lib/guardedFolder/names.ts';
import { type Place, placeIn, under } from '../../lib/guardedFolder/place.ts';
import { listFolder, lookAt } from '../../lib/guardedFolder/read.ts';
import { isLinkRefusal } from '../../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { readIfThere } from '../folder/projectFile.ts';
import { makeStateFolder } from '../folder/stateFolder.ts';
import { rLockKey } from './rLock.ts';

/**
 * How a library of R is replaced. The new one is filled as `.svc/r-<id>` and takes the place of the old one by two
 * renames, then renv.lock is written. A note tells of it meanwhile: killed anywhere, {@link recoverR} takes all of it
 * back. `init` works in place, on a project that had no renv; its note says what was there.
 */
export interface RStage {
  readonly library: string;
  readonly lock: string;
}

const NOTE = 'r-in-progress.json';
const STAGED = /^r-[0-9a-f]{8}(?:-old|\.lock)?$/;

/** Below `renv`, and nowhere else: the note may come from another machine. */
function isLibrary(target: string): boolean {
  const names = target.split(/[\\/]/);
  return names[0] === 'renv' && names.length > 1 && !names.includes('..') && !isAbsolute(target);
}

const note = z.object({
  /** Files a person has, as they were. */
  lockBefore: z.string().nullable(),
  profileBefore: z.string().nullable(),
  /** The project had no `renv` folder: what is there is ours. */
  makesFolder: z.boolean(),
  isInit: z.boolean(),
  /** Key of the lock that is about to be written; another one since is somebody else's. */
  lockAfter: z.string().nullable(),
  /** Where the library belongs, below the notebook's folder; null while it is being filled. */
  target: z.string().refine(isLibrary).nullable(),
  /** What was there, beside. */
  retired: z
    .string()
    .regex(/^r-[0-9a-f]{8}-old$/)
    .nullable(),
});
export type RNote = z.infer<typeof note>;

export function stageOf(dir: string): RStage {
  const staged = join(dir, '.svc', `r-${randomBytes(4).toString('hex')}`);
  return { library: staged, lock: `${staged}.lock` };
}

/** Call before the first change. */
export async function noteR(dir: string, { isInit }: { readonly isInit: boolean }): Promise<RNote> {
  await makeStateFolder(dir);
  const before: RNote = {
    lockBefore: await textOf(placeIn(dir, 'renv.lock')),
    profileBefore: await textOf(placeIn(dir, '.Rprofile')),
    makesFolder: lookAt(placeIn(dir, 'renv')) === null,
    ...{ isInit, lockAfter: null, target: null, retired: null },
  };
  await replaceFile(notePlace(dir), JSON.stringify(before));
  return before;
}

/** The staged library begins as what is there, so that only what differs is installed. */
export async function seedStage({ library }: RStage, from: string): Promise<void> {
  makeFolderAt(library);
  if (lookAt(from) === null) return;
  await cp(from, library, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    // What an install that was killed left, and our own marker.
    filter: (path) => path === from || dirname(path) !== from || !/^(?:00LOCK|\.)/.test(basename(path)),
  });
}

/** Puts library and lock in place together. `lock`: the new one's text; null: it stays. */
export async function placeStage(
  dir: string,
  stage: RStage,
  placed: { readonly note: RNote; readonly target: string; readonly lock: string | null },
): Promise<void> {
  const target = relative(dir, placed.target);
  if (target === '' || target.startsWith('..') || isAbsolute(target)) {
    throw new Error(`renv stores this project's library outside its folder (${placed.target}).`);
  }
  const retired = `${basename(stage.library)}-old`;
  const lockAfter = placed.lock === null ? null : rLockKey(placed.lock);
  const said: RNote = { ...placed.note, target, retired, lockAfter };
  await replaceFile(notePlace(dir), JSON.stringify(said));
  const place = placeIn(dir, target);
  makeFolderAt({ ...place, names: place.names.slice(0, -1) });
  if (lookAt(place) !== null) moveTo(place, placeIn(dir, '.svc', retired));
  moveTo(stage.library, place);
  await syncDirectory(dirname(placed.target));
  if (placed.lock !== null) await replaceFile(placeIn(dir, 'renv.lock'), placed.lock);
  removeFile(notePlace(dir));
}

/** Of an `init` that went well: the lock is written last. */
export async function finishInit(dir: string, lock: string): Promise<void> {
  await replaceFile(placeIn(dir, 'renv.lock'), lock);
  removeFile(notePlace(dir));
}

/**
 * Takes back what has not ended and removes what lies about of it; a few system calls when all is well. Call before
 * reading an environment, and when a job has ended, under the notebook's writer lock.
 */
export async function recoverR(dir: string): Promise<void> {
  const folder = placeIn(dir, '.svc');
  try {
    const names = listFolder(folder).map(({ name }) => name);
    if (names.includes(NOTE)) await takeBack(dir);
    const left = names.filter((name) => STAGED.test(name));
    await Promise.all(left.map((name) => removeTree(under(folder, name))));
  } catch (error) {
    // A link is in place of what it would take back: what reads the environment says which.
    if (!isLinkRefusal(error)) throw error;
  }
}

async function takeBack(dir: string): Promise<void> {
  const said = noteOf(await textOf(notePlace(dir)));
  if (said !== null) {
    if (said.target !== null && said.retired !== null) {
      const retired = placeIn(dir, '.svc', said.retired);
      if (lookAt(retired) !== null) {
        await removeTree(placeIn(dir, said.target));
        moveTo(retired, placeIn(dir, said.target));
      }
    }
    const lockNow = await textOf(placeIn(dir, 'renv.lock'));
    const isOurs = lockNow !== null && said.lockAfter === rLockKey(lockNow);
    if (said.isInit || isOurs) await putBack(placeIn(dir, 'renv.lock'), said.lockBefore);
    if (said.isInit) {
      await putBack(placeIn(dir, '.Rprofile'), said.profileBefore);
      if (said.makesFolder) await removeTree(placeIn(dir, 'renv'));
    }
  }
  removeFile(notePlace(dir));
}

async function putBack(place: Place, text: string | null): Promise<void> {
  if ((await textOf(place)) === text) return;
  if (text === null) await removeDurably(place);
  else await replaceFile(place, text);
}

function noteOf(text: string | null): RNote | null {
  try {
    return note.parse(JSON.parse(text ?? ''));
  } catch {
    // Written whole or not at all; anything else is not ours.
    return null;
  }
}

async function textOf(place: Place): Promise<string | null> {
  return (await readIfThere(place))?.toString('utf8') ?? null;
}

function notePlace(dir: string): Place {
  return placeIn(dir, '.svc', NOTE);
}
