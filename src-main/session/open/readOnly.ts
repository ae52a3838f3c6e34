/**
 * Folders that can be read but not written: on a read-only disk, without the permission, or open in another
 * Cellar on another machine that shares it. Such a folder opens for reading, as an untrusted one does, and
 * shows the reason.
 */

import { AppError } from '../../../src-shared/wire/errors.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { ownName } from '../../notebook/folder/ownPlaces.ts';
import { HeldElsewhere, type WriterClaim } from './writerClaim.ts';

const LOCKED: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM']);

/**
 * Takes the folder for writing. @returns the reason it is read-only, for the banner and every refusal; null:
 * it is taken
 */
export async function whyReadOnly(dir: NotebookFolder, claim: WriterClaim): Promise<string | null> {
  try {
    await claim.take();
    return null;
  } catch (error) {
    if (error instanceof HeldElsewhere) {
      return `This notebook is open in Cellar on ${error.host}, so it is read-only here. You can view code and results, but not edit or run cells. Close it there, then reopen it here. If that machine is gone, delete ${ownName('writerLock')} in the notebook folder.`;
    }
    if (!LOCKED.has(errnoOf(error) ?? '')) throw error;
    return `The folder ${dir} is not writable, so this notebook is read-only. You can view code and results, but not edit or run cells. Change the permissions, or copy the folder to a writable disk, then reopen it.`;
  }
}

/** A claim that always fails. */
export function refusedClaim(message: string): WriterClaim {
  return {
    isTaken: () => false,
    take: () => Promise.reject(new AppError('read_only', message)),
    release: async () => undefined,
  };
}
