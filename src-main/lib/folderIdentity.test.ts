import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { folderIdentity } from './folderIdentity.ts';

const root = mkdtempSync(join(tmpdir(), 'cellar-identity-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = join(root, 'it');
const before = (): void => {
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at);
  writeFileSync(join(at, 'notebook.toml'), '');
};

const moved = (): string => {
  renameSync(at, join(root, 'moved'));
  return join(root, 'moved');
};
const linked = (): string => {
  symlinkSync(at, join(root, 'link'));
  return join(root, 'link');
};
/** The other folder exists before the first is deleted, so that it cannot get the same number. */
const replaced = (): string => {
  mkdirSync(join(root, 'other'));
  rmSync(at, { recursive: true });
  renameSync(join(root, 'other'), at);
  return at;
};
const filled = (): string => {
  writeFileSync(join(at, 'more'), 'x');
  return at;
};
const recreated = (): string => {
  before();
  return at;
};

it.each<[string, () => string, boolean]>([
  ['untouched', () => at, true],
  ['with other files in it', filled, true],
  ['under another name', moved, true],
  ['by a link', linked, true],
  ['created again', recreated, false],
  ['replaced by another one', replaced, false],
])('[DK-29] a folder %s', (_name, deed, same) => {
  before();
  const was = folderIdentity(at);
  expect(was).not.toBeNull();
  expect(folderIdentity(deed()) === was).toBe(same);
});

it('[DK-29] is null for a file and for a missing folder', () => {
  writeFileSync(join(root, 'file'), '');
  expect([folderIdentity(join(root, 'file')), folderIdentity(join(root, 'nowhere'))]).toEqual([null, null]);
});
