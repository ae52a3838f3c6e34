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
  await replaceFile(notePlace(dir), JSON.stringify(said));
}

/** Call when the sync has ended, well or not, and uv.lock is whole. */
export async function forgetSync(dir: string): Promise<void> {
  removeFile(notePlace(dir));
}

/**
 * Repairs what a killed sync left: puts a whole environment in place, makes the files fit it, and removes what was
 * being built. Call before reading an environment, under the notebook's writer lock. One `readdir` when all is well.
 * Where a link is in place of what it would repair, nothing is: reading the environment says which.
 */
export async function recoverEnvironment(dir: string, disk: SwapDisk = SWAP_DISK): Promise<void> {
  try {
    await restoreVenv(dir, disk);
    // The files follow the environment that is in place, so it has to be there first.
    if ((await readIfThere(notePlace(dir))) !== null) await repairFiles(dir);
    await removeLeftovers(dir, disk);
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
  }
}

/** An edit whose environment came into place is done; any other is taken back, as is a lock written by halves. */
async function repairFiles(dir: string): Promise<void> {
  const noted = await readIfThere(notePlace(dir));
  const before = noted === null ? null : parsedNote(noted.toString('utf8'));
  const now = await readProjectFiles(dir);
  if (before?.isEdit === true && before.projectBefore !== null) {
    // Somebody else's own edit since is not ours to undo.
    const isOurs = before.projectAfter === null || before.projectAfter === sha256(now.project);
    if (!isMadeFrom(await readMarker(venvDir(dir)), now)) {
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

function notePlace(dir: string): Place {
  return placeIn(dir, '.svc', NOTE);
}
