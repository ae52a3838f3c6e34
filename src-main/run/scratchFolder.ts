import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { HARNESS_RESULT_FILE, MANIFEST_FILE } from '../../src-shared/wire/harness.ts';
import { removeEmptyFolder, removeFile, removeTree } from '../lib/guardedFolder/names.ts';
import { makeFolder } from '../lib/makeFolder.ts';

/** The folder for the results of one process of a cell. */
export function makeScratch(path: string): void {
  makeFolder(path);
}

/** Usually only the two files of every run remain; files that the cell wrote may be many and large. */
export async function removeScratch(path: string): Promise<void> {
  // The frames about the run go first.
  await turn();
  for (const name of [MANIFEST_FILE, HARNESS_RESULT_FILE]) {
    // A folder of that name was made by the cell, and is deleted with the rest.
    try {
      removeFile(join(path, name));
    } catch (error) {
      if (!isSystemError(error)) throw error;
    }
  }
  try {
    removeEmptyFolder(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    await removeTree(path);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
