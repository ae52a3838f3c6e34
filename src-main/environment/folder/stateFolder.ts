import { errnoOf } from '../../lib/atomicFile.ts';
import { makeFolderAt } from '../../lib/guardedFolder/names.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';

/**
 * Creates `.svc` in a notebook's folder, but never that folder itself: when it was removed during a job, it must not
 * come back, or the notebook could not be restored in its place.
 * @returns whether the notebook's folder exists
 * @throws PlaceRefusal when a link or a file is in its place
 */
export async function makeStateFolder(dir: string): Promise<boolean> {
  try {
    makeFolderAt(placeIn(dir, '.svc'));
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}
