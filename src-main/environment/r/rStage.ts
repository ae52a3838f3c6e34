import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import * as z from 'zod';
import { nullIfMissing, removeFileDurably, syncDirectory, writeFileAtomic } from '../../lib/atomicFile.ts';
import { readIfThere } from '../projectFile.ts';
import { makeStateFolder } from '../stateFolder.ts';
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

const STAGED = /^r-[0-9a-f]{8}(?:-old|\.lock)?$/;

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
  target: z.string().nullable(),
  /** What was there, beside. */
  retired: z.string().nullable(),
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
    lockBefore: await textOf(join(dir, 'renv.lock')),
    profileBefore: await textOf(join(dir, '.Rprofile')),
    makesFolder: !(await exists(join(dir, 'renv'))),
    ...{ isInit, lockAfter: null, target: null, retired: null },
  };
  await writeFileAtomic(notePath(dir), JSON.stringify(before));
  return before;
}

/** The staged library begins as what is there, so that only what differs is installed. */
export async function seedStage({ library }: RStage, from: string): Promise<void> {
  await mkdir(library, { recursive: true });
  if (!(await exists(from))) return;
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
    throw new Error(`renv keeps this project's library outside its folder (${placed.target}).`);
  }
  const retired = `${basename(stage.library)}-old`;
  const lockAfter = placed.lock === null ? null : rLockKey(placed.lock);
  const said: RNote = { ...placed.note, target, retired, lockAfter };
  await writeFileAtomic(notePath(dir), JSON.stringify(said));
  await mkdir(dirname(placed.target), { recursive: true });
  if (await exists(placed.target)) await rename(placed.target, join(dir, '.svc', retired));
  await rename(stage.library, placed.target);
  await syncDirectory(dirname(placed.target));
  if (placed.lock !== null) await writeFileAtomic(join(dir, 'renv.lock'), placed.lock);
  await rm(notePath(dir), { force: true });
}

/** Of an `init` that went well: the lock is written last. */
export async function finishInit(dir: string, lock: string): Promise<void> {
  await writeFileAtomic(join(dir, 'renv.lock'), lock);
  await rm(notePath(dir), { force: true });
}

/**
 * Takes back what has not ended and removes what lies about of it; a few system calls when all is well. Call before
 * reading an environment, and when a job has ended, under the notebook's writer lock.
 */
export async function recoverR(dir: string): Promise<void> {
  const folder = join(dir, '.svc');
  const names = await readdir(folder).catch(() => [] as string[]);
  if (names.includes(basename(notePath(dir)))) await takeBack(dir);
  const left = names.filter((name) => STAGED.test(name));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

async function takeBack(dir: string): Promise<void> {
  const said = noteOf(await textOf(notePath(dir)));
  if (said !== null) {
    if (said.target !== null && said.retired !== null) {
      const retired = join(dir, '.svc', said.retired);
      if (await exists(retired)) {
        await rm(join(dir, said.target), { recursive: true, force: true });
        await rename(retired, join(dir, said.target));
      }
    }
    const lockNow = await textOf(join(dir, 'renv.lock'));
    const isOurs = lockNow !== null && said.lockAfter === rLockKey(lockNow);
    if (said.isInit || isOurs) await putBack(join(dir, 'renv.lock'), said.lockBefore);
    if (said.isInit) {
      await putBack(join(dir, '.Rprofile'), said.profileBefore);
      if (said.makesFolder) await rm(join(dir, 'renv'), { recursive: true, force: true });
    }
  }
  await rm(notePath(dir), { force: true });
}

async function putBack(path: string, text: string | null): Promise<void> {
  if ((await textOf(path)) === text) return;
  if (text === null) await removeFileDurably(path);
  else await writeFileAtomic(path, text);
}

function noteOf(text: string | null): RNote | null {
  try {
    return note.parse(JSON.parse(text ?? ''));
  } catch {
    // Written whole or not at all; anything else is not ours.
    return null;
  }
}

async function textOf(path: string): Promise<string | null> {
  return (await readIfThere(path))?.toString('utf8') ?? null;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(nullIfMissing)) !== null;
}

function notePath(dir: string): string {
  return join(dir, '.svc', 'r-in-progress.json');
}
