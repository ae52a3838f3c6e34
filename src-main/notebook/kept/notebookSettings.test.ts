import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadNotebookSettings, saveNotebookSettings } from './notebookSettings.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'settings-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(root, 'n-'));
  await mkdir(join(dir, '.svc'));
  return dir;
}

const NONE = { parallel_cells: null };

test('[EX-45] settings are read back; initially there are none', async () => {
  const dir = await folder();
  expect(await loadNotebookSettings(dir)).toEqual(NONE);
  await saveNotebookSettings(dir, { parallel_cells: 4 });
  expect(await loadNotebookSettings(dir)).toEqual({ parallel_cells: 4 });
});

test.each(['', '{', '[]', '{"parallel_cells": 0}', '{"parallel_cells": "4"}', '{"parallel_cells": 65}'])(
  '[EX-45] %j is set aside, and nothing is set',
  async (text) => {
    const dir = await folder();
    await writeFile(join(dir, '.svc/settings.json'), text);
    expect(await loadNotebookSettings(dir)).toEqual(NONE);
    expect(await readdir(join(dir, '.svc'))).toEqual(['settings.json.bad']);
    await saveNotebookSettings(dir, { parallel_cells: 2 });
    expect(await loadNotebookSettings(dir)).toEqual({ parallel_cells: 2 });
  },
);

test('[EX-45] a link in its place is not written through', async () => {
  const dir = await folder();
  const outside = join(dir, 'outside.json');
  await writeFile(outside, '{"parallel_cells": 9}');
  await symlink(outside, join(dir, '.svc/settings.json'));
  await saveNotebookSettings(dir, { parallel_cells: 3 });
  expect(await readFile(outside, 'utf8')).toBe('{"parallel_cells": 9}');
});
