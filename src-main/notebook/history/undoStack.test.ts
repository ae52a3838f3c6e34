import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UndoDelta, UndoEntry } from '../../../src-shared/wire/undo.ts';
import { notebookFolder } from '../folder/notebookFolder.ts';
import { openNotebookFiles } from '../notebookFiles.ts';
import { createUndoRecord, MAX_KEPT_CHARACTERS, MAX_KEPT_ENTRIES } from './undoStack.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-undo-')));
  await mkdir(join(dir, '.svc'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const FILE = '.svc/undo.json';
/** The default id is the previous text. */
const typed = (id: string, after: string, before = id): UndoEntry => ({
  id,
  deed: 'edit',
  changes: [{ kind: 'source', cellId: 'a', before, after }],
});

function delta(done: string, undone = '', gone = ''): UndoDelta {
  const entries = (ids: string) => ids.split(' ').flatMap((id) => (id === '' ? [] : [typed(id, `${id}!`)]));
  return { done: entries(done), undone: entries(undone), gone: gone === '' ? [] : [gone] };
}

test('[HI-22] [SG-20] a report of no changes writes nothing', async () => {
  const record = createUndoRecord(dir);
  expect(await record.keep({ done: [], undone: [], gone: [] })).toBe(0);
  expect(await readdir(join(dir, '.svc'))).toEqual([]);
  await record.keep(delta('1 2'));
  const before = await readFile(join(dir, FILE), 'utf8');
  expect(await record.keep({ done: [], undone: [], gone: [] })).toBe(2);
  expect(await readFile(join(dir, FILE), 'utf8')).toBe(before);
});

test('[HI-22] a stack is read back as stored, or its newest entries if it is too large', async () => {
  const record = createUndoRecord(dir);
  expect(await record.load()).toEqual({ stack: { done: [], undone: [] }, forgotten: 0, problem: null });
  const stack = { done: [typed('1', '2'), typed('2', '3')], undone: [typed('3', '4')] };
  expect(await record.keep({ ...stack, gone: [] })).toBe(2);
  expect(await createUndoRecord(dir).load()).toMatchObject({ stack, problem: null });
  const many = Array.from({ length: MAX_KEPT_ENTRIES + 5 }, (_, n) => typed(`m${n}`, `${n + 1}`));
  expect(await record.keep({ done: many, undone: [], gone: ['1', '2', '3'] })).toBe(MAX_KEPT_ENTRIES);
  expect((await record.load()).stack.done.at(-1)).toMatchObject(many.at(-1) ?? {});
  expect((await record.load()).forgotten).toBe(5);
  const long = 'x'.repeat(MAX_KEPT_CHARACTERS / 4);
  const large = [typed('a', long, `${long}0`), typed('b', long, `${long}1`), typed('small', 'smaller')];
  expect(await record.keep({ done: large, undone: [], gone: many.map(({ id }) => id) })).toBe(2);
  expect(await record.load()).toMatchObject({ stack: { done: large.slice(1) }, forgotten: 6 });
  expect((await createUndoRecord(dir).load()).forgotten).toBe(6);
});

/** `window: delta` in turn; then the ids of both sides. */
const TWO: readonly (readonly [string, readonly UndoDelta[], string, string])[] = [
  [
    'edits of two windows are in the order of arrival',
    [delta('a1'), delta('b1'), delta('a2')],
    'a1 b1 a2',
    '',
  ],
  ['an edit reported twice counts once', [delta('a1'), delta('a1')], 'a1', ''],
  ['continued typing keeps its place', [delta('a1'), delta('b1'), delta('a1')], 'a1 b1', ''],
  ['an edit undone in one window can be redone', [delta('a1 b1 a2'), delta('', 'a2')], 'a1 b1', 'a2'],
  ['a redone edit returns to its place', [delta('a1 b1 a2'), delta('', 'a2 a1'), delta('a1')], 'a1 b1', 'a2'],
  [
    'of edits undone in both windows, the newest is redone last',
    [delta('a1 b1'), delta('', 'a1'), delta('', 'b1')],
    '',
    'b1 a1',
  ],
  [
    'edits that no longer apply are dropped, the others stay',
    [delta('a1 b1'), delta('', '', 'a1')],
    'b1',
    '',
  ],
  ['dropping an edit that is already gone is not an error', [delta('a1'), delta('', '', 'b9')], 'a1', ''],
];
test.each(TWO)('[HI-24] %s', async (_name, deltas, done, undone) => {
  const record = createUndoRecord(dir);
  // Concurrently: each reads the file before the others have written.
  await Promise.all(deltas.map((delta) => record.keep(delta)));
  const { stack } = await createUndoRecord(dir).load();
  expect([stack.done, stack.undone].map((side) => side.map(({ id }) => id).join(' '))).toEqual([
    done,
    undone,
  ]);
});

test('[HI-24] an older record, without ids, is continued', async () => {
  const old = (after: string) => ({
    deed: 'edit',
    changes: [{ kind: 'source', cellId: 'a', before: '', after }],
  });
  await writeFile(join(dir, FILE), JSON.stringify({ done: [old('1'), old('2')], undone: [old('3')] }));
  const record = createUndoRecord(dir);
  await record.keep(delta('a1'));
  const { stack, problem } = await record.load();
  expect(problem).toBeNull();
  expect(stack.done.map(({ id }) => id)).toEqual(['old0', 'old1', 'a1']);
  expect(stack.undone.map(({ id }) => id)).toEqual(['old2']);
});

test.each([
  ['no JSON', '{"done": ['],
  ['another shape', '{"done": [{"deed": "edit", "changes": [{"kind": "burn"}]}], "undone": []}'],
  ['nothing', ''],
])('[HI-22] %s is reported and set aside, and later actions are stored', async (_name, text) => {
  await writeFile(join(dir, FILE), text);
  const { stack, problem } = await createUndoRecord(dir).load();
  expect(stack).toEqual({ done: [], undone: [] });
  expect(problem).toContain('renamed to .svc/undo.json.bad');
  expect(await readFile(join(dir, `${FILE}.bad`), 'utf8')).toBe(text);
  await createUndoRecord(dir).keep(delta('1'));
  expect((await createUndoRecord(dir).load()).problem).toBeNull();
});

test('[HI-22] a link in its place is replaced, not followed; a missing folder is not created again', async () => {
  await writeFile(join(dir, 'mine.txt'), 'mine');
  await symlink('../mine.txt', join(dir, FILE));
  await createUndoRecord(dir).keep(delta('1'));
  expect(await readFile(join(dir, 'mine.txt'), 'utf8')).toBe('mine');
  await rm(join(dir, '.svc'), { recursive: true });
  await expect(createUndoRecord(dir).keep(delta('1'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readdir(dir)).toEqual(['mine.txt']);
});

test('[HI-23] leftovers of a killed write are removed when the notebook opens, and nothing else', async () => {
  await writeFile(join(dir, 'notebook.toml'), 'notebook_id = "n"\nname = "N"\n');
  await createUndoRecord(dir).keep(delta('1'));
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
