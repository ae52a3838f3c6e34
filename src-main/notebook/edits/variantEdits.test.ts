import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { notebookFolder } from '../folder/notebookFolder.ts';
import { type NotebookFiles, openNotebookFiles } from '../notebookFiles.ts';
import type { DeletedCell } from './restoreDeletedCell.ts';
import type { VariantEdit } from './variantEdits.ts';

let dir = notebookFolder('');
let files: NotebookFiles | null = null;
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-variants-')));
});
afterEach(async () => {
  await files?.close();
  files = null;
  await rm(dir, { recursive: true, force: true });
});

const HEAD = '# mine\nnotebook_id = "nb"\n\n';
const CELLS = ['lo', 'hi']
  .map((id, order) => `[[cells]]\nid = "${id}"\nfile = "cells/${id}.py"\norder = ${order}.0\n`)
  .join('\n');
const HI = '[[variant_group]]\ngroup = "m"  # keep\nactive = "hi"\n\n';
const SWEEP = '[[variant_group]]\ngroup = "m"\nactive = ""\nmode = "sweep"\n\n';

async function opened(groups: string): Promise<NotebookFiles> {
  await mkdir(join(dir, 'cells'));
  await writeFile(join(dir, 'notebook.toml'), `${HEAD}${groups}${CELLS}`);
  for (const id of ['lo', 'hi']) await writeFile(join(dir, `cells/${id}.py`), `# @variant m ${id}\nx = 1\n`);
  files = await openNotebookFiles(dir);
  return files;
}

/** The groups as the file has them now, in lines. */
async function written(): Promise<readonly string[]> {
  const text = await readFile(join(dir, 'notebook.toml'), 'utf8');
  const part = text.split('[[variant_group]]').slice(1).join('[[variant_group]]');
  return part
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(group|active|mode)/.test(line));
}

const edit = (change: Partial<VariantEdit>): VariantEdit => ({
  group: 'm',
  active: null,
  mode: null,
  ...change,
});

const EDITS: readonly (readonly [
  what: string,
  before: string,
  change: VariantEdit,
  after: readonly string[],
])[] = [
  ['a first choice adds an entry', '', edit({ active: 'hi' }), ['group = "m"', 'active = "hi"']],
  [
    'a first sweep has no active variant',
    '',
    edit({ mode: 'sweep' }),
    ['group = "m"', 'active = ""', 'mode = "sweep"'],
  ],
  ['switching needs no entry', '', edit({ mode: 'switch' }), []],
  ['another choice changes one key', HI, edit({ active: 'lo' }), ['group = "m"  # keep', 'active = "lo"']],
  ['no variant is chosen', HI, edit({ active: '' }), ['group = "m"  # keep', 'active = ""']],
  [
    'a sweep keeps the choice for later',
    HI,
    edit({ mode: 'sweep' }),
    ['group = "m"  # keep', 'active = "hi"', 'mode = "sweep"'],
  ],
  ['switching removes the key', SWEEP, edit({ mode: 'switch' }), ['group = "m"', 'active = ""']],
  [
    'mode and choice together',
    SWEEP,
    edit({ mode: 'switch', active: 'hi' }),
    ['group = "m"', 'active = "hi"'],
  ],
  [
    'another group has its own entry',
    HI,
    edit({ group: 'n', active: 'a' }),
    ['group = "m"  # keep', 'active = "hi"', 'group = "n"', 'active = "a"'],
  ],
];

describe('groups of variants in notebook.toml', () => {
  for (const [what, before, change, after] of EDITS) {
    it(`[VR-19] ${what}`, async () => {
      await (await opened(before)).chooseVariant(change);
      expect(await written()).toEqual(after);
      expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).toContain('# mine\n');
    });
  }

  it('[VR-20] a copy is placed last, with the settings of the first, and becomes active in the same write', async () => {
    const notebook = await opened('');
    await notebook.configure(cellId('hi'), { timeout: 7, env: { A: 'b' } });
    const entry = await notebook.addCell({
      afterId: cellId('hi'),
      language: 'python',
      author: null,
      source: '# @variant m hi_copy\nx = 1\n',
      likeId: cellId('hi'),
      setting: edit({ active: 'hi_copy' }),
    });
    expect(entry).toMatchObject({ order: 2, timeout: 7, env: { A: 'b' } });
    expect(await written()).toEqual(['group = "m"', 'active = "hi_copy"']);
    expect(notebook.sources().get(entry.id)?.source).toBe('# @variant m hi_copy\nx = 1\n');
  });

  for (const [what, before, promoted, gone, back] of [
    ['the first survivor is promoted', HI, 'lo', ['group = "m"  # keep', 'active = "lo"'], HI],
    ['deleting the last variant deletes the entry', SWEEP, null, [], SWEEP],
  ] as const) {
    it(`[VR-21] ${what}, and restoring the cell reverts that`, async () => {
      const notebook = await opened(before);
      const [known] = notebook.file().variantGroups;
      if (known === undefined) throw new Error('no entry');
      let deleted: DeletedCell | null = null;
      await notebook.deleteCell(cellId('hi'), {
        keep: async (cell) => {
          deleted = cell;
        },
        variant: { ...known, promoted },
      });
      expect(await written()).toEqual(gone);
      if (deleted === null) throw new Error('nothing was kept');
      await notebook.restoreCell(deleted);
      const lines = back.split('\n').filter((line) => /^(group|active|mode)/.test(line));
      expect((await written()).map((line) => line.replace(/ {2}# keep/, ''))).toEqual(
        lines.map((line) => line.replace(/ {2}# keep/, '')),
      );
    });
  }

  it('[VR-21] a later choice is not changed', async () => {
    const notebook = await opened(HI);
    let deleted: DeletedCell | null = null;
    await notebook.deleteCell(cellId('hi'), {
      keep: async (cell) => {
        deleted = cell;
      },
      variant: { group: 'm', active: 'hi', mode: 'switch', promoted: 'lo' },
    });
    await notebook.chooseVariant(edit({ active: 'other' }));
    if (deleted === null) throw new Error('nothing was kept');
    await notebook.restoreCell(deleted);
    expect(await written()).toEqual(['group = "m"  # keep', 'active = "other"']);
  });
});
