import { rmSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { HARNESS_RESULT_FILE, MANIFEST_FILE } from '../../src-shared/wire/harness.ts';
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
      rmSync(join(path, name), { force: true });
    } catch (error) {
      if (!isSystemError(error)) throw error;
    }
  }
  try {
    await rmdir(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    await rm(path, { recursive: true, force: true });
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
