import { sep } from 'node:path';
import { OWN_FOLDER } from './guardedFolder/place.ts';

/** The permissions of Cellar's own files (state, results, copies, logs): they are accessible to their owner only. */
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** Whether a path is in Cellar's own folder. */
export function isInStateFolder(path: string): boolean {
  return path.includes(`${sep}${OWN_FOLDER}${sep}`);
}
