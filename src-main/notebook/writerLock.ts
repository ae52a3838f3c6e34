/** The lock that makes one process at a time the writer of a notebook's folder. */

import { existsSync } from 'node:fs';
import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { makeFolderAt } from '../lib/guardedFolder/names.ts';
import { pathOf } from '../lib/guardedFolder/place.ts';
import { isLinkRefusal } from '../lib/guardedFolder/refusal.ts';
import { type Lock, NoLockFileError, takeLock } from '../lib/lockFile.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';
import { ownFolder, ownPath } from './folder/ownPlaces.ts';

/** The held lock. `.svc/writer.lock` names the process. */
type Writer = Lock;

/**
 * Refuses a `.svc` that is a link. Runs delete and create files in it without asking, and an untrusted folder may
 * contain a link instead, which would redirect that to the user's own files.
 */
function refuseLink(folder: string, error: unknown): never {
  if (!isLinkRefusal(error)) throw error;
  throw new AppError(
    'bad_request',
    `${folder} is a link. Cellar deletes files there, so it must be a real folder. Remove the link.`,
  );
}

/**
 * Takes the folder for writing, or throws with its holder. A session of this process holds it like any other.
 * A folder that was just deleted is not created again. @throws AppError bad_request if `.svc` is a link or
 * the lock is not a file, not_found if there is no folder (any more)
 */
export async function acquireWriter(dir: NotebookFolder): Promise<Writer> {
  try {
    return await take(dir);
  } catch (error) {
    if (error instanceof NoLockFileError) throw new AppError('bad_request', error.message);
    if (errnoOf(error) !== 'ENOENT' || existsSync(dir)) throw error;
    throw new AppError(
      'not_found',
      `The folder ${dir} does not exist. It may have just been moved or deleted.`,
    );
  }
}

async function take(dir: NotebookFolder): Promise<Writer> {
  const folder = ownFolder(dir);
  try {
    makeFolderAt(folder);
  } catch (error) {
    refuseLink(pathOf(folder), error);
  }
  return takeLock(ownPath(dir, 'writerLock'));
}
