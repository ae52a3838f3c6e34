import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolders } from './makeFolders.ts';

const root = mkdtempSync(join(tmpdir(), 'folders-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('[CL-16] creates all missing folders, and accepts existing ones', () => {
  makeFolders(join(root, 'a/b/c'));
  makeFolders(join(root, 'a/b/c'));
  expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true);
});

it('[CL-16] names the folder that cannot be created', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  expect(() => makeFolders(file)).toThrow(/EEXIST/);
  expect(() => makeFolders(join(file, 'below'))).toThrow(/EEXIST|ENOTDIR/);
});

it.runIf(process.platform === 'linux')('[CL-16] ends if nothing can be created', () => {
  expect(() => makeFolders('/proc/nope/below')).toThrow(/ENOENT/);
});
