import { createHash } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { errnoOf, nullIfMissing, syncDirectory, writeFileAtomic } from '../lib/atomicFile.ts';
import { parseLock } from './lockText.ts';
import { readIfThere } from './projectFile.ts';
import { type ProjectFiles, readProjectFiles, writeProjectFiles } from './projectUndo.ts';
import { makeStateFolder } from './stateFolder.ts';
import { hasInterpreter, readMarker, venvDir } from './venv.ts';

/**
 * How an environment is replaced. The new one is built as `.svc/venv-<id>`, marked complete by its marker file, and
 * takes the place of `.venv` by two renames: `.venv` → `.svc/venv-<id>-old`, `.svc/venv-<id>` → `.venv`. Killed
 * anywhere, what `.venv` held before or the complete new one is still there, and `recoverEnvironment` puts it back.
 */

const STAGED = /^venv-[0-9a-f]{8}$/;
const RETIRED = /^venv-[0-9a-f]{8}-old$/;

/**
 * What a sync in progress leaves, so that a kill in the middle can be undone: the files as they were, and whether the
 * sync began with an edit of pyproject.toml that goes with it.
 */
const note = z.object({
  lockBefore: z.string().nullable(),
  projectBefore: z.string().nullable().default(null),
  isEdit: z.boolean().default(false),
  /** Digest of pyproject.toml as the edit left it; null while it is being made. */
  projectAfter: z.string().nullable().default(null),
});

export function stagedVenv(dir: string, id: string): string {
  return join(dir, '.svc', `venv-${id}`);
}

/** Call before the first change. `before`: the files as they are now. */
export async function noteSync(
  dir: string,
  before: ProjectFiles,
  edit: { readonly isEdit: boolean; readonly after?: ProjectFiles } = { isEdit: false },
): Promise<void> {
  await makeStateFolder(dir);
  const said: z.infer<typeof note> = {
    lockBefore: before.lock,
    projectBefore: before.project,
    isEdit: edit.isEdit,
    projectAfter: sha256(edit.after?.project ?? null),
  };
  await writeFileAtomic(notePath(dir), JSON.stringify(said));
}

/** Call when the sync has ended, well or not, and uv.lock is whole. */
export async function forgetSync(dir: string): Promise<void> {
  await rm(notePath(dir), { force: true });
}

/** Puts the finished environment in place. The one before stays beside it for {@link sweepRetired}. */
export async function swapIn(dir: string, id: string): Promise<void> {
  const target = venvDir(dir);
  const retired = `${stagedVenv(dir, id)}-old`;
  const hadOld = await moved(target, retired);
  try {
    await rename(stagedVenv(dir, id), target);
  } catch (error) {
    if (hadOld) await rename(retired, target);
    throw error;
  }
  await syncDirectory(dir);
}

/** Undoes {@link swapIn} when what was put in place turns out not to work. */
export async function swapBack(dir: string, id: string): Promise<void> {
  await rename(venvDir(dir), stagedVenv(dir, id));
  await moved(`${stagedVenv(dir, id)}-old`, venvDir(dir));
}

/**
 * Repairs what a killed sync left: finishes or undoes a half-done swap, restores a torn uv.lock, removes what was
 * being built. Call before reading an environment, under the notebook's writer lock. One `readdir` when all is well.
 */
export async function recoverEnvironment(dir: string): Promise<void> {
  const folder = join(dir, '.svc');
  const names = await namesIn(folder);
  const staged = names.filter((name) => STAGED.test(name)).map((name) => join(folder, name));
  const retired = names.filter((name) => RETIRED.test(name)).map((name) => join(folder, name));
  const replaced = [...staged, ...retired];
  if (replaced.length > 0 && !(await exists(venvDir(dir)))) {
    const complete = await firstThat(replaced, isComplete);
    const whole = complete ?? (await firstThat(retired, hasInterpreter));
    if (whole !== null) await rename(whole, venvDir(dir));
  }
  // The files follow the environment that is in place, so it has to be there first.
  if (names.includes(basename(notePath(dir)))) await repairFiles(dir);
  await Promise.all(replaced.map((path) => rm(path, { recursive: true, force: true })));
}

/** Removes environments that were replaced. Deleting a large one takes a moment, so nobody waits for it. */
export async function sweepRetired(dir: string): Promise<void> {
  const folder = join(dir, '.svc');
  const names = await namesIn(folder);
  await Promise.all(
    names
      .filter((name) => RETIRED.test(name))
      .map((name) => rm(join(folder, name), { recursive: true, force: true })),
  );
}

/** An edit whose environment came into place is done; any other is taken back, as is a lock written by halves. */
async function repairFiles(dir: string): Promise<void> {
  const noted = await readIfThere(notePath(dir));
  const before = noted === null ? null : parsedNote(noted.toString('utf8'));
  const now = await readProjectFiles(dir);
  if (before?.isEdit === true && before.projectBefore !== null) {
    // Somebody else's own edit since is not ours to undo.
    const isOurs = before.projectAfter === null || before.projectAfter === sha256(now.project);
    if (!(await isBuiltFrom(dir, now))) {
      const project = isOurs ? before.projectBefore : now.project;
      await writeProjectFiles(dir, { project, lock: before.lockBefore });
    }
  } else if (before !== null && isTorn(now.lock)) {
    await writeProjectFiles(dir, { project: now.project, lock: before.lockBefore });
  }
  await forgetSync(dir);
}

function isTorn(lock: string | null): boolean {
  return lock !== null && (lock === '' || parseLock(lock) === null);
}

/** Whether the environment in place was made from these very files. */
async function isBuiltFrom(dir: string, { project, lock }: ProjectFiles): Promise<boolean> {
  const marker = await readMarker(venvDir(dir));
  return marker !== null && marker.pyprojectSha256 === sha256(project) && marker.lockSha256 === sha256(lock);
}

function sha256(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex');
}

function parsedNote(text: string): z.infer<typeof note> | null {
  try {
    return note.parse(JSON.parse(text));
  } catch {
    // Written whole or not at all; anything else is not ours and says nothing about the lock.
    return null;
  }
}

async function isComplete(venv: string): Promise<boolean> {
  return (await readMarker(venv)) !== null && (await hasInterpreter(venv));
}

async function firstThat(
  paths: readonly string[],
  test: (path: string) => Promise<boolean>,
): Promise<string | null> {
  for (const path of paths) if (await test(path)) return path;
  return null;
}

/** @returns false when there was nothing to move */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Without a `.svc` folder there is nothing to repair. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(nullIfMissing)) !== null;
}

function notePath(dir: string): string {
  return join(dir, '.svc', 'sync-in-progress.json');
}
