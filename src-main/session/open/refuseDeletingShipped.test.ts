import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { refuseDeletingShipped } from './refuseDeletingShipped.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'cellar-installed-')));
mkdirSync(join(root, 'program/examples/first'), { recursive: true });
mkdirSync(join(root, 'program/examples-of-mine'));
symlinkSync(join(root, 'program'), join(root, 'link'));
afterAll(() => rmSync(root, { recursive: true }));

it.each([
  ['program/examples/first', true],
  ['program/examples', true],
  ['program', true],
  ['program/examples/first/inner', true],
  ['program/examples-of-mine', false],
  ['notebooks/first', false],
])('[SG-70] deleting %s of an installation is refused: %s', async (path, isRefused) => {
  for (const installed of ['program/examples', 'link/examples']) {
    const done = refuseDeletingShipped(notebookFolder(join(root, path)), [
      join(root, 'none'),
      join(root, installed),
    ]);
    if (isRefused)
      await expect(done).rejects.toThrow(
        /is part of the Cellar installation and cannot be deleted\. Close it instead\./,
      );
    else await expect(done).resolves.toBeUndefined();
  }
});
