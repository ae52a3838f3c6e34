import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUTO_RUN_OFF } from '../../../src-shared/wire/autoRun.ts';
import { notebookFolder } from '../folder/notebookFolder.ts';
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

const NONE = { parallel_cells: null, auto_run: AUTO_RUN_OFF };

test('[EX-45] [EX-90] settings are read back; initially there are none', async () => {
  const dir = notebookFolder(await folder());
  expect(await loadNotebookSettings(dir)).toEqual(NONE);
  const auto_run = { mode: 'live', limit_seconds: 2.5, except: ['a'] } as const;
  await saveNotebookSettings(dir, { parallel_cells: 4, auto_run: { ...auto_run, except: ['a'] } });
  expect(await loadNotebookSettings(dir)).toEqual({ parallel_cells: 4, auto_run });
});

test.each([
  '',
  '{',
  '[]',
  '{"parallel_cells": 0}',
  '{"parallel_cells": "4"}',
  '{"parallel_cells": 65}',
  '{"auto_run": {"mode": "always"}}',
])('[EX-45] %j is set aside, and nothing is set', async (text) => {
  const dir = notebookFolder(await folder());
  await writeFile(join(dir, '.svc/settings.json'), text);
  expect(await loadNotebookSettings(dir)).toEqual(NONE);
  expect(await readdir(join(dir, '.svc'))).toEqual(['settings.json.bad']);
  await saveNotebookSettings(dir, { ...NONE, parallel_cells: 2 });
  expect(await loadNotebookSettings(dir)).toEqual({ ...NONE, parallel_cells: 2 });
});

test('[EX-90] settings of an older version have no automatic runs', async () => {
  const dir = notebookFolder(await folder());
  await writeFile(join(dir, '.svc/settings.json'), '{"parallel_cells": 4}');
  expect(await loadNotebookSettings(dir)).toEqual({ parallel_cells: 4, auto_run: AUTO_RUN_OFF });
});

test('[EX-45] a link in its place is not written through', async () => {
  const dir = notebookFolder(await folder());
  const outside = join(dir, 'outside.json');
  await writeFile(outside, '{"parallel_cells": 9}');
  await symlink(outside, join(dir, '.svc/settings.json'));
  await saveNotebookSettings(dir, { ...NONE, parallel_cells: 3 });
  expect(await readFile(outside, 'utf8')).toBe('{"parallel_cells": 9}');
});
