import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { errnoOf, removeFileDurably, syncDirectory, writeFileAtomic } from '../lib/atomicFile.ts';
import { parseLock } from './lockText.ts';
import { readIfThere } from './projectFile.ts';
import { makeStateFolder } from './stateFolder.ts';
import { hasInterpreter, readMarker, venvDir } from './venv.ts';

/**
 * How an environment is replaced. The new one is built as `.svc/venv-<id>`, marked complete by its marker file, and
 * takes the place of `.venv` by two renames: `.venv` → `.svc/venv-<id>-old`, `.svc/venv-<id>` → `.venv`. Killed
 * anywhere, what `.venv` held before or the complete new one is still there, and `recoverEnvironment` puts it back.
 */

const STAGED = /^venv-[0-9a-f]{8}$/;
const RETIRED = /^venv-[0-9a-f]{8}-old$/;

/** What a sync in progress leaves, so that a kill in the middle can be undone. */
const note = z.object({ lockBefore: z.string().nullable() });

export function stagedVenv(dir: string, id: string): string {
  return join(dir, '.svc', `venv-${id}`);
}

/** Call before the first change. `lockBefore`: the text of uv.lock, null when there is none. */
export async function noteSync(dir: string, lockBefore: string | null): Promise<void> {
  await makeStateFolder(dir);
  await writeFileAtomic(notePath(dir), JSON.stringify({ lockBefore }));
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
  if (names.includes(basename(notePath(dir)))) await repairLock(dir);
  if (staged.length === 0 && retired.length === 0) return;
  if (!(await exists(venvDir(dir)))) {
    const complete = await firstThat([...staged, ...retired], isComplete);
    const whole = complete ?? (await firstThat(retired, hasInterpreter));
    if (whole !== null) await rename(whole, venvDir(dir));
  }
  await Promise.all([...staged, ...retired].map((path) => rm(path, { recursive: true, force: true })));
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

async function repairLock(dir: string): Promise<void> {
  const noted = await readIfThere(notePath(dir));
  const path = join(dir, 'uv.lock');
  const lock = await readIfThere(path);
  const torn = lock !== null && (lock.length === 0 || parseLock(lock.toString('utf8')) === null);
  const before = noted === null ? null : parsedNote(noted.toString('utf8'));
  if (torn && before !== null) {
    if (before.lockBefore === null) await removeFileDurably(path);
    else await writeFileAtomic(path, before.lockBefore);
  }
  await forgetSync(dir);
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
  return (await stat(path).catch(() => null)) !== null;
}

function notePath(dir: string): string {
  return join(dir, '.svc', 'sync-in-progress.json');
}
