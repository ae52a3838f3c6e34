import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, nullIfMissing } from './atomicFile.ts';

/**
 * Creates a folder and its parents, one by one: the system's recursive call never returns for paths below a
 * folder like `/proc`, which refuses new folders with an unusual error. @throws the system's error for the
 * first that cannot be created; ENOTDIR if a file is in the way
 */
export function makeFolders(path: string): void {
  const missing: string[] = [];
  for (let at = path; !isFolder(at); at = dirname(at)) {
    missing.unshift(at);
    if (dirname(at) === at) break;
  }
  for (const one of missing) {
    try {
      mkdirSync(one);
    } catch (error) {
      // Another process created it in the meantime.
      if (errnoOf(error) !== 'EEXIST' || !isFolder(one)) throw error;
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return nullIfMissing(error) !== null;
  }
}
