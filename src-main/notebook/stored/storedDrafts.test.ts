import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notebookFolder } from '../folder/notebookFolder.ts';
import { createNotebookDrafts, MAX_DRAFT_CHARACTERS, MAX_DRAFTS } from './storedDrafts.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-drafts-')));
  await mkdir(join(dir, '.svc'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const draft = (cell_id: string, text = `${cell_id}!`) => ({ cell_id, text, base: '' });
const ids = async (): Promise<readonly string[]> =>
  (await createNotebookDrafts(dir).tests.list()).drafts.map(({ cell_id }) => cell_id);

test('[CT-18] the newest draft of each cell is stored until it is settled', async () => {
  const drafts = createNotebookDrafts(dir).tests;
  // Concurrently: no write loses the draft of another.
  await Promise.all([drafts.keep(draft('a')), drafts.keep(draft('b')), drafts.keep(draft('a', 'newer'))]);
  expect(await createNotebookDrafts(dir).tests.list()).toEqual({
    drafts: [draft('b'), draft('a', 'newer')],
    problem: null,
  });
  await drafts.forget({ cell_id: 'b' });
  await drafts.forget({ cell_id: 'b' });
  expect(await ids()).toEqual(['a']);
});

test('[CT-18] stores as many drafts as fit, and always the newest', async () => {
  const drafts = createNotebookDrafts(dir).tests;
  for (let n = 0; n < MAX_DRAFTS + 3; n += 1) await drafts.keep(draft(`c${n}`));
  expect((await ids()).length).toBe(MAX_DRAFTS);
  expect((await ids())[0]).toBe('c3');
  await drafts.keep(draft('large', 'x'.repeat(MAX_DRAFT_CHARACTERS + 1)));
  expect(await ids()).toEqual(['large']);
});

test('[CT-18] a damaged record is reported and set aside', async () => {
  await writeFile(join(dir, '.svc/test_drafts.json'), '[{"cell_id": 1}]');
  const { drafts, problem } = await createNotebookDrafts(dir).tests.list();
  expect(drafts).toEqual([]);
  expect(problem).toContain('renamed to .svc/test_drafts.json.bad');
  await createNotebookDrafts(dir).tests.keep(draft('a'));
  expect(await readdir(join(dir, '.svc'))).toEqual(['test_drafts.json', 'test_drafts.json.bad']);
});

test('[ED-71] each window has its own draft of a cell’s text', async () => {
  const drafts = createNotebookDrafts(dir).sources;
  const of = (window: string, text: string) =>
    ({ ...draft('a', text), window, name: 'a', language: 'python' }) as const;
  await Promise.all([drafts.keep(of('one', '1')), drafts.keep(of('two', '2')), drafts.keep(of('one', '3'))]);
  expect(await createNotebookDrafts(dir).sources.list()).toEqual({
    drafts: [of('two', '2'), of('one', '3')],
    problem: null,
  });
  await drafts.forget({ cell_id: 'a', window: 'two' });
  expect((await drafts.list()).drafts).toEqual([of('one', '3')]);
  expect(await createNotebookDrafts(dir).tests.list()).toEqual({ drafts: [], problem: null });
});
