import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { fingerprintLocal, type LocalPlace, prepareLocal } from './localMount.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'mount-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const at = (path: string): LocalPlace => ({ path, relative: true });
const token = async (path: string) => (await fingerprintLocal(at(path), dir)).token;
const put = async (name: string, text: string) => {
  await mkdir(join(dir, name, '..'), { recursive: true });
  await writeFile(join(dir, name), text);
};

/** Changes of a folder `d` with `a` and `s/b` that change its fingerprint, and some that do not. */
const CHANGES: readonly (readonly [what: string, change: () => Promise<unknown>, told: boolean])[] = [
  ['nothing', async () => undefined, false],
  ['a file next to it', () => put('other', 'x'), false],
  ['an empty folder', () => mkdir(join(dir, 'd/empty')), false],
  ['other bytes of the same size', () => put('d/a', '2'), true],
  ['a file of a sub-folder', () => put('d/s/b', '22'), true],
  ['a new file', () => put('d/s/c', ''), true],
  ['a removed file', () => rm(join(dir, 'd/a')), true],
  ['a touched file', () => utimes(join(dir, 'd/a'), 1, 1), true],
];

describe('local fingerprints', () => {
  it('[MT-3] a file is identified by path, size and change time', async () => {
    await put('a.csv', '1');
    const first = await fingerprintLocal(at('a.csv'), dir);
    expect(first).toMatchObject({ problem: null, files: 1, bytes: 1 });
    expect(await token('a.csv')).toBe(first.token);
    await put('a.csv', '2');
    expect(await token('a.csv')).not.toBe(first.token);
  });

  it('[MT-3] a moved notebook keeps the fingerprints of the files in it', async () => {
    const other = notebookFolder(join(dir, 'elsewhere'));
    await put('a.csv', '1');
    await put('elsewhere/a.csv', '1');
    for (const path of ['a.csv', 'elsewhere/a.csv']) await utimes(join(dir, path), 5, 5);
    const moved = await fingerprintLocal(at('a.csv'), other);
    expect(moved.token).toBe(await token('a.csv'));
    const fixed = await fingerprintLocal({ path: join(other, 'a.csv'), relative: false }, dir);
    expect(fixed.token).not.toBe(moved.token);
  });

  test.each(CHANGES)('[MT-3] a folder: %s', async (_what, change, expected) => {
    await put('d/a', '1');
    await put('d/s/b', '1');
    for (const path of ['d/a', 'd/s/b']) await utimes(join(dir, path), 5, 5);
    const before = await token('d');
    await change();
    expect((await token('d')) !== before).toBe(expected);
  });

  it('[MT-3] a large folder is walked on a thread with the same result as a small one', async () => {
    await mkdir(join(dir, 'd/s'), { recursive: true });
    const names = Array.from({ length: 380 }, (_, i) => `d/${i % 2 ? 's/' : ''}f${i}`);
    for (const name of names) await put(name, '1');
    for (const name of names) await utimes(join(dir, name), 5, 5);
    const small = await fingerprintLocal(at('d'), dir);
    const more = Array.from({ length: 30 }, (_, i) => `d/g${i}`);
    for (const name of more) await put(name, '1');
    const large = await fingerprintLocal(at('d'), dir);
    expect([small.files, large.files]).toEqual([380, 410]);
    expect(large.token).not.toBe(small.token);
    expect(await token('d')).toBe(large.token);
    // Hidden from the count of entries, not from the digest: the thread and the synchronous implementation
    // agree.
    for (const name of more) await rm(join(dir, name));
    await Promise.all(Array.from({ length: 25 }, (_, i) => mkdir(join(dir, `d/empty${i}`))));
    expect(await token('d')).toBe(small.token);
  });

  it('[MT-3] a missing path has a constant fingerprint; a cycle of links is not followed', async () => {
    expect(await fingerprintLocal(at('gone'), dir)).toEqual({
      token: 'missing',
      problem: `There is no ${join(dir, 'gone')}.`,
    });
    await put('d/a', '1');
    await symlink(join(dir, 'd'), join(dir, 'd/self'));
    await symlink(join(dir, 'nowhere'), join(dir, 'd/broken'));
    expect((await fingerprintLocal(at('d'), dir)).files).toBe(3);
  });
});

describe('before a cell runs', () => {
  it('[MT-4] a missing path fails for reading and is created for writing', async () => {
    const options = { notebookDir: dir, mode: 'ro' } as const;
    expect(await prepareLocal(at('a/b'), options)).toEqual({ problem: `There is no ${join(dir, 'a/b')}.` });
    expect(await prepareLocal(at('a/b'), { ...options, mode: 'rw' })).toEqual({ path: join(dir, 'a/b') });
    expect(await prepareLocal(at('a/b'), options)).toEqual({ path: join(dir, 'a/b') });
  });

  it('[MT-4] a path below a file, and an unreadable one, are reported with a message', async () => {
    await put('a', '');
    const below = await prepareLocal(at('a/b'), { notebookDir: dir, mode: 'rw' });
    expect(below).toEqual({ problem: `A part of ${join(dir, 'a/b')} is a file, not a folder.` });
    if (process.getuid?.() === 0) return;
    await chmod(join(dir, 'a'), 0);
    const closed = await prepareLocal(at('a'), { notebookDir: dir, mode: 'ro' });
    expect(closed).toEqual({ problem: `Permission to open ${join(dir, 'a')} is denied.` });
  });
});
