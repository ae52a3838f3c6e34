/**
 * The guarded folder: no operation follows a link out of a notebook folder, opens a pipe or socket as a file,
 * or writes through a hard link.
 */

import { execFileSync } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import {
  checkedPath,
  makeFolderAt,
  moveTo,
  removeDurably,
  removeEmptyFolder,
  removeFile,
  removeSmallFolder,
  removeTree,
  setAside,
  sweepTemps,
} from './names.ts';
import { openFolder } from './openFolder.ts';
import { type Place, pathOf, placeIn, placeOf, placeUnder } from './place.ts';
import { insidePlace, isPlainFile, listFolder, lstatAt, readFileAt, readFileAtSync } from './read.ts';
import {
  createFile,
  hasContent,
  openInPlace,
  removeIfUnchanged,
  replaceFile,
  replaceFileSync,
  streamTo,
  unshareFile,
  writeNew,
} from './replace.ts';

let root = '';
let victim = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-guard-'));
  victim = await mkdtemp(join(tmpdir(), 'svc-victim-'));
  await mkdir(join(victim, 'sub'));
  await writeFile(join(victim, 'x'), 'mine');
  await writeFile(join(victim, 'sub/x'), 'mine');
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
  await rm(victim, { recursive: true, force: true });
});

/** Names, kinds and bytes of a tree. */
async function treeOf(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path} ${entry.isFile() ? await readFile(path, 'utf8') : ''}`;
  });
  return (await Promise.all(lines)).toSorted();
}

const close = (file: number): void => closeSync(file);

/** Every operation that touches the disk, applied to one place. */
const OPERATIONS: Readonly<Record<string, (place: Place) => unknown>> = {
  readFileAt: (place) => readFileAt(place),
  readFileAtSync: (place) => readFileAtSync(place),
  replaceFile: (place) => replaceFile(place, 'theirs'),
  'replaceFile, unflushed, with a mode': (place) =>
    replaceFile(place, 'theirs', { flush: false, mode: 0o777 }),
  'replaceFile over the existing bytes': (place) =>
    replaceFile(place, 'theirs', { expected: Buffer.from('mine') }),
  'replaceFile without an existing file': (place) => replaceFile(place, 'theirs', { expected: null }),
  replaceFileSync: (place) => replaceFileSync(place, 'theirs', { mode: 0o600 }),
  removeIfUnchanged: (place) => removeIfUnchanged(place, Buffer.from('mine')),
  createFile: (place) => close(createFile(place)),
  'createFile over': (place) => close(createFile(place, { over: true })),
  writeNew: (place) => writeNew(place, 'theirs'),
  openInPlace: (place) => {
    const file = openInPlace(place);
    writeSync(file, 'theirs');
    close(file);
  },
  unshareFile: (place) => unshareFile(place),
  makeFolderAt: (place) => makeFolderAt(placeUnder(place, 'made/below')),
  removeFile: (place) => removeFile(place),
  removeDurably: (place) => removeDurably(place),
  removeEmptyFolder: (place) => removeEmptyFolder(place),
  removeSmallFolder: (place) => removeSmallFolder(place, ['x', 'new']),
  removeTree: (place) => removeTree(place),
  'moveTo, from the place': (place) => moveTo(place, placeIn(root, 'moved')),
  'moveTo, to the place': (place) => moveTo(placeIn(root, 'plain'), place),
  setAside: (place) => setAside(place),
  checkedPath: (place) => checkedPath(place),
  holds: (place) => hasContent(place, Buffer.from('mine')),
  lookAt: (place) => lstatAt(place),
  listFolder: (place) => listFolder(place),
};

/** Where a link is placed, and the requested path below it. */
const LINKS = [
  { name: 'the parent folder', link: 'a', to: '', place: 'a/x' },
  { name: 'a folder above the parent', link: 'a', to: '', place: 'a/sub/x' },
  { name: 'a folder of Cellar', link: '.svc', to: '', place: '.svc/x' },
  { name: 'a folder below .svc', link: '.svc/a', to: 'sub', place: '.svc/a/x' },
  { name: 'the file', link: 'a', to: 'x', place: 'a' },
  { name: 'a file that does not exist yet', link: 'a', to: 'new', place: 'a' },
  { name: 'a file below .svc', link: '.svc/a', to: 'x', place: '.svc/a' },
  { name: 'a new file below .svc', link: '.svc/a', to: 'new', place: '.svc/a' },
  { name: 'a folder in place of the file', link: 'a', to: 'sub', place: 'a' },
] as const;

describe('[SG-1] nothing outside is read, created, changed or deleted through a link', () => {
  for (const { name, link: at, to, place } of LINKS) {
    it.each(Object.entries(OPERATIONS))(`${name}: %s`, async (_operation, act) => {
      await writeFile(join(root, 'plain'), 'plain');
      await mkdir(join(root, at, '..'), { recursive: true });
      await symlink(join(victim, to), join(root, at));
      const before = await treeOf(victim);
      const answer = await Promise.resolve()
        .then(() => act(placeIn(root, place)))
        .catch((error: unknown) => error);
      expect(await treeOf(victim)).toEqual(before);
      if (Buffer.isBuffer(answer)) expect(answer.toString()).not.toContain('mine');
      if (answer instanceof Error) expect(answer.message).toContain(root);
    });
  }
});

const REFUSED = ['readFileAt', 'replaceFile', 'openInPlace', 'makeFolderAt', 'checkedPath'] as const;

test.each(REFUSED)('[SG-2] %s names the link and the solution', async (operation) => {
  await symlink(victim, join(root, 'a'));
  await expect((async () => OPERATIONS[operation]?.(placeIn(root, 'a/x')))()).rejects.toMatchObject({
    code: 'ELOOP',
    path: join(root, 'a'),
    message: expect.stringMatching(/a is a link\. .*remove the link\.$/),
  });
});

test('[SG-1] the folder itself may be reached by a link', async () => {
  await symlink(root, join(victim, 'nb'));
  const place = placeIn(join(victim, 'nb'), '.svc/x');
  makeFolderAt(placeIn(join(victim, 'nb'), '.svc'));
  await replaceFile(place, 'kept');
  expect(await readFile(join(root, '.svc/x'), 'utf8')).toBe('kept');
});

const SPECIAL = ['pipe', 'folder'] as const;
describe.each(SPECIAL)('[SG-3] a %s in place of a file', (kind) => {
  const READS = ['readFileAt', 'readFileAtSync', 'openInPlace'] as const;
  const spoil = async (path: string): Promise<void> => {
    if (kind === 'pipe') execFileSync('mkfifo', [path]);
    else await mkdir(path);
  };
  it.each(READS)('%s refuses it', async (operation) => {
    await spoil(join(root, 'x'));
    await expect((async () => OPERATIONS[operation]?.(placeIn(root, 'x')))()).rejects.toMatchObject({
      code: 'EINVAL',
    });
  });
  it('is not replaced', async () => {
    await spoil(join(root, 'x'));
    await expect(replaceFile(placeIn(root, 'x'), 'y')).rejects.toThrow();
    expect((await stat(join(root, 'x'))).isFile()).toBe(false);
    expect(await readdir(root)).toEqual(['x']);
  });
});

test('[SG-3] a socket is refused', async () => {
  const { createServer } = await import('node:net');
  const server = createServer().listen(join(root, 's'));
  await new Promise((done) => server.once('listening', done));
  await expect(readFileAt(placeIn(root, 's'))).rejects.toMatchObject({ code: 'EINVAL' });
  await new Promise((done) => server.close(done));
});

test('[SG-3] a file larger than the limit is not read', async () => {
  await writeFile(join(root, 'x'), '12345');
  await expect(readFileAt(placeIn(root, 'x'), { maxBytes: 4 })).rejects.toMatchObject({ code: 'EFBIG' });
  expect((await readFileAt(placeIn(root, 'x'), { maxBytes: 5 })).toString()).toBe('12345');
});

/** Operations that change an existing file. */
const WRITES = [
  'replaceFile',
  'replaceFileSync',
  'openInPlace',
  'createFile over',
  'removeFile',
  'unshareFile',
];
describe('[SG-4] a copy of the folder by hard links is not written through', () => {
  it.each(WRITES)('%s', async (operation) => {
    await writeFile(join(victim, 'x'), 'mine');
    await link(join(victim, 'x'), join(root, 'x'));
    await OPERATIONS[operation]?.(placeIn(root, 'x'));
    expect(await readFile(join(victim, 'x'), 'utf8')).toBe('mine');
    expect((await stat(join(victim, 'x'))).nlink).toBe(1);
  });

  it('a hard-linked file written in place is copied first', async () => {
    await link(join(victim, 'x'), join(root, 'x'));
    const file = openInPlace(placeIn(root, 'x'));
    writeSync(file, 'M', 0);
    close(file);
    expect(await readFile(join(root, 'x'), 'utf8')).toBe('Mine');
    expect(await readdir(root)).toEqual(['x']);
  });

  it('a stream over a file', async () => {
    await link(join(victim, 'x'), join(root, 'x'));
    const stream = streamTo(placeIn(root, 'x'), { over: true });
    await new Promise((done) => stream.end('new', () => done(null)));
    expect(await readFile(join(victim, 'x'), 'utf8')).toBe('mine');
    expect(await readFile(join(root, 'x'), 'utf8')).toBe('new');
  });
});

const HANDLES = [
  { name: 'by handles', withoutHandles: false },
  { name: 'without handles', withoutHandles: true },
] as const;
describe.each(HANDLES)(
  '[SG-5] a folder that was swapped after it was opened, $name',
  ({ withoutHandles }) => {
    it.each([
      ['for a link', () => symlink(victim, join(root, 'a'))],
      ['for another folder', () => mkdir(join(root, 'a'))],
    ])('%s', async (_what, swap) => {
      await mkdir(join(root, 'a'));
      const folder = openFolder(root, ['a'], { withoutHandles });
      folder.recheck();
      await rename(join(root, 'a'), join(root, 'b'));
      await swap();
      expect(() => folder.recheck()).toThrow();
      folder.close();
    });

    it('links and files on the path are refused, missing folders are created', async () => {
      await symlink(victim, join(root, 'a'));
      await writeFile(join(root, 'f'), '');
      const open = (...names: readonly string[]) => openFolder(root, names, { make: true, withoutHandles });
      expect(() => open('a', 'sub')).toThrow(/a is a link/);
      expect(() => open('f', 'sub')).toThrow(/f is a file where a folder belongs/);
      open('new', 'sub').close();
      expect((await stat(join(root, 'new/sub'))).isDirectory()).toBe(true);
      expect(() => openFolder(join(root, 'gone'), ['x'], { make: true, withoutHandles })).toThrow(/ENOENT/);
    });
  },
);

test('[SG-6] a small folder is removed with the named files, and stays with any others', async () => {
  await mkdir(join(root, '.svc/tmp/run'), { recursive: true });
  for (const name of ['a', 'b', 'other']) await writeFile(join(root, '.svc/tmp/run', name), '');
  const remove = () => removeSmallFolder(join(root, '.svc/tmp/run'), ['a', 'b', 'missing']);
  await expect(remove()).rejects.toMatchObject({ code: 'ENOTEMPTY' });
  expect(await readdir(join(root, '.svc/tmp/run'))).toEqual(['other']);
  await rm(join(root, '.svc/tmp/run/other'));
  await remove();
  expect(await readdir(join(root, '.svc/tmp'))).toEqual([]);
  await expect(remove()).rejects.toMatchObject({ code: 'ENOENT' });
});

test('[SG-6] a tree is removed with its links, but not their targets', async () => {
  await mkdir(join(root, '.svc/tmp/run/deep'), { recursive: true });
  await symlink(victim, join(root, '.svc/tmp/run/out'));
  await symlink(join(victim, 'x'), join(root, '.svc/tmp/run/deep/x'));
  for (let at = 0; at < 200; at += 1) await writeFile(join(root, `.svc/tmp/run/${at}`), '');
  await removeTree(join(root, '.svc/tmp'));
  expect(await readdir(join(root, '.svc'))).toEqual([]);
  expect(await treeOf(victim)).toHaveLength(3);
  await removeTree(join(root, '.svc/tmp'));
  await removeTree(join(root, 'no/such'));
});

const INSIDE = [
  { to: '../b.py', leads: 'b.py' },
  { to: 'c.py', leads: 'cells/c.py' },
  { to: './../cells/../b.py', leads: 'b.py' },
  { to: '../../outside.py', leads: null },
  { to: '../.svc/secret', leads: null },
  { to: 'a.py', leads: null },
  { to: '/etc/passwd', leads: null },
] as const;
test.each(INSIDE)('[SG-7] a link to $to leads to $leads', async ({ to, leads }) => {
  await mkdir(join(root, 'cells'));
  await symlink(to, join(root, 'cells/a.py'));
  const place = placeIn(root, 'cells/a.py');
  if (leads === null) expect(() => insidePlace(place)).toThrow(/a\.py is a link/);
  else expect(pathOf(insidePlace(place))).toBe(join(root, leads));
});

describe('places', () => {
  it.each([
    ['/nb/.svc/tmp/x', '/nb', ['.svc', 'tmp', 'x']],
    ['/nb/.svc', '/nb', ['.svc']],
    ['/nb/.svc/a/.svc/b', '/nb', ['.svc', 'a', '.svc', 'b']],
    ['/nb/cells/a.py', '/nb/cells', ['a.py']],
  ])('%s', (path, guarded, names) => {
    expect(placeOf(path)).toEqual({ root: guarded, names });
    expect(pathOf(placeOf(path))).toBe(path);
  });

  it.each(['../x', 'a/../../x', 'a/\0'])('%j is invalid', (part) => {
    expect(() => placeIn('/nb', part)).toThrow(RangeError);
  });
});

test('a file keeps its permissions when it is replaced, and is only replaced if it has the expected bytes', async () => {
  const place = placeIn(root, 'x');
  expect(await replaceFile(place, 'one', { expected: null })).toBe(true);
  expect(await replaceFile(place, 'two', { expected: null, mode: 0o640 })).toBe(false);
  expect(await replaceFile(place, 'two', { expected: Buffer.from('one'), mode: 0o640 })).toBe(true);
  expect(await replaceFile(place, 'three')).toBe(true);
  expect((await stat(join(root, 'x'))).mode & 0o777).toBe(0o640);
  expect(await readFile(join(root, 'x'), 'utf8')).toBe('three');
  expect(await removeIfUnchanged(place, Buffer.from('two'))).toBe(false);
  expect(await removeIfUnchanged(place, Buffer.from('three'))).toBe(true);
  expect(isPlainFile(place)).toBe(false);
  expect(await readdir(root)).toEqual([]);
});

test('below .svc a link itself is replaced, and a damaged file is set aside', async () => {
  await mkdir(join(root, '.svc'));
  await symlink(join(victim, 'x'), join(root, '.svc/x'));
  await replaceFile(join(root, '.svc/x'), 'own');
  expect(await readFile(join(root, '.svc/x'), 'utf8')).toBe('own');
  await rm(join(root, '.svc/x'));
  await symlink(join(victim, 'x'), join(root, '.svc/x'));
  await setAside(join(root, '.svc/x'));
  expect(await readlink(join(root, '.svc/x.bad'))).toBe(join(victim, 'x'));
  await writeFile(join(root, '.svc/.svc-tmp-1-a'), '');
  expect(sweepTemps(join(root, '.svc'), { nowMs: Date.now() + 120_000 })).toEqual(['.svc-tmp-1-a']);
});
