/** Mounts of local files and folders: computes their fingerprint, and checks that a cell can open them. */

import { createHash } from 'node:crypto';
import { access, constants, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { placeOf } from '../../src-shared/notebook/mountUri.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { makeFolderAt } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { makePrivateFolder } from '../lib/makePrivateFolder.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { type DataItem, MISSING } from './dataItem.ts';
import { folderPrint } from './folderPrint.ts';

/** The place of a local mount, from `placeOf`. */
export interface LocalPlace {
  readonly path: string;
  readonly relative: boolean;
}

/** The path where a folder watch sees changes; null for data that is not on this machine. */
export function watchedPath(item: DataItem, notebookDir: NotebookFolder): string | null {
  if (item.kind !== 'mount') return null;
  const place = placeOf(item.mount.uri);
  return place.kind === 'local' ? absolutePath(place, notebookDir) : null;
}

interface LocalPrint {
  readonly token: string | null;
  readonly problem: string | null;
  readonly files?: number;
  readonly bytes?: number;
}

function absolutePath(place: LocalPlace, notebookDir: NotebookFolder): string {
  return resolve(notebookDir, place.path);
}

/**
 * The fingerprint of a local file or folder (docs/spec/outside-data.md, 1). A file's path within the notebook's folder
 * is relative, so that a moved notebook keeps its results.
 */
export async function fingerprintLocal(place: LocalPlace, notebookDir: NotebookFolder): Promise<LocalPrint> {
  const path = absolutePath(place, notebookDir);
  try {
    const stats = await stat(path, { bigint: true });
    if (stats.isDirectory()) return { ...(await folderPrint(path)), problem: null };
    if (!stats.isFile()) return { token: null, problem: `${path} is neither a file nor a folder.` };
    const line = `${place.relative ? place.path : path}:${stats.size}:${stats.mtimeNs}`;
    const token = createHash('sha256').update(line).digest('hex');
    return { token, problem: null, files: 1, bytes: Number(stats.size) };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { token: MISSING, problem: `There is no ${path}.` };
    return { token: null, problem: localMessage(path, error) };
  }
}

/** Ensures that a cell can open the path: a missing one is an error for reading, and created for writing. */
export async function prepareLocal(
  place: LocalPlace,
  options: { readonly notebookDir: NotebookFolder; readonly mode: 'ro' | 'rw' },
): Promise<{ readonly path: string } | { readonly problem: string }> {
  const path = absolutePath(place, options.notebookDir);
  try {
    if (options.mode === 'rw') {
      const isThere = await stat(path).then(
        () => true,
        (error: unknown) => {
          if (errnoOf(error) === 'ENOENT') return false;
          throw error;
        },
      );
      if (!isThere) makeMounted(path, options.notebookDir);
      await access(path, constants.R_OK | constants.W_OK);
    } else {
      await stat(path);
      await access(path, constants.R_OK);
    }
    return { path };
  } catch (error) {
    return { problem: errnoOf(error) === 'ENOENT' ? `There is no ${path}.` : localMessage(path, error) };
  }
}

/** Creates a mounted folder. In the notebook's folder no link may lead outside; elsewhere the user chose the path. */
function makeMounted(path: string, notebookDir: NotebookFolder): void {
  const below = relative(notebookDir, path);
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) makePrivateFolder(path);
  else makeFolderAt(placeIn(notebookDir, below));
}

function localMessage(path: string, error: unknown): string {
  const code = errnoOf(error);
  if (code === 'EACCES' || code === 'EPERM') return `Permission to open ${path} is denied.`;
  if (code === 'EROFS') return `${path} is on a read-only disk.`;
  if (code === 'ENOTDIR' || code === 'EEXIST') return `A part of ${path} is a file, not a folder.`;
  return `${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
}
