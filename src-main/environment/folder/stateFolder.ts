import { errnoOf } from '../../lib/atomicFile.ts';
import { makeFolderAt } from '../../lib/guardedFolder/names.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';

/**
 * Makes `.svc` in a notebook's folder, and never that folder: one that was taken away while something was on its way
 * must not come to lie there anew, or the notebook could not be put back.
 * @returns whether there is a notebook's folder to hold it
 * @throws PlaceRefusal where a link or a file is in its place
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
