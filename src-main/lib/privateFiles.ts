import { sep } from 'node:path';

/** The folder beside a notebook in which Cellar keeps what is its own. */
export const STATE_FOLDER = `${sep}.svc`;

/** What Cellar keeps for itself (state, results, copies, logs) is for its owner alone. */
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** Whether a path is in a folder that Cellar keeps for itself. */
export function isInStateFolder(path: string): boolean {
  return path.includes(`${STATE_FOLDER}${sep}`);
}
