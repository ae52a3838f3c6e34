/** Makes and removes the temporary folder in which the process of a cell leaves its results. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { HARNESS_RESULT_FILE, MANIFEST_FILE } from '../../src-shared/wire/harness.ts';
import { removeSmallFolder, removeTree } from '../lib/guardedFolder/names.ts';
import { makePrivateFolder } from '../lib/makePrivateFolder.ts';

/** Makes the folder for the results of one process of a cell. */
export function makeScratch(path: string): void {
  makePrivateFolder(path);
}

/**
 * Removes the folder. Usually only the two files of every run remain, which are removed at once; files that the cell
 * wrote may be many and large.
 */
export async function removeScratch(path: string): Promise<void> {
  // The frames about the run go first.
  await nextTurn();
  try {
    await removeSmallFolder(path, [MANIFEST_FILE, HARNESS_RESULT_FILE]);
  } catch (error) {
    // The cell has put more there, or a folder in the place of a file.
    if (!isSystemError(error)) throw error;
    await removeTree(path);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
