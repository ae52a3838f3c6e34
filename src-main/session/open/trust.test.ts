import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { createTrust, TRUST_ALL } from './trust.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'cellar-trust-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
for (const name of ['mine', 'mine/a', 'mine-too', 'theirs', 'theirs/b']) mkdirSync(join(root, name));
symlinkSync(join(root, 'mine'), join(root, 'link'));
symlinkSync(join(root, 'theirs'), join(root, 'mine', 'inside'));

const TELLS_NOBODY = { onMade: () => undefined, onRemoved: () => undefined };

it.each([
  ['the folder', ['mine'], 'mine', true],
  ['a folder inside it', ['mine'], 'mine/a', true],
  ['a name that only begins like it', ['mine'], 'mine-too', false],
  ['its parent folder', ['mine/a'], 'mine', false],
  ['a place a link in it leads to', ['mine'], 'theirs', false],
  ['a folder trusted under the name of a link', ['link'], 'mine/a', true],
  ['a trusted folder that was deleted', ['gone'], 'mine', false],
  ['nothing trusted', [], 'mine', false],
])('[DK-24] %s', (_name, roots, dir, is) => {
  const trust = createTrust({ roots: roots.map((name) => join(root, name)), ...TELLS_NOBODY });
  expect(trust.isTrusted(notebookFolder(realpathSync(join(root, dir))))).toBe(is);
});

it('[DK-29] a folder is trusted until another one replaces it, which needs new consent', () => {
  const dir = notebookFolder(join(root, 'replaced'));
  mkdirSync(join(dir, 'below'), { recursive: true });
  const trust = createTrust({ ...TELLS_NOBODY, roots: [dir] });
  expect([trust.isTrusted(dir), trust.isTrusted(notebookFolder(join(dir, 'below')))]).toEqual([true, true]);
  renameSync(dir, join(root, 'away'));
  expect(trust.isTrusted(dir)).toBe(false);
  mkdirSync(join(dir, 'below'), { recursive: true });
  expect([trust.isTrusted(dir), trust.isTrusted(notebookFolder(join(dir, 'below')))]).toEqual([false, false]);
  trust.add(dir);
  expect(trust.isTrusted(notebookFolder(join(dir, 'below')))).toBe(true);
  rmSync(dir, { recursive: true });
  // The folder that was trusted first returns: it is not the one that was trusted last.
  renameSync(join(root, 'away'), dir);
  expect(trust.isTrusted(dir)).toBe(false);
});

it('[DK-26] a place that does not exist yet is trusted as soon as it does', () => {
  const place = join(root, 'later');
  const trust = createTrust({ ...TELLS_NOBODY, places: [place], roots: [] });
  mkdirSync(join(place, 'a'), { recursive: true });
  expect(trust.isTrusted(notebookFolder(join(place, 'a')))).toBe(true);
});

it('[SG-24] an import is untrusted in the storage folder and in a trusted one, until it is itself trusted', () => {
  const place = join(root, 'storage');
  const imported = join(place, 'imported');
  const below = join(root, 'mine-too', 'imported');
  for (const dir of [imported, below]) {
    mkdirSync(join(dir, '.svc'), { recursive: true });
    writeFileSync(join(dir, '.svc/import.json'), 'damaged');
    mkdirSync(join(dir, 'cells/notebook'), { recursive: true });
  }
  const trust = createTrust({ ...TELLS_NOBODY, places: [place], roots: [join(root, 'mine-too')] });
  const paths = [place, imported, join(imported, 'cells/notebook'), join(root, 'mine-too'), below].map(
    notebookFolder,
  );
  expect(paths.map(trust.isTrusted)).toEqual([true, false, false, true, false]);
  trust.add(imported);
  expect(paths.map(trust.isTrusted)).toEqual([true, true, true, true, false]);
});

it('[DK-26] added folders and those the program creates are trusted from then on, and reported', () => {
  const created: string[] = [];
  const trust = createTrust({ ...TELLS_NOBODY, roots: [], onMade: (dir) => created.push(dir) });
  trust.add(join(root, 'theirs'));
  trust.made(join(root, 'mine'));
  expect([
    trust.isTrusted(notebookFolder(join(root, 'theirs/b'))),
    trust.isTrusted(notebookFolder(join(root, 'mine/a'))),
  ]).toEqual([true, true]);
  expect(created).toEqual([join(root, 'mine')]);
});

it('[DK-28] a deleted folder is no longer trusted, and reported; its parent stays trusted', () => {
  const removed: string[] = [];
  const dir = notebookFolder(join(root, 'theirs'));
  const trust = createTrust({ ...TELLS_NOBODY, roots: [dir], onRemoved: (one) => removed.push(one) });
  trust.removed(dir);
  expect([trust.isTrusted(dir), removed]).toEqual([false, [dir]]);
  const above = createTrust({ ...TELLS_NOBODY, roots: [root] });
  above.removed(dir);
  expect(above.isTrusted(dir)).toBe(true);
});

it('[DK-25] without a shell every folder runs', () => {
  expect(TRUST_ALL.isTrusted(notebookFolder(join(root, 'theirs')))).toBe(true);
});
