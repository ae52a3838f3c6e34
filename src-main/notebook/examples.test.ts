import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { areEditedInPlace, createExamples, firstParagraph } from './examples.ts';
import { notebookFolder } from './folder/notebookFolder.ts';
import { readNotebook } from './notebookFiles.ts';

const OURS = fileURLToPath(new URL('../../examples', import.meta.url));

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'examples-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('examples', () => {
  it('[NF-34] are listed with a title, a description and their cells', async () => {
    const listed = await createExamples({ dir: OURS, storageDir: root }).list();
    const names = listed.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['first-steps', 'penguins', 'seattle-weather']);
    expect(names.slice(3)).toEqual(names.slice(3).toSorted());
    for (const { title, about, cells } of listed) {
      expect(title).not.toBe('');
      expect(about.length).toBeGreaterThan(20);
      expect(cells).toBeGreaterThan(1);
    }
  });

  it('[NF-34] in a clone the folder itself is opened', async () => {
    expect(await areEditedInPlace(OURS)).toBe(true);
    const examples = createExamples({ dir: OURS, storageDir: root });
    expect(await examples.folderFor('penguins')).toBe(join(OURS, 'penguins'));
    expect(await readdir(root)).toEqual([]);
  });

  it('[NF-34] elsewhere a new copy each time, without results of runs, as a separate notebook', async () => {
    const dir = join(root, 'app/examples');
    await cp(join(OURS, 'first-steps'), join(dir, 'first-steps'), {
      recursive: true,
      filter: (path) => !/[/\\]\.(svc|venv)$/.test(path),
    });
    await mkdir(join(dir, 'first-steps/.svc'));
    await writeFile(join(dir, 'first-steps/.svc/runtime.json'), '{}');
    await mkdir(join(dir, 'not one'));
    const storageDir = join(root, 'storage');
    const examples = createExamples({ dir, storageDir });
    expect((await examples.list()).map(({ name }) => name)).toEqual(['first-steps']);
    const paths = await Promise.all([1, 2, 3].map(() => examples.folderFor('first-steps')));
    expect(paths.toSorted()).toEqual(
      ['first-steps', 'first-steps-2', 'first-steps-3'].map((name) => join(storageDir, name)),
    );
    expect((await readdir(storageDir)).length).toBe(3);
    const ids = await Promise.all(
      paths.map(async (path) => (await readNotebook(notebookFolder(path))).file.notebookId),
    );
    expect(
      new Set([...ids, (await readNotebook(notebookFolder(join(dir, 'first-steps')))).file.notebookId]).size,
    ).toBe(4);
    expect(await readdir(paths[0] ?? '')).not.toContain('.svc');
  });

  for (const name of ['..', 'penguins/cells', '', 'nobody', '.', '/etc']) {
    it(`[NF-34] ${JSON.stringify(name)} is not an example`, async () => {
      const examples = createExamples({ dir: OURS, storageDir: root });
      await expect(examples.folderFor(name)).rejects.toMatchObject({ code: 'not_found' });
    });
  }

  it('a missing folder has none', async () => {
    expect(await createExamples({ dir: join(root, 'none'), storageDir: root }).list()).toEqual([]);
  });

  for (const [text, about] of [
    ['# Title\n\nWords\nover lines.\n\nMore.', 'Words over lines.'],
    ['# Title', ''],
    ['', ''],
    ['Words.', 'Words.'],
  ] as const) {
    it(`about ${JSON.stringify(text)}`, () => expect(firstParagraph(text)).toBe(about));
  }
});
