import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, isTempName, nullIfMissing } from '../lib/atomicFile.ts';

/** The committed files beside the cells (semantics 13, bundled set): no README. */
export const BUNDLED_FILES = [
  '.gitignore',
  'notebook.toml',
  'pyproject.toml',
  'renv.lock',
  'uv.lock',
] as const;
export const CELLS_FOLDER = 'cells';

/** Folders below cells/ that a person makes are few; a loop of links is none of them. */
const MAX_DEPTH = 8;

/**
 * The bundled set of a notebook folder as paths from it, with forward slashes, sorted. Links are left out: what they
 * lead to is not the notebook's.
 */
export async function bundledFiles(dir: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of BUNDLED_FILES) if (await isPlain(join(dir, name))) found.push(name);
  const walk = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(dir, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
      throw error;
    });
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== '__pycache__' && depth < MAX_DEPTH)
        await walk(path, depth + 1);
      if (entry.isFile() && !isTempName(entry.name)) found.push(path);
    }
  };
  const cells = await lstat(join(dir, CELLS_FOLDER)).catch(nullIfMissing);
  if (cells?.isDirectory() === true) await walk(CELLS_FOLDER, 0);
  return found.sort();
}

async function isPlain(path: string): Promise<boolean> {
  const found = await lstat(path).catch(nullIfMissing);
  return found?.isFile() === true;
}

/** Opens a file of a notebook without following a link; null where it went away or is no file any more. */
export async function openBundled(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ELOOP') return null;
    throw error;
  }
}
