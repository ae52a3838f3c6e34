import { mkdirSync } from 'node:fs';
import { sep } from 'node:path';
import { errnoOf } from './atomicFile.ts';
import { PRIVATE_FOLDER, STATE_FOLDER } from './privateFiles.ts';

/**
 * Makes a folder for its owner alone with those above it, as far as the `.svc` it lies in; never the notebook's own folder: one that was
 * moved away is not begun anew in its place, which would keep it from being put back (NF-44).
 * @throws ENOENT where the notebook's folder is gone
 */
export function makeFolder(path: string): void {
  const at = `${path}${sep}`.lastIndexOf(`${STATE_FOLDER}${sep}`);
  if (at !== -1) makeOne(path.slice(0, at + STATE_FOLDER.length));
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}
