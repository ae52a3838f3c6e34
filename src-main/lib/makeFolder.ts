import { mkdirSync } from 'node:fs';
import { sep } from 'node:path';
import { errnoOf } from './atomicFile.ts';

const OWN = `${sep}.svc`;

/**
 * Makes a folder with those above it, as far as the `.svc` it lies in; never the notebook's own folder: one that was
 * moved away is not begun anew in its place, which would keep it from being put back (NF-44).
 * @throws ENOENT where the notebook's folder is gone
 */
export function makeFolder(path: string): void {
  const at = `${path}${sep}`.lastIndexOf(`${OWN}${sep}`);
  if (at !== -1) makeOne(path.slice(0, at + OWN.length));
  mkdirSync(path, { recursive: true });
}

function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}
