import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storageFolders } from './storageFolders.ts';

let home = '';
let fresh = '';
beforeAll(() => {
  [home, fresh] = ['used-', 'fresh-'].map((name) => realpathSync(mkdtempSync(join(tmpdir(), name)))) as [
    string,
    string,
  ];
  mkdirSync(join(home, '.svc', 'notebooks'), { recursive: true });
});
afterAll(() => {
  for (const dir of [home, fresh]) rmSync(dir, { recursive: true, force: true });
});

it.each<[string, boolean, boolean, Record<string, string>, string, readonly string[]]>([
  ['a server uses the documented folder', true, false, {}, '.svc/notebooks', []],
  [
    'a person’s own program uses a visible folder and names the one it used before',
    true,
    true,
    {},
    'Cellar',
    ['.svc/notebooks'],
  ],
  ['a program that was never used before', false, true, {}, 'Cellar', []],
  ['a folder that a setting names', true, true, { SVC_NOTEBOOK_STORAGE_DIR: '~/mine' }, 'mine', []],
  [
    'a setting that names the documented folder',
    true,
    true,
    { SVC_NOTEBOOK_STORAGE_DIR: '~/.svc/notebooks' },
    '.svc/notebooks',
    [],
  ],
])('[WI-277] %s', (_what, isUsed, visible, env, dir, earlier) => {
  const person = isUsed ? home : fresh;
  const folders = storageFolders({ cwd: person, env: { HOME: person, ...env } }, visible);
  expect(folders.config.notebookStorageDir).toBe(join(person, dir));
  expect(folders.earlier).toEqual(earlier.map((one) => join(person, one)));
});
