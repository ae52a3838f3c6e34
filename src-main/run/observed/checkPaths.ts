/** Reads the current state of the files and folders that runs used, to check whether stored results still answer. */

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { OWN_FOLDER } from '../../lib/guardedFolder/place.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { FileFact } from './observation.ts';
import type { PathState } from './pathState.ts';

/** Larger files are compared by size and time only, as in the harness. */
const MAX_BYTES = 16 * 1024 * 1024;
const PIECE = 256 * 1024;
/** Folders of a notebook without data; the harness skips the same (observed_files.py). */
const OWN_FOLDERS = new Set([OWN_FOLDER, '.venv', '.git', '__pycache__', '.ipynb_checkpoints', 'renv']);

/**
 * The current state of each of these paths. A stat each; bytes are read only if size and time differ from
 * what a run saw and its digest could still match. Follows plain files and folders only. @param paths as in
 * the facts, with the state that the run saw
 */
export function checkPaths(
  notebookDir: NotebookFolder,
  paths: ReadonlyMap<string, readonly FileFact[]>,
): Map<string, PathState> {
  const states = new Map<string, PathState>();
  for (const [path, facts] of paths) {
    states.set(path, lookAt(isAbsolute(path) ? path : join(notebookDir, path), facts));
  }
  return states;
}

const ABSENT: PathState = { kind: 'absent' };

function lookAt(path: string, facts: readonly FileFact[]): PathState {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return ABSENT;
    if (stats.isDirectory()) return { kind: 'folder', sha256: namesDigest(path) };
    const size = Number(stats.size);
    const mtimeNs = String(stats.mtimeNs);
    const mayMatch = facts.some(
      (fact) => fact.size === size && fact.mtimeNs !== mtimeNs && fact.sha256 !== null,
    );
    const sha256 = mayMatch && stats.isFile() ? fileDigest(path, size) : null;
    return { kind: 'file', size, mtimeNs, sha256 };
  } catch (error) {
    // Being unreadable differs from the recorded state, like being absent.
    if (error instanceof Error && 'code' in error) return ABSENT;
    throw error;
  }
}

/** SHA-256 over the sorted names, each followed by a NUL. */
function namesDigest(path: string): string {
  const names = readdirSync(path, { encoding: 'buffer' })
    .filter((name) => !OWN_FOLDERS.has(name.toString()))
    .sort(Buffer.compare);
  const hash = createHash('sha256');
  for (const name of names) hash.update(name).update('\0');
  return hash.digest('hex');
}

function fileDigest(path: string, size: number): string | null {
  if (size > MAX_BYTES) return null;
  // A pipe that has replaced it in the meantime must not block.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(file).isFile()) return null;
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(Math.min(PIECE, Math.max(1, size)));
    for (let total = 0; total <= MAX_BYTES; ) {
      const count = readSync(file, piece, 0, piece.length, null);
      if (count === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, count));
      total += count;
    }
    return null;
  } finally {
    closeSync(file);
  }
}
