import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, nullIfMissing } from './atomicFile.ts';

/**
 * Makes a folder and those above it, one by one: asked to do it by itself, the system's recursive call never ends below
 * a folder that takes nothing and says so oddly (`/proc`).
 * @throws what the system says of the first that cannot be made; ENOTDIR where a file is in the way
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
      // Somebody else made it meanwhile.
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
