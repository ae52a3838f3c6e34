import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { HARNESS_RESULT_FILE, MANIFEST_FILE } from '../../src-shared/wire/harness.ts';
import { removeEmptyFolder, removeFile, removeTree } from '../lib/guardedFolder/names.ts';
import { makeFolder } from '../lib/makeFolder.ts';

/** The folder one process of a cell leaves its results in. */
export function makeScratch(path: string): void {
  makeFolder(path);
}

/** Mostly nothing is left but the two files of every run; what a cell wrote there itself may be many and large. */
export async function removeScratch(path: string): Promise<void> {
  // What is told of the run goes first.
  await turn();
  for (const name of [MANIFEST_FILE, HARNESS_RESULT_FILE]) {
    // A folder of that name is the cell's own doing, and goes with the rest.
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
