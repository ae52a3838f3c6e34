/** Lists and opens the committed files of a notebook's folder, for its exports. */

import type { Dirent } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { errnoOf, isTempName } from '../lib/atomicFile.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { isPlainFile, listFolder, openHandle } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';

/** The committed files besides the cells that an export contains (docs/spec/notebook-file.md, 1): no README. */
export const BUNDLED_FILES = [
  '.gitignore',
  'notebook.toml',
  'pyproject.toml',
  'renv.lock',
  'uv.lock',
] as const;
export const CELLS_FOLDER = 'cells';

/** The maximum depth of folders below cells/; only a loop of links is deeper. */
const MAX_DEPTH = 8;

/**
 * The files of a notebook folder that an export contains, as relative paths with forward slashes, sorted. Links are
 * skipped: their targets do not belong to the notebook.
 */
export async function bundledFiles(dir: NotebookFolder): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const name of BUNDLED_FILES) if (isPlainFile(placeIn(dir, name))) paths.push(name);
  const walk = (folder: string, depth: number): void => {
    for (const entry of entriesOf(dir, folder)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== '__pycache__' && depth < MAX_DEPTH) walk(path, depth + 1);
      if (entry.isFile() && !isTempName(entry.name)) paths.push(path);
    }
  };
  walk(CELLS_FOLDER, 0);
  return paths.sort();
}

function entriesOf(dir: NotebookFolder, folder: string): readonly Dirent[] {
  try {
    return listFolder(placeIn(dir, folder));
  } catch (error) {
    if (error instanceof PlaceRefusal) return [];
    throw error;
  }
}

/** Opens a file of a notebook without following a link; null if it was removed or is no longer a file. */
export async function openBundled(dir: NotebookFolder, path: string): Promise<FileHandle | null> {
  try {
    return await openHandle(placeIn(dir, path));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof PlaceRefusal) return null;
    throw error;
  }
}
