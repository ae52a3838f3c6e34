import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { listingOf } from './listing.ts';
import { StoreProblem } from './objectStore.ts';
import { createRemoteMounts, type RemoteMount } from './remoteMounts.ts';
import type { StagedCopy } from './staging.ts';
import { createFakeStore, type FakeStore } from './testing/fakeStore.ts';

let root = '';
let dir = '';
let store: FakeStore;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'remote-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(async () => {
  dir = await mkdtemp(join(root, 'n-'));
  store = createFakeStore();
});

const never = new AbortController().signal;
const mounts = () => createRemoteMounts({ cacheDir: join(dir, 'cache'), open: async () => store });
const mountAt = (prefix: string): RemoteMount => ({
  key: `key of ${prefix}`,
  uri: `s3://b/${prefix}`,
  place: { kind: 'remote', scheme: 's3', container: 'b', prefix },
  options: {},
});
/** Checks and reads the mount like a run; returns the path or the message. */
async function readAt(prefix: string): Promise<string> {
  const all = mounts();
  const { token, problem } = await all.look(mountAt(prefix), never);
  if (token === null || problem !== null) return problem ?? 'no token';
  const ready = await all.read(mountAt(prefix), { token, signal: never });
  return 'path' in ready ? ready.path : ready.problem;
}
/** Every file below, with its text. */
async function filesAt(path: string): Promise<Record<string, string>> {
  if ((await stat(path)).isFile()) return { '': await readFile(path, 'utf8') };
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.sort().map(async (file) => [file.slice(path.length + 1), await readFile(file, 'utf8')]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

describe('a mirror', () => {
  it('[MT-13] contains the objects below the prefix; unchanged ones are not copied again', async () => {
    for (const key of ['d/a', 'd/s/b', 'd', 'dx', 'other/a', 'd/empty/']) store.put(key, key);
    const path = await readAt('d');
    expect(await filesAt(path)).toEqual({ a: 'd/a', 's/b': 'd/s/b' });
    expect((await stat(join(path, 'a'))).mode & 0o222).toBe(0);
    store.downloads.length = 0;
    store.put('d/a', 'new');
    store.remove('d/s/b');
    expect(await filesAt(await readAt('d'))).toEqual({ a: 'new' });
    expect(store.downloads).toEqual(['d/a']);
  });

  it('[MT-13] of one object is a file with its name, and may become a folder and back', async () => {
    store.put('d/x.csv', '1');
    const path = await readAt('d/x.csv');
    expect(path.endsWith('/x.csv') || path.endsWith('\\x.csv')).toBe(true);
    expect(await filesAt(path)).toEqual({ '': '1' });
    store.put('d/x.csv/inner/y', '2');
    expect(await filesAt(await readAt('d/x.csv'))).toEqual({ 'inner/y': '2' });
    store.remove('d/x.csv/inner/y');
    store.put('d/x.csv/inner', '3');
    expect(await filesAt(await readAt('d/x.csv'))).toEqual({ inner: '3' });
    store.remove('d/x.csv/inner');
    expect(await filesAt(await readAt('d/x.csv'))).toEqual({ '': '1' });
  });

  it('[MT-13] a damaged or removed copy is made again', async () => {
    store.put('d/a', 'whole');
    const path = await readAt('d');
    await rm(join(path, 'a'));
    expect(await filesAt(await readAt('d'))).toEqual({ a: 'whole' });
    await rm(join(path, 'a'));
    await writeFile(join(path, 'a'), 'half');
    expect(await filesAt(await readAt('d'))).toEqual({ a: 'whole' });
    await writeFile(join(path, '../state.json'), '{');
    expect(await filesAt(await readAt('d'))).toEqual({ a: 'whole' });
  });

  it('[MT-14] a failed copy leaves no incomplete file, and the completed ones remain', async () => {
    for (let i = 0; i < 20; i += 1) store.put(`d/${i}`, String(i));
    store.failNext('download', new StoreProblem('The line broke.'));
    expect(await readAt('d')).toBe('The line broke.');
    const cache = join(dir, 'cache');
    const names = await readdir(cache, { recursive: true });
    expect(names.filter((name) => name.includes('.part'))).toEqual([]);
    const before = store.downloads.length;
    expect(Object.keys(await filesAt(await readAt('d'))).length).toBe(20);
    expect(store.downloads.length).toBe(20);
    expect(before).toBeGreaterThan(0);
  });

  it('[MT-14] leftovers of a kill that no longer exist in the bucket are in no copy', async () => {
    for (const key of ['d/kept', 'd/sub/gone']) store.put(key, key);
    const path = await readAt('d');
    // Killed between the files and the state: it lists no file.
    await writeFile(join(path, '../state.json'), JSON.stringify({ objects: {}, whole: false }));
    store.remove('d/sub/gone');
    expect(await filesAt(await readAt('d'))).toEqual({ kept: 'd/kept' });
    expect(await readdir(path)).toEqual(['kept']);
  });

  it('[MT-13] a folder is removed with its last file', async () => {
    for (const key of ['d/a', 'd/sub/deep/b', 'd/sub/c']) store.put(key, key);
    const path = await readAt('d');
    store.remove('d/sub/deep/b');
    await readAt('d');
    expect((await readdir(path, { recursive: true })).sort()).toEqual(['a', 'sub', 'sub/c']);
  });

  it('[MT-14] a copy from a killed run is not used for an object that changed back since', async () => {
    store.put('d/a', 'one');
    const path = await readAt('d');
    const state = join(path, '../state.json');
    const content = await readFile(state, 'utf8');
    store.put('d/a', 'two');
    await readAt('d');
    // Killed between the file and the state: the state has forgotten the file by then.
    expect(JSON.parse(content)).not.toEqual(JSON.parse(await readFile(state, 'utf8')));
    await writeFile(state, JSON.stringify({ objects: {} }));
    store.put('d/a', 'one');
    expect(await filesAt(await readAt('d'))).toEqual({ a: 'one' });
  });

  it('[MT-15] an object that changes between check and copy fails with a message, and so does one that disappears', async () => {
    store.put('d/a', 'one');
    const all = mounts();
    const { token } = await all.look(mountAt('d'), never);
    store.put('d/a', 'two');
    expect(await all.read(mountAt('d'), { token, signal: never })).toEqual({
      problem: 'd/a was changed while it was being copied. Run the cell again.',
    });
    store.remove('d/a');
    expect(await all.read(mountAt('d'), { token, signal: never })).toEqual({
      problem: 'There is no d/a (404 fake).',
    });
    expect(await all.read(mountAt('d'), { token: 'older', signal: never })).toEqual({
      problem: 'There is nothing at s3://b/d.',
    });
    expect(await all.look(mountAt('d'), never)).toEqual({
      token: 'missing',
      problem: 'There is nothing at s3://b/d.',
    });
  });

  it('[MT-15] a fingerprint changes with a name, a size or an etag, and is otherwise the same', async () => {
    const token = async () => (await mounts().look(mountAt('d'), never)).token;
    store.put('d/a', 'one');
    const first = await token();
    expect(await token()).toBe(first);
    store.put('d/a', 'two');
    const second = await token();
    store.put('d/b', 'one');
    expect(new Set([first, second, await token()]).size).toBe(3);
  });
});

describe('names of objects', () => {
  test.each(['d/../x', 'd//x', 'd/./x', 'd/a\\..\\x', 'd/C:x', 'd/a\0b'])(
    '[MT-15] %j leads outside and is refused',
    (key) => {
      const object = { key, size: 1, etag: 'e', modified: '' };
      expect(listingOf('d', [object])).toEqual({
        kind: 'bad',
        problem: `The object "${key}" has a name that leads out of its folder.`,
      });
    },
  );

  it('[MT-15] an object that is also a folder cannot be copied, with a message', async () => {
    store.put('d/a', '1');
    store.put('d/a/b', '2');
    expect(await readAt('d')).toContain('is both an object and a folder, which cannot be stored on disk.');
  });
});

describe('a writable mount', () => {
  async function staged(prefix: string): Promise<StagedCopy> {
    const ready = await mounts().write(mountAt(prefix), { dir: join(dir, 'run/mounts/out'), signal: never });
    if ('problem' in ready) throw new Error(ready.problem);
    return ready;
  }

  it('[MT-8] is a copy whose new and changed files are uploaded, and no others', async () => {
    for (const key of ['d/same', 'd/changed', 'd/deleted']) store.put(key, 'old');
    const { path, writeBack } = await staged('d');
    expect(await filesAt(path)).toEqual({ changed: 'old', deleted: 'old', same: 'old' });
    await writeFile(join(path, 'changed'), 'new');
    await rm(join(path, 'deleted'));
    await mkdir(join(path, 'sub'));
    await writeFile(join(path, 'sub/new'), 'new');
    await symlink('/etc/passwd', join(path, 'link'));
    expect(store.text('d/changed')).toBe('old');
    await writeBack(never);
    expect(store.uploads.sort()).toEqual(['d/changed', 'd/sub/new']);
    expect(['d/changed', 'd/sub/new', 'd/deleted'].map((key) => store.text(key))).toEqual([
      'new',
      'new',
      'old',
    ]);
  });

  it('[MT-8] of a missing prefix is an empty folder, also at the top of a bucket', async () => {
    const { path, writeBack } = await staged('');
    expect(await readdir(path)).toEqual([]);
    await writeFile(join(path, 'x'), '1');
    await writeBack(never);
    expect(store.uploads).toEqual(['x']);
  });

  it('[MT-8] of one object is that file', async () => {
    store.put('d/x.csv', '1');
    const { path, writeBack } = await staged('d/x.csv');
    await writeFile(path, '2');
    await writeBack(never);
    expect(store.text('d/x.csv')).toBe('2');
  });

  const spoil = {
    'a link to itself': (path: string) => symlink(path, path),
    'a folder': (path: string) => mkdir(path),
  };
  test.each(Object.entries(spoil))(
    '[MT-8] a file that the cell replaced by %s is reported, never treated as deleted',
    async (_what, turn) => {
      store.put('d/x.csv', '1');
      const { path, writeBack } = await staged('d/x.csv');
      await rm(path);
      await turn(path);
      await expect(writeBack(never)).rejects.toThrow(StoreProblem);
      expect(store.uploads).toEqual([]);
    },
  );

  it('[MT-8] a failed upload is reported, with its progress', async () => {
    const { path, writeBack } = await staged('d');
    await writeFile(join(path, 'x'), '1');
    store.failNext('upload', new StoreProblem('It refuses.'));
    await expect(writeBack(never)).rejects.toThrow(
      'It refuses. 0 of 1 changed files were written back before that.',
    );
  });
});
