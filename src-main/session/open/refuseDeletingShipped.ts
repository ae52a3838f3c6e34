/** Protects the folders that came with the program from deletion. */

import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { isWithin } from '../../notebook/removeNotebook.ts';

/**
 * Refuses to delete a folder that came with the program, is inside one, or contains one. @throws AppError
 * forbidden
 */
export async function refuseDeletingShipped(
  dir: NotebookFolder,
  installed: readonly string[],
): Promise<void> {
  for (const folder of installed) {
    const place = await realpath(folder).catch(() => resolve(folder));
    if (isWithin(dir, place) || isWithin(place, dir)) {
      throw new AppError(
        'forbidden',
        `${dir} is part of the Cellar installation and cannot be deleted. Close it instead.`,
      );
    }
  }
}
