/** Deletes the folder of a notebook, after checking that this is allowed. */

import { constants } from 'node:fs';
import { access, lstat, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf, syncDirectory } from '../lib/atomicFile.ts';
import { ownedName } from '../lib/ownedName.ts';
import { isNotebookFolder } from './discover.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';
import { acquireWriter } from './writerLock.ts';

/** Prefix of a folder between its deletion and the removal of its files: hidden, so that no scan finds it. */
export const DOOMED_PREFIX = '.svc-deleted-';

/**
 * Checks whether a notebook folder may be deleted (docs/spec/rest-notebooks.md, 1, 3.2). @param dir absolute, as given
 * by the caller: a link is refused, never followed @throws AppError not_found, bad_request (a link, no notebook,
 * contains a root of the server), conflict (no permission)
 */
export async function checkRemovable(dir: NotebookFolder, roots: readonly string[]): Promise<void> {
  const stats = await lstat(dir).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null;
    throw error;
  });
  if (stats === null) throw new AppError('not_found', `There is no folder ${dir}.`);
  if (stats.isSymbolicLink()) {
    throw new AppError('bad_request', `${dir} is a link. Delete the notebook at the target of the link.`);
  }
  if (!stats.isDirectory() || !(await isNotebookFolder(dir))) {
    throw new AppError('bad_request', `${dir} is not a notebook: it has no notebook.toml file.`);
  }
  const [storage] = roots;
  if (storage !== undefined && isWithin(await realpath(storage).catch(() => resolve(storage)), dir)) {
    throw new AppError('bad_request', `${dir} contains the folder of all notebooks, so it was not deleted.`);
  }
  await access(dirname(dir), constants.W_OK).catch(() => {
    throw new AppError('conflict', `${dir} cannot be deleted because its parent folder is not writable.`);
  });
}

/** Whether `path` is `folder` or inside it; both absolute. */
export function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return (
    inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !/^([a-z]:)?[\\/]/i.test(inside))
  );
}

/**
 * Deletes a notebook folder that is not open. It is renamed in one step and its files are removed afterwards,
 * so a crash leaves a complete notebook or none; leftovers of an earlier crash are removed too. @throws
 * AppError NOTEBOOK_IN_USE while another process writes it
 */
export async function removeNotebook(dir: NotebookFolder): Promise<void> {
  const writer = await acquireWriter(dir);
  if (writer.kind === 'busy') {
    throw new AppError(
      'NOTEBOOK_IN_USE',
      `Process ${writer.pid} on ${writer.host} has this notebook open. Close it there before deleting it.`,
      { pid: writer.pid },
    );
  }
  const parent = dirname(dir);
  try {
    await rename(dir, join(parent, await ownedName(DOOMED_PREFIX)));
  } finally {
    // The lock was moved with the folder: releasing it only clears our own record.
    await writer.release();
  }
  await syncDirectory(parent);
  for (const name of await readdir(parent)) {
    if (name.startsWith(DOOMED_PREFIX)) await rm(join(parent, name), { recursive: true, force: true });
  }
}
