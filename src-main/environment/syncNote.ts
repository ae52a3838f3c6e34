import { createHash } from 'node:crypto';
import * as z from 'zod';
import { removeFile } from '../lib/guardedFolder/names.ts';
import { type Place, placeIn } from '../lib/guardedFolder/place.ts';
import { isLinkRefusal } from '../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../lib/guardedFolder/replace.ts';
import { readIfThere } from './folder/projectFile.ts';
import { type ProjectFiles, readProjectFiles, writeProjectFiles } from './folder/projectUndo.ts';
import { makeStateFolder } from './folder/stateFolder.ts';
import { parseLock } from './lock/lockText.ts';
import { isMadeFrom, readMarker, venvDir } from './venv/venv.ts';
import { removeLeftovers, restoreVenv, SWAP_DISK, type SwapDisk } from './venv/venvPlaces.ts';

const NOTE = 'sync-in-progress.json';

/**
 * The record of a sync in progress, with which a kill can be undone: the files before the sync, and whether the
 * sync began with an edit of pyproject.toml.
 */
const note = z.object({
  lockBefore: z.string().nullable(),
  projectBefore: z.string().nullable().default(null),
  isEdit: z.boolean().default(false),
  /** Digest of pyproject.toml after the edit; null during the edit. */
  projectAfter: z.string().nullable().default(null),
});

/** Call before the first change. `before`: the current files. */
export async function noteSync(
  dir: string,
  before: ProjectFiles,
  edit: { readonly isEdit: boolean; readonly after?: ProjectFiles } = { isEdit: false },
): Promise<void> {
  await makeStateFolder(dir);
  const content: z.infer<typeof note> = {
    lockBefore: before.lock,
    projectBefore: before.project,
    isEdit: edit.isEdit,
    projectAfter: sha256(edit.after?.project ?? null),
  };
  await replaceFile(notePlace(dir), JSON.stringify(content));
}

/** Call when the sync has ended, successfully or not, and uv.lock is complete. */
export async function forgetSync(dir: string): Promise<void> {
  removeFile(notePlace(dir));
}

/**
 * Repairs the state after a killed sync: puts a complete environment in place, makes the files match it, and removes
 * unfinished ones. Call before reading an environment, under the notebook's writer lock. Usually only one `readdir`.
 * Does nothing when a link is in place of a file it would repair: reading the environment reports it.
 */
export async function recoverEnvironment(dir: string, disk: SwapDisk = SWAP_DISK): Promise<void> {
  try {
    await restoreVenv(dir, disk);
    // The files must match the environment that is in place, so that comes first.
    if ((await readIfThere(notePlace(dir))) !== null) await repairFiles(dir);
    await removeLeftovers(dir, disk);
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
  }
}

/** Keeps an edit whose environment is in place; undoes any other edit, and an incomplete lock. */
async function repairFiles(dir: string): Promise<void> {
  const bytes = await readIfThere(notePlace(dir));
  const before = bytes === null ? null : parseNote(bytes.toString('utf8'));
  const now = await readProjectFiles(dir);
  if (before?.isEdit === true && before.projectBefore !== null) {
    // An edit that someone else made since must be kept.
    const isOurs = before.projectAfter === null || before.projectAfter === sha256(now.project);
    if (!isMadeFrom(await readMarker(venvDir(dir)), now)) {
      const project = isOurs ? before.projectBefore : now.project;
      await writeProjectFiles(dir, { project, lock: before.lockBefore });
    }
  } else if (before !== null && isIncomplete(now.lock)) {
    await writeProjectFiles(dir, { project: now.project, lock: before.lockBefore });
  }
  await forgetSync(dir);
}

function isIncomplete(lock: string | null): boolean {
  return lock !== null && (lock === '' || parseLock(lock) === null);
}

function sha256(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex');
}

function parseNote(text: string): z.infer<typeof note> | null {
  try {
    return note.parse(JSON.parse(text));
  } catch {
    // The note is written atomically, so anything else is not ours and says nothing about the lock.
    return null;
  }
}

function notePlace(dir: string): Place {
  return placeIn(dir, '.svc', NOTE);
}
