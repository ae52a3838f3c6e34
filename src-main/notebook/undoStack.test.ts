import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UndoStack } from '../../src-shared/wire/undo.ts';
import { openNotebookFiles } from './notebookFiles.ts';
import { loadUndoStack, MAX_KEPT_CHARACTERS, MAX_KEPT_ENTRIES, saveUndoStack } from './undoStack.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-undo-'));
  await mkdir(join(dir, '.svc'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const FILE = '.svc/undo.json';
const typed = (before: string, after: string): UndoStack['done'][number] => ({
  deed: 'edit',
  changes: [{ kind: 'source', cellId: 'a', before, after }],
});

test('[HI-22] a stack is read back as it was kept, its newest entries where it is too much', async () => {
  expect(await loadUndoStack(dir)).toEqual({ stack: { done: [], undone: [] }, problem: null });
  const stack = { done: [typed('1', '2'), typed('2', '3')], undone: [typed('3', '4')] };
  expect(await saveUndoStack(dir, stack)).toBe(2);
  expect(await loadUndoStack(dir)).toEqual({ stack, problem: null });
  const many = Array.from({ length: MAX_KEPT_ENTRIES + 5 }, (_, n) => typed(`${n}`, `${n + 1}`));
  expect(await saveUndoStack(dir, { done: many, undone: [] })).toBe(MAX_KEPT_ENTRIES);
  expect((await loadUndoStack(dir)).stack.done.at(-1)).toEqual(many.at(-1));
  const long = 'x'.repeat(MAX_KEPT_CHARACTERS / 4);
  const large = [typed(`${long}0`, long), typed(long, `${long}1`), typed('small', 'smaller')];
  expect(await saveUndoStack(dir, { done: large, undone: [] })).toBe(2);
  expect((await loadUndoStack(dir)).stack.done).toEqual(large.slice(1));
});

test.each([
  ['no JSON', '{"done": ['],
  ['another shape', '{"done": [{"deed": "edit", "changes": [{"kind": "burn"}]}], "undone": []}'],
  ['nothing', ''],
])('[HI-22] %s is said and set aside, and what is done next is kept', async (_name, text) => {
  await writeFile(join(dir, FILE), text);
  const { stack, problem } = await loadUndoStack(dir);
  expect(stack).toEqual({ done: [], undone: [] });
  expect(problem).toContain('set aside as .svc/undo.json.bad');
  expect(await readFile(join(dir, `${FILE}.bad`), 'utf8')).toBe(text);
  await saveUndoStack(dir, { done: [typed('1', '2')], undone: [] });
  expect((await loadUndoStack(dir)).problem).toBeNull();
});

test('[HI-22] a link in its place is replaced, not followed; a folder that is gone is not begun anew', async () => {
  await writeFile(join(dir, 'mine.txt'), 'mine');
  await symlink('../mine.txt', join(dir, FILE));
  await saveUndoStack(dir, { done: [], undone: [] });
  expect(await readFile(join(dir, 'mine.txt'), 'utf8')).toBe('mine');
  await rm(join(dir, '.svc'), { recursive: true });
  await expect(saveUndoStack(dir, { done: [], undone: [] })).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readdir(dir)).toEqual(['mine.txt']);
});

test('[HI-23] what a killed write left is taken away when the notebook opens, and nothing else', async () => {
  await writeFile(join(dir, 'notebook.toml'), 'notebook_id = "n"\nname = "N"\n');
  await saveUndoStack(dir, { done: [typed('1', '2')], undone: [] });
  const old = new Date(Date.now() - 120_000);
  await mkdir(join(dir, '.svc/history'));
  for (const folder of ['.svc', '.svc/history']) {
    await writeFile(join(dir, folder, '.svc-tmp-1-half'), 'half');
    await utimes(join(dir, folder, '.svc-tmp-1-half'), old, old);
  }
  await (await openNotebookFiles(dir)).close();
  expect(await readdir(join(dir, '.svc/history'))).toEqual([]);
  expect(await readdir(join(dir, '.svc'))).toEqual(['history', 'undo.json']);
});
