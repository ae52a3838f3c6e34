import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notebookFolder } from './folder/notebookFolder.ts';
import { listFiles } from './listFiles.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'list-files-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function put(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), path);
  }
}

test('[NF-33] files by folder and name; generated files and links are skipped', async () => {
  await put('notebook.toml', 'cells/a.py', 'data/read me', 'big.CSV', 'notes.md', 'sub folder/é.parquet');
  await put('.svc/runtime.json', '.venv/x.py', 'node_modules/x.js', 'a/__pycache__/x.pyc', '.gitignore');
  await put('1/2/3/4/5/6/7/8/deep.txt');
  await symlink('/etc/hosts', join(dir, 'link.csv'));
  await symlink('/etc', join(dir, 'etc'));
  const { files, truncated } = await listFiles(dir);
  expect(files.map(({ path, kind, size }) => `${kind} ${path} ${size}`)).toEqual([
    'data big.CSV 7',
    'config notebook.toml 13',
    'other notes.md 8',
    'cell cells/a.py 10',
    'data data/read me 12',
    `data sub folder/é.parquet ${Buffer.byteLength('sub folder/é.parquet')}`,
  ]);
  expect(truncated).toBe(true);
});

test('[NF-33] at most 2,000 are listed, and marked as truncated', async () => {
  await put(...Array.from({ length: 2_001 }, (_, at) => `f${at}.txt`));
  const { files, truncated } = await listFiles(dir);
  expect([files.length, truncated]).toEqual([2_000, true]);
  await rm(join(dir, 'f0.txt'));
  expect((await listFiles(dir)).truncated).toBe(false);
});
