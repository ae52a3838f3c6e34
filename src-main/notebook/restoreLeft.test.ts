/** Restoring a deleted cell whose file is still on disk: the same text is accepted, another text is not overwritten. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cellId } from '../../src-shared/notebook/ids.ts';
import type { DeletedCell } from './edits/restoreDeletedCell.ts';
import { notebookFolder } from './folder/notebookFolder.ts';
import { openNotebookFiles } from './notebookFiles.ts';

const TOML =
  'notebook_id = "n"\nname = "N"\n\n[[cells]]\nid = "a"\nfile = "cells/a.py"\nlanguage = "python"\norder = 0.0\n';

it.each<[what: string, left: string, isRestored: boolean]>([
  ['the same text', 'x = 1\n', true],
  ['another text', 'mine\n', false],
])(
  '[AG-107] a deleted cell is restored although its file is still there, with %s: %s',
  async (_what, left, isRestored) => {
    const dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-left-')));
    await mkdir(join(dir, 'cells'));
    await writeFile(join(dir, 'notebook.toml'), TOML);
    const file = join(dir, 'cells/a.py');
    await writeFile(file, 'x = 1\n');
    const files = await openNotebookFiles(dir);
    const deletions: DeletedCell[] = [];
    await files.deleteCell(cellId('a'), {
      keep: async (cell) => {
        deletions.push(cell);
      },
    });
    await writeFile(file, left);
    const [deleted] = deletions;
    if (deleted === undefined) throw new Error('nothing was kept');
    const restoring = files.restoreCell(deleted);
    if (isRestored) await restoring;
    else await expect(restoring).rejects.toThrow('cells/a.py already exists and was not overwritten.');
    expect(files.file().cells.map(({ id }) => id)).toEqual(isRestored ? ['a'] : []);
    expect(await readFile(file, 'utf8')).toBe(left);
    await files.close();
    await rm(dir, { recursive: true, force: true });
  },
);
