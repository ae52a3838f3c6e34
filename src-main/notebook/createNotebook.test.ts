import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNotebook, folderNameOf } from './createNotebook.ts';
import { notebookFolder } from './folder/notebookFolder.ts';
import { readNotebook } from './notebookFiles.ts';

let parentDir = '';
beforeEach(async () => {
  parentDir = await mkdtemp(join(tmpdir(), 'svc-create-'));
});
afterEach(() => rm(parentDir, { recursive: true, force: true }));

const create = (name: string, starterCell = true) =>
  createNotebook({ parentDir, name, pythonVersion: '3.12', starterCell });

test('[NF-9] a new notebook has its files, its environment project and one empty cell', async () => {
  const created = await create('My First  Notebook');
  if (created.kind !== 'created') throw new Error(created.message);
  const { dir } = created;
  expect(basename(dir)).toBe('my_first__notebook');
  const { file, sources } = await readNotebook(notebookFolder(dir));
  const [cell] = file.cells;
  expect(file).toMatchObject({ name: 'My First  Notebook', updatedAt: file.createdAt });
  expect(cell).toMatchObject({ language: 'python', order: 0, file: `cells/${cell?.id}.py` });
  expect([...sources.values()]).toEqual([{ source: '', testSource: '', problem: null, testProblem: null }]);
  expect((await readdir(dir)).toSorted()).toEqual(['.gitignore', 'cells', 'notebook.toml', 'pyproject.toml']);
  expect(await readFile(join(dir, 'pyproject.toml'), 'utf8')).toBe(`[project]
name = "my-first-notebook"
version = "0.1.0"
description = ""
requires-python = "==3.12.*"
dependencies = [
    "pyarrow>=18.0.0",
    "orjson>=3.10.0",
    "cloudpickle>=3.0.0",
]

[tool.uv]
`);
  expect((await readFile(join(dir, '.gitignore'), 'utf8')).split('\n').slice(1, -1)).toEqual([
    '.svc/',
    '.venv/',
    'renv/library/',
    'renv/staging/',
    '__pycache__/',
    '*.pyc',
    '/.mcp.json',
    '/CLAUDE.md',
  ]);
});

test('[NF-9] an existing folder is reported and not changed; an empty folder is used; no leftovers remain', async () => {
  await mkdir(join(parentDir, 'empty'));
  await mkdir(join(parentDir, 'full'));
  await writeFile(join(parentDir, 'full', 'mine'), '');
  await writeFile(join(parentDir, 'file'), '');
  expect((await create('Empty', false)).kind).toBe('created');
  expect((await create('Empty')).kind).toBe('exists');
  expect((await create('full')).kind).toBe('exists');
  expect((await create('file')).kind).toBe('exists');
  expect((await Promise.all([create('race'), create('race')])).map(({ kind }) => kind).toSorted()).toEqual([
    'created',
    'exists',
  ]);
  expect((await readdir(parentDir)).toSorted()).toEqual(['empty', 'file', 'full', 'race']);
  expect(await readdir(join(parentDir, 'full'))).toEqual(['mine']);
});

const names: readonly (readonly [name: string, folder: string | null])[] = [
  [' Sales 2024 ', 'sales_2024'],
  ['Über.Alles', 'über.alles'],
  ['half a pair \ud800', null],
  ['a/b', null],
  ['a\\b', null],
  ['..', null],
  ['a..b', null],
  ['.', null],
  ['  ', null],
  ['a\0b', null],
  ['a\nb', null],
  ['é'.repeat(128), null],
];

for (const [name, folder] of names) {
  test(`[NF-9] the folder of ${JSON.stringify(name.slice(0, 20))}`, async () => {
    expect(folderNameOf(name)).toBe(folder);
    if (folder === null) expect((await create(name)).kind).toBe('refused');
  });
}
