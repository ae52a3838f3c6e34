import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { copyNameOf, listCopies, removeCopies } from './copies.ts';
import { dataItemsOf } from './dataItem.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-copies-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const sha = (letter: string): string => letter.repeat(64);
const wantsIn = (source: string) =>
  dataItemsOf({ notebook: [], cell: [] }, parseAnnotations(source, 'python'));

async function copy(path: string, bytes: number): Promise<void> {
  await mkdir(join(dir, path), { recursive: true });
  await writeFile(join(dir, path, 'x'), 'x'.repeat(bytes));
}

/** `<kind> <bytes> <held>` of each copy, in the order of their names. */
async function listed(source: string): Promise<readonly string[]> {
  const copies = await listCopies(dir, wantsIn(source));
  return copies
    .toSorted((a, b) => a.path.localeCompare(b.path))
    .map(({ kind, bytes, held }) => `${kind} ${bytes} ${held ? 'held' : 'spare'}`);
}

test('[AS-46] a copy is retained while a cell names its source: a URL, a pinned content, a mount', async () => {
  const index = { 'http://h/a': { sha256: sha('a') }, 'http://h/b': { sha256: sha('b') } };
  for (const letter of ['a', 'b', 'c']) await copy(`.svc/fetch/${sha(letter)}`, 10);
  await writeFile(join(dir, '.svc/fetch/index.json'), JSON.stringify(index));
  expect(await listed('')).toEqual(['fetch 10 spare', 'fetch 10 spare', 'fetch 10 spare']);
  expect(await listed(`# @fetch a http://h/a\n# @fetch c http://h/c sha256=${sha('c')}`)).toEqual([
    'fetch 10 held',
    'fetch 10 spare',
    'fetch 10 held',
  ]);
  const line = '# @mount m s3://bucket/data';
  const [mount] = wantsIn(line);
  await copy(`.svc/mount_cache/${copyNameOf(mount?.key ?? '')}/files/deep`, 7);
  await rm(join(dir, '.svc/fetch'), { recursive: true });
  expect(await listed(line)).toEqual(['mount 7 held']);
  expect(await listed(`${line} rw`)).toEqual(['mount 7 spare']);
});

test('[AS-46] a copy is removed completely; targets of links are neither counted nor removed', async () => {
  await copy('elsewhere/keep', 5);
  await mkdir(join(dir, '.svc'));
  await symlink('../elsewhere', join(dir, '.svc/fetch'));
  expect(await listed('')).toEqual([]);
  await copy('.svc/mount_cache/one', 3);
  await symlink('../../elsewhere', join(dir, '.svc/mount_cache/two'));
  await symlink('../../../elsewhere', join(dir, '.svc/mount_cache/one/inside'));
  const copies = await listCopies(dir, []);
  expect(await removeCopies(copies)).toBe(3);
  expect(await readdir(join(dir, '.svc/mount_cache'))).toEqual(['two']);
  expect(await readdir(join(dir, 'elsewhere/keep'))).toEqual(['x']);
});
