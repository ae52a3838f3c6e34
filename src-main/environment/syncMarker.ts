/** Records on disk that a sync of a notebook's environment is in progress, and undoes or completes it after a crash. */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { removeFile } from '../lib/guardedFolder/names.ts';
import type { Place } from '../lib/guardedFolder/place.ts';
import { isLinkRefusal } from '../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { ownPlace } from '../notebook/folder/ownPlaces.ts';
import { loadRecord, saveRecord } from '../notebook/folder/record.ts';
import { type ProjectFiles, readProjectFiles, writeProjectFiles } from './folder/projectUndo.ts';
import { parseLock } from './lock/lockText.ts';
import { isMadeFrom, readMarker, venvDir } from './venv/venv.ts';
import { removeLeftovers, restoreVenv, SWAP_DISK, type SwapDisk } from './venv/venvPlaces.ts';

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
export async function markSyncStarted(
  dir: NotebookFolder,
  before: ProjectFiles,
  edit: { readonly isEdit: boolean; readonly after?: ProjectFiles } = { isEdit: false },
): Promise<void> {
  const content: z.infer<typeof note> = {
    lockBefore: before.lock,
    projectBefore: before.project,
    isEdit: edit.isEdit,
    projectAfter: sha256(edit.after?.project ?? null),
  };
  await saveRecord(notePlace(dir), content, { makesFolder: true });
}

/** Call when the sync has ended, successfully or not, and uv.lock is complete. */
export async function markSyncEnded(dir: NotebookFolder): Promise<void> {
  removeFile(notePlace(dir));
}

/**
 * Repairs the state after a killed sync: puts a complete environment in place, makes the files match it, and removes
 * unfinished ones. Call before reading an environment, under the notebook's writer lock. Usually only one `readdir`.
 * Does nothing when a link is in place of a file it would repair: reading the environment reports it.
 */
export async function recoverEnvironment(dir: NotebookFolder, disk: SwapDisk = SWAP_DISK): Promise<void> {
  try {
    await restoreVenv(dir, disk);
    // The files must match the environment that is in place, so that comes first.
    const { value: before } = await loadRecord(notePlace(dir), note);
    if (before !== null) await repairFiles(dir, before);
    await removeLeftovers(dir, disk);
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
  }
}

/** Keeps an edit whose environment is in place; undoes any other edit, and an incomplete lock. */
async function repairFiles(dir: NotebookFolder, before: z.infer<typeof note>): Promise<void> {
  const now = await readProjectFiles(dir);
  if (before.isEdit && before.projectBefore !== null) {
    // An edit that someone else made since must be kept.
    const isOurs = before.projectAfter === null || before.projectAfter === sha256(now.project);
    if (!isMadeFrom(await readMarker(venvDir(dir)), now)) {
      const project = isOurs ? before.projectBefore : now.project;
      await writeProjectFiles(dir, { project, lock: before.lockBefore });
    }
  } else if (isIncomplete(now.lock)) {
    await writeProjectFiles(dir, { project: now.project, lock: before.lockBefore });
  }
  await markSyncEnded(dir);
}

function isIncomplete(lock: string | null): boolean {
  return lock !== null && (lock === '' || parseLock(lock) === null);
}

function sha256(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex');
}

function notePlace(dir: NotebookFolder): Place {
  return ownPlace(dir, 'syncNote');
}
