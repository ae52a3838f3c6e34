/** Checks that the folder tables of docs/architecture.md have every folder of the sources and are up to date. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MAIN_ROLES, RENDERER_LEAVES, RENDERER_ROLES } from './folders.ts';
import { withFolderTables } from './folderTables.ts';
import { MAIN_LAYERS, RENDERER_LAYERS } from './layers.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

function foldersOf(root: string): readonly string[] {
  return readdirSync(join(ROOT, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'public' && entry.name !== 'node_modules')
    .map(({ name }) => name)
    .sort();
}

describe('[AR-14] the folder tables of docs/architecture.md match the code', () => {
  it('the page is up to date (written by `node scripts/architecture.mjs`)', () => {
    const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
    expect(page).toBe(withFolderTables(page));
  });

  it('a page without markers is an error', () => {
    expect(() => withFolderTables('# Architecture\n')).toThrow(/needs the markers/);
  });

  it.each([
    ['src-main', MAIN_LAYERS.flat(), Object.keys(MAIN_ROLES)],
    [
      'src-renderer',
      [...RENDERER_LAYERS.flat(), ...Object.keys(RENDERER_LEAVES)],
      [...Object.keys(RENDERER_ROLES), ...Object.keys(RENDERER_LEAVES)],
    ],
  ])('each folder of %s has one row and one role', (root, inRows, withRole) => {
    expect([...inRows].sort()).toEqual(foldersOf(root));
    expect([...withRole].sort()).toEqual(foldersOf(root));
  });
});
