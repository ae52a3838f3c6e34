import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../lib/atomicFile.ts';
import { PRIVATE_FOLDER } from '../lib/privateFiles.ts';

/**
 * Makes `.svc` in a notebook's folder, and never that folder: one that was taken away while something was on its way
 * must not come to lie there anew, or the notebook could not be put back.
 * @returns whether there is a notebook's folder to hold it
 */
export async function makeStateFolder(dir: string): Promise<boolean> {
  try {
    await mkdir(join(dir, '.svc'), { mode: PRIVATE_FOLDER });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return true;
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}
